"""The cuda backend: nvcc builds the submission, a GPU runs it, CuPy's runtime half drives that.

    backend.py   the judge's half
    probe.py     what is here and what is missing      driver.py, libcuda.py, toolkit.py, cublas.py
    build.py     source to shared library              peek.cpp
    runner.py    the worker's half: load, call         device.py
    timing.py    samples of a call                     pristine.py, baseline.py
    oracle.py    the perf case's float64 reference

This module stays empty: the worker passes through it.

CUDA is initialised in the judge's process (to ask for the device, and for the reference), so a
worker must be a fresh process and never a fork.
"""
