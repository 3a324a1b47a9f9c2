"""What is told of a refinement."""
