"""Every error that Burnish raises on purpose.

::

    BurnishError
    ├── SourceError          the file, the unit or the text is not usable
    │   ├── NoSuchUnitError
    │   └── StaleDocumentError
    ├── ProjectError         the project cannot be run
    │   ├── NoInterpreterError
    │   ├── BaselineError    its tests or examples fail before any change
    │   └── JobError         a run in its interpreter did not end as it should
    ├── ConfigurationError   a setting is malformed
    └── BackendError         a critic or editor did not answer usably

A message is one sentence that says what is wrong and what to do next; it is shown to the user as is.
"""


class BurnishError(Exception):
    """Base of all; the command line prints its message and exits with 2."""


class SourceError(BurnishError):
    """The file, the unit or the text cannot be used."""


class NoSuchUnitError(SourceError):
    """No unit of that name or at that place."""


class StaleDocumentError(SourceError):
    """The document changed in a way that the edits do not survive."""


class ProjectError(BurnishError):
    """The user's project cannot be run as it is."""


class NoInterpreterError(ProjectError):
    """No Python interpreter for the project was found, or it does not start."""


class BaselineError(ProjectError):
    """The tests or examples fail on the code as it is, so they can prove nothing."""


class JobError(ProjectError):
    """A run in the project's interpreter crashed, hung or gave no result."""


class ConfigurationError(BurnishError):
    """A setting has the wrong name, type or value."""


class BackendError(BurnishError):
    """A critic or editor could not be reached, or answered nothing usable."""
