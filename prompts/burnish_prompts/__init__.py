"""The prompts that Burnish sends to a model, as data files."""

from burnish_prompts.rendering import (
    ASPECTS,
    Message,
    Remark,
    Role,
    critique_schema,
    examples,
    render,
    render_step,
    subject,
    title,
    version,
)

__all__ = [
    "ASPECTS",
    "Message",
    "Remark",
    "Role",
    "critique_schema",
    "examples",
    "render",
    "render_step",
    "subject",
    "title",
    "version",
]
