"""Property tests look for wrong answers here, not for slow ones: a busy machine must not fail them."""

from hypothesis import settings

settings.register_profile("source", deadline=None)
settings.load_profile("source")
