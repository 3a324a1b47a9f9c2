"""Settings: what they are, and where they come from (pyproject.toml < editor < BURNISH_* < flags)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal


@dataclass(frozen=True, kw_only=True)
class ModelSettings:
    """An OpenAI-compatible endpoint. The key comes from BURNISH_API_KEY or the editor's secret store, never a file."""

    base_url: str
    name: str
    api_key: str = ""
    timeout_seconds: float = 120.0


@dataclass(frozen=True, kw_only=True)
class Settings:
    """All that a user can set. Paths are relative to the project's root where they are not absolute."""

    engine: Literal["auto", "rules", "model"] = "auto"
    model: ModelSettings | None = None
    interpreter: str | None = None
    examples: str | None = None
    disabled_rules: tuple[str, ...] = ()
    rounds: int = 4
    budget_seconds: float = 600.0
    test_seconds: float = 120.0
    memory_bytes: int = 4 * 1024**3
    allow_unverified: bool = False
