"""What can go wrong between a picture and a reading.

VisionError
├── SourceError      a file, camera or stream gives no (more) pictures
├── WeightsError     the detector's weights are missing or do not fit
├── GalleryError     a deck's reference images cannot be used
├── NoTableError     a picture shows nothing that could be read
└── ResourceError    a file that ships with the program is missing
"""


class VisionError(Exception):
    """A picture could not be turned into a reading; the message says what, where and why."""


class SourceError(VisionError):
    """A file, camera or stream gives no (more) pictures."""


class WeightsError(VisionError):
    """The detector's weights are missing or do not fit what the code expects."""


class GalleryError(VisionError):
    """A deck's reference images cannot be used to name faces."""


class NoTableError(VisionError):
    """A picture shows nothing that could be read."""


class ResourceError(VisionError):
    """A file that ships with the program is missing."""
