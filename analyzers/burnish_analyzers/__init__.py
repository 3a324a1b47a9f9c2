"""What Burnish knows of Python code: its text, its measures, and the checks that judge a rewrite."""
