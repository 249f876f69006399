"""What can be known of a solution from its text alone: tokens, directives, ``solve``, includes.

Nothing here compiles or evaluates. Where the text leaves a question open (macros, conditions that
only a preprocessor can decide) these modules say that they don't know, and the compiler decides.
"""

from harness.source.read import read_source

__all__ = ["read_source"]
