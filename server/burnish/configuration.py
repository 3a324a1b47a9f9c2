"""Settings: what they are, and where they come from (pyproject.toml < editor < BURNISH_* < flags).

The fields of the two classes are the only list of settings: keys, variables and types are derived from them.
"""

from __future__ import annotations

import dataclasses
import difflib
import os
import re
import sys
import tomllib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from types import NoneType
from typing import Any, Literal, get_args, get_origin, get_type_hints

from burnish_analyzers.errors import ConfigurationError


@dataclass(frozen=True, kw_only=True)
class ModelSettings:
    """An OpenAI-compatible endpoint. The key comes from BURNISH_API_KEY or the editor's secret store, never a file."""

    base_url: str
    name: str
    api_key: str = field(default="", repr=False, metadata={"variable": "BURNISH_API_KEY"})
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


@dataclass(frozen=True, kw_only=True)
class Setting:
    """One setting as users write it: dotted `name` in files and editors, `variable` in the environment.

    `kind` is the type of its value, without the None that stands for "not set".
    """

    name: str
    variable: str
    kind: Any


# Keys of the editor's section that a client keeps for itself.
_CLIENT_KEYS = ("client", "trace")

_PROJECT = "[tool.burnish]"
_EDITOR = "the editor's settings"
_ENVIRONMENT = "the environment"
_FLAGS = "the command line"

_TRUTH = {"1": True, "true": True, "yes": True, "on": True, "0": False, "false": False, "no": False, "off": False}


@cache
def all_settings() -> Mapping[str, Setting]:
    """Every setting by its dotted name, in the order of the fields."""
    return {setting.name: setting for setting in _settings_of(Settings, prefix="")}


def _settings_of(settings_class: type[Any], prefix: str) -> Iterator[Setting]:
    hints = get_type_hints(settings_class)
    for each in dataclasses.fields(settings_class):
        name = prefix + each.name
        kind = hints[each.name]
        if NoneType in get_args(kind):
            (kind,) = (option for option in get_args(kind) if option is not NoneType)
        if isinstance(kind, type) and dataclasses.is_dataclass(kind):
            yield from _settings_of(kind, prefix=f"{name}.")
        else:
            derived = "BURNISH_" + name.replace(".", "_").upper()
            yield Setting(name=name, variable=each.metadata.get("variable", derived), kind=kind)


def load_settings(
    root: Path | None,
    editor: Mapping[str, Any] | None = None,
    environ: Mapping[str, str] = os.environ,
    flags: Mapping[str, Any] | None = None,
) -> Settings:
    """The settings in force for the project at `root`; None in a layer means that it does not set the key.

    `editor` and `flags` are nested by section; the editor may write camelCase. Raises ConfigurationError.
    """
    values: dict[str, Any] = {}
    for source, layer in (
        (_PROJECT, _project_values(root)),
        (_EDITOR, _editor_values(editor or {})),
        (_ENVIRONMENT, _environment_values(environ)),
        (_FLAGS, _flatten(flags or {}, _FLAGS)),
    ):
        values |= {name: _checked(all_settings()[name], value, source) for name, value in layer.items()}
    ours = {name: value for name, value in values.items() if "." not in name}
    model = _model({name.removeprefix("model."): value for name, value in values.items() if name not in ours})
    settings = Settings(model=model, **ours)
    if settings.engine == "model" and model is None:
        raise ConfigurationError(
            'The engine is set to "model" but no model is configured: set --model-url and --model, '
            "or BURNISH_MODEL_BASE_URL and BURNISH_MODEL_NAME."
        )
    return settings


def _model(values: Mapping[str, Any]) -> ModelSettings | None:
    """The endpoint, once both its URL and its model are named; a key or a time limit alone configures none."""
    if "base_url" in values and "name" in values:
        return ModelSettings(**values)
    for given, missing, flag in (("base_url", "name", "--model"), ("name", "base_url", "--model-url")):
        if given in values:
            variable = all_settings()[f"model.{missing}"].variable
            raise ConfigurationError(f"model.{given} is set but model.{missing} is not: set {flag} or {variable}.")
    return None


def _project_values(root: Path | None) -> dict[str, Any]:
    """What [tool.burnish] says. A project is not the user: it may not say where code is sent, nor hold a key."""
    path = root / "pyproject.toml" if root else None
    if path is None or not path.is_file():
        return {}
    try:
        document = tomllib.loads(path.read_text(encoding="utf-8"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise ConfigurationError(f"{path} is not valid TOML, correct it: {error}.") from error
    except OSError as error:
        raise ConfigurationError(f"{path} cannot be read, check its permissions: {error.strerror}.") from error
    tool = document.get("tool", {})
    values = _flatten(tool.get("burnish", {}) if isinstance(tool, dict) else {}, _PROJECT)
    for name in values:
        if name.startswith("model."):
            raise ConfigurationError(
                f"Remove {name} from {_PROJECT} in {path} and set {all_settings()[name].variable} instead: "
                "only you say where your code is sent, never a project."
            )
    return values


def _editor_values(section: Mapping[str, Any]) -> dict[str, Any]:
    """The editor's section; an empty string is how settings pages say "not set"."""
    own = {key: value for key, value in section.items() if key not in _CLIENT_KEYS}
    return {name: value for name, value in _flatten(own, _EDITOR).items() if value != ""}


def _environment_values(environ: Mapping[str, str]) -> dict[str, Any]:
    """The BURNISH_* variables; unknown ones may be somebody else's, but a misspelt one is an error."""
    settings = {setting.variable: setting for setting in all_settings().values()}
    values = {}
    for variable, text in environ.items():
        if variable in settings and text:
            values[settings[variable].name] = _from_text(settings[variable].kind, text)
        elif variable.startswith("BURNISH_") and variable not in settings and (near := _near(variable, settings)):
            raise ConfigurationError(f"There is no variable {variable}; did you mean {near}?")
    return values


def _from_text(kind: Any, text: str) -> Any:
    """What a variable's text means for a setting of this type, or the text itself where it means nothing."""
    if get_origin(kind) is tuple:
        return tuple(item.strip() for item in text.split(",") if item.strip())
    if kind is bool:
        return _TRUTH.get(text.strip().lower(), text)
    if kind in (int, float):
        try:
            return kind(text)
        except ValueError:
            return text
    return text


def _flatten(section: Any, source: str, prefix: str = "") -> dict[str, Any]:
    """Dotted snake_case names of the values of a nested section, without those that are None."""
    if not isinstance(section, Mapping):
        raise ConfigurationError(f"{prefix.rstrip('.') or 'burnish'} in {source} must be a table of settings.")
    sections = {name.partition(".")[0] for name in all_settings() if "." in name}
    values: dict[str, Any] = {}
    for key, value in section.items():
        name = prefix + re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", str(key)).lower()
        if name in sections:
            values |= _flatten({} if value is None else value, source, prefix=f"{name}.")
        elif name not in all_settings():
            near = _near(name, all_settings())
            hint = f"did you mean {near}?" if near else f"there are {', '.join(all_settings())}."
            raise ConfigurationError(f"There is no setting {prefix}{key} in {source}; {hint}")
        elif value is not None:
            values[name] = value
    return values


def _near(name: str, known: Iterable[str]) -> str:
    """The known names that `name` may be a slip of; the prefix that all variables share says nothing."""
    own_parts = {each.removeprefix("BURNISH_"): each for each in known}
    near = difflib.get_close_matches(name.removeprefix("BURNISH_"), own_parts, n=2)
    return " or ".join(own_parts[part] for part in near)


def _checked(setting: Setting, value: Any, source: str) -> Any:
    """`value` as the setting's type, or ConfigurationError with what it must be."""
    kind = setting.kind
    if get_origin(kind) is Literal:
        choices = get_args(kind)
        valid, wanted = value in choices, "one of " + ", ".join(choices)
    elif get_origin(kind) is tuple:
        valid = isinstance(value, list | tuple) and all(isinstance(item, str) for item in value)
        value, wanted = tuple(value) if valid else value, "a list of texts"
    elif kind is bool:
        valid, wanted = isinstance(value, bool), "true or false"
    elif kind is int:
        valid, wanted = type(value) is int and 0 < value < 2**63, "a whole number above 0"
    elif kind is float:
        valid = type(value) in (int, float) and 0 < value <= sys.float_info.max
        value, wanted = float(value) if valid else value, "a number above 0"
    else:
        valid, wanted = isinstance(value, str) and value != "", "a text"
    if not valid:
        shown = "" if setting.name == "model.api_key" else f", not {value!r}"
        where = setting.variable if source == _ENVIRONMENT else f"{setting.name} in {source}"
        raise ConfigurationError(f"{where} must be {wanted}{shown}.")
    return value
