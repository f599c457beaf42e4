"""How fast and how large the referee is.

python -m tests.benchmarks [VIDEO PACK | judge | packing | latency]
"""
