"""The referee against practice material with truth: `python -m tests.acceptance RECORDINGS`."""
