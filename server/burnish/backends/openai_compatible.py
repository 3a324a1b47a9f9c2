"""Any endpoint that speaks OpenAI's chat completions: a provider's, or a local llama.cpp, Ollama, vLLM, LM Studio."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from burnish.backends.model import HISTORY_TOKENS, ModelBackend
from burnish.configuration import ModelSettings
from burnish_analyzers.goal import Goal
from burnish_analyzers.source.snapshot import Snapshot
from burnish_analyzers.source.units import Unit


class OpenAICompatibleBackend(ModelBackend):
    """A model behind an endpoint, as critic and editor of one unit.

    `cancelled` is asked many times a second while a request runs. Raises ConfigurationError where the settings name no
    model, or no usable base URL.
    """

    def __init__(
        self,
        settings: ModelSettings,
        *,
        goal: Goal,
        snapshot: Snapshot,
        unit: Unit,
        measurements: Sequence[str] = (),
        history_tokens: int = HISTORY_TOKENS,
        cancelled: Callable[[], bool] = lambda: False,
    ) -> None:
        from burnish.backends.endpoint import OpenAIChat  # slow to import, so not before a model is used

        super().__init__(
            OpenAIChat(settings, cancelled=cancelled),
            name=settings.name,
            goal=goal,
            snapshot=snapshot,
            unit=unit,
            measurements=measurements,
            history_tokens=history_tokens,
            secrets=(settings.api_key,),
        )
