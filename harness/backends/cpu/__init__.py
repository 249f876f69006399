"""The cpu backend: CUDA on the host's own cores.

    backend.py    the judge's half
    rewrite/      launches, shared arrays into macros
    refuse.py     what is not supported, by name        cuda_names.txt
    build.py      source to shared library              toolchain.py, processor.py, fingerprint.py
    compile.py    what the cache does not have          job.py, sources.py, returns.py, messages.py
    prebuilt.py   the runtime, compiled ahead           runtime_units.py, runtime_objects.py
    precompiled.py  its headers, for instrumented builds
    rules/        what nvcc rejects by itself           device_names.py
    locate.py     an address to a line and column       dwarf.py
    runner.py     the worker's half
    runtime/      CUDA's headers and the scheduler, in C++

This module stays empty: the worker passes through it.
"""
