"""What all end-to-end tests share."""

from collections.abc import Iterator

import pytest


@pytest.fixture(scope="session", autouse=True)
def plain_pytest_in_sample_projects() -> Iterator[None]:
    """The sample projects run in Burnish's own environment and need none of its pytest plugins, which load slowly."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PYTEST_DISABLE_PLUGIN_AUTOLOAD", "1")
        yield
