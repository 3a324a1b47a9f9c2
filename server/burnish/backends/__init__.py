"""Critics and editors: rules, models, scripts."""
