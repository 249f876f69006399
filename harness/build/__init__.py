"""Running compilers: bounded processes, their messages as diagnostics, and the cache of results."""
