"""Each module holds one check; `judge` runs them, cheapest first."""
