"""Calls that no test made, written as source code and drawn by Hypothesis.

`values` writes values of a kind, `annotations` reads kinds from the text of types, `usage` guesses them from what a
body does with a parameter, `signatures` finds what a unit takes, `draw` puts calls together.
"""
