"""The prompts that Burnish sends to a model, as data files."""
