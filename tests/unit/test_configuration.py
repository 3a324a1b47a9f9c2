"""Settings from the four layers, and what each kind of mistake is told."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from burnish.configuration import Settings, all_settings, load_settings
from burnish_analyzers.errors import ConfigurationError

ENDPOINT = {"BURNISH_MODEL_BASE_URL": "http://localhost:1/v1", "BURNISH_MODEL_NAME": "small"}


def load(
    root: Path | None = None,
    editor: Mapping[str, Any] | None = None,
    environ: Mapping[str, str] | None = None,
    flags: Mapping[str, Any] | None = None,
) -> Settings:
    return load_settings(root, editor, environ or {}, flags)


def project(folder: Path, table: str) -> Path:
    (folder / "pyproject.toml").write_text(table, encoding="utf-8")
    return folder


def refusal(**layers: Any) -> str:
    with pytest.raises(ConfigurationError) as caught:
        load(**layers)
    return str(caught.value)


def test_nothing_set_gives_the_defaults(tmp_path: Path) -> None:
    assert load() == load(tmp_path) == Settings()


def test_each_layer_wins_over_the_one_below(tmp_path: Path) -> None:
    root = project(tmp_path, "[tool.burnish]\nrounds = 1\nbudget_seconds = 1\ntest_seconds = 1\nmemory_bytes = 1\n")
    editor = {"rounds": 2, "budgetSeconds": 2, "testSeconds": 2}
    environ = {"BURNISH_ROUNDS": "3", "BURNISH_BUDGET_SECONDS": "3"}
    settings = load(root, editor, environ, {"rounds": 4})
    assert (settings.rounds, settings.budget_seconds, settings.test_seconds, settings.memory_bytes) == (4, 3.0, 2.0, 1)


def test_none_and_empty_texts_leave_a_setting_to_the_layer_below() -> None:
    environ = {"BURNISH_INTERPRETER": "python3.12", "BURNISH_ENGINE": ""}
    assert load(editor={"interpreter": "", "rounds": None}, environ=environ, flags={"interpreter": None}) == Settings(
        interpreter="python3.12"
    )


def test_the_editor_may_write_camel_case_snake_case_and_its_own_keys() -> None:
    section = {
        "allowUnverified": True,
        "disabled_rules": ["a"],
        "model": {"baseUrl": "http://localhost:1/v1", "name": "m", "apiKey": "k", "timeoutSeconds": 5},
        "trace": {"server": "off"},
        "client": {"path": "/x"},
    }
    settings = load(editor=section)
    assert settings.allow_unverified
    assert settings.disabled_rules == ("a",)
    assert settings.model is not None
    assert dataclasses.astuple(settings.model) == ("http://localhost:1/v1", "m", "k", 5.0)


def test_variables_are_read_as_their_settings_type() -> None:
    settings = load(
        environ={
            **ENDPOINT,
            "BURNISH_API_KEY": "secret",
            "BURNISH_DISABLED_RULES": "one, two,",
            "BURNISH_ALLOW_UNVERIFIED": "Yes",
            "BURNISH_MEMORY_BYTES": "1024",
        }
    )
    assert settings.disabled_rules == ("one", "two")
    assert settings.allow_unverified is True
    assert settings.memory_bytes == 1024
    assert settings.model is not None
    assert settings.model.api_key == "secret"


def test_a_key_never_shows_in_a_repr() -> None:
    assert "secret" not in repr(load(environ={**ENDPOINT, "BURNISH_API_KEY": "secret"}))


def test_a_key_alone_configures_no_model() -> None:
    assert load(environ={"BURNISH_API_KEY": "secret", "BURNISH_MODEL_TIMEOUT_SECONDS": "3"}).model is None


@pytest.mark.parametrize("key", ["api_key", "base_url", "name", "timeout_seconds"])
def test_a_project_may_not_say_where_code_is_sent(tmp_path: Path, key: str) -> None:
    message = refusal(root=project(tmp_path, f'[tool.burnish.model]\n{key} = "x"\n'))
    variable = "BURNISH_API_KEY" if key == "api_key" else f"BURNISH_MODEL_{key.upper()}"
    assert f"model.{key}" in message
    assert variable in message


@pytest.mark.parametrize(
    ("layers", "words"),
    [
        ({"environ": {"BURNISH_MODEL_NAME": "m"}}, ["model.base_url is not", "--model-url"]),
        ({"flags": {"model": {"base_url": "http://localhost"}}}, ["model.name is not", "BURNISH_MODEL_NAME"]),
        ({"flags": {"engine": "model"}}, ["no model is configured"]),
        ({"editor": {"engine": "magic"}}, ["engine in the editor's settings", "auto, rules, model", "'magic'"]),
        ({"editor": {"rounds": 1.5}}, ["rounds", "a whole number above 0", "1.5"]),
        ({"editor": {"rounds": True}}, ["a whole number above 0"]),
        ({"editor": {"rounds": 0}}, ["a whole number above 0"]),
        ({"editor": {"memoryBytes": 2**63}}, ["a whole number above 0"]),
        ({"editor": {"budgetSeconds": float("nan")}}, ["a number above 0"]),
        ({"editor": {"budgetSeconds": 10**400}}, ["a number above 0"]),
        ({"editor": {"interpreter": ["python"]}}, ["interpreter", "a text"]),
        ({"editor": {"disabledRules": [1]}}, ["a list of texts"]),
        ({"editor": {"model": 3}}, ["model in the editor's settings must be a table"]),
        ({"editor": {"model": {"apiKey": 12345}}}, ["model.api_key"]),
        ({"editor": {"roundz": 1}}, ["There is no setting roundz", "did you mean rounds?"]),
        ({"editor": {"qqq": 1}}, ["There is no setting qqq", "there are engine, ", "allow_unverified"]),
        ({"environ": {"BURNISH_ROUNDS": "many"}}, ["BURNISH_ROUNDS must be a whole number above 0", "'many'"]),
        ({"environ": {"BURNISH_ALLOW_UNVERIFIED": "perhaps"}}, ["true or false"]),
        ({"environ": {"BURNISH_RONUDS": "3"}}, ["BURNISH_RONUDS", "did you mean BURNISH_ROUNDS?"]),
    ],
)
def test_a_mistake_gets_one_sentence_that_names_it(layers: dict[str, Any], words: list[str]) -> None:
    message = refusal(**layers)
    assert all(word in message for word in words), message
    assert "12345" not in message
    assert message.endswith((".", "?"))
    assert "\n" not in message


def test_a_variable_like_none_of_ours_is_somebody_elses() -> None:
    assert load(environ={"BURNISH_QQQQQQQQ": "1", "PATH": "/bin"}) == Settings()


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("[tool.burnish]\nrounds = = 3\n", ["not valid TOML", "line 2"]),
        ("[tool]\nburnish = 3\n", ["burnish in [tool.burnish] must be a table"]),
        ('[tool.burnish]\nrounds = "3"\n', ["rounds in [tool.burnish]", "'3'"]),
        ("[tool.burnish]\ninterpeter = 'x'\n", ["interpeter", "did you mean interpreter?"]),
    ],
)
def test_a_malformed_pyproject_is_explained(tmp_path: Path, text: str, words: list[str]) -> None:
    message = refusal(root=project(tmp_path, text))
    assert all(word in message for word in words), message


def test_a_pyproject_in_another_encoding_is_explained(tmp_path: Path) -> None:
    (tmp_path / "pyproject.toml").write_bytes("# é".encode("latin-1"))
    assert "not valid TOML" in refusal(root=tmp_path)


def test_a_pyproject_of_other_tools_only_is_fine(tmp_path: Path) -> None:
    assert load(project(tmp_path, "tool = 3\n")) == Settings()
    assert load(project(tmp_path, "[tool.other]\nx = 1\n")) == Settings()


@given(st.integers(1, 2**63 - 1), st.floats(min_value=1e-300, allow_infinity=False), st.booleans())
def test_numbers_survive_the_environment(rounds: int, seconds: float, allow: bool) -> None:
    environ = {
        "BURNISH_ROUNDS": str(rounds),
        "BURNISH_BUDGET_SECONDS": repr(seconds),
        "BURNISH_ALLOW_UNVERIFIED": str(allow),
    }
    assert load(environ=environ) == Settings(rounds=rounds, budget_seconds=seconds, allow_unverified=allow)


def test_every_setting_has_a_variable_of_its_own() -> None:
    variables = [setting.variable for setting in all_settings().values()]
    assert len(set(variables)) == len(variables)
    assert all(variable.startswith("BURNISH_") for variable in variables)
