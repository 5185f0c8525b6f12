"""Benchmarks: tables of figures beside their targets. `python -m bench`; see docs/benchmarks.md.

Everything measured runs in a process of its own (`process`): CPU seconds and resident memory are
then those of the thing measured, and this process stays small. Nothing here is a test, and no
figure is of wall-clock time.
"""
