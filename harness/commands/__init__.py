"""One module a command, each with ``command``, and what they share.

Only click and the standard library are imported at the top of these modules, so that
``leetk --help`` answers at once; all else is imported where it is used.
"""
