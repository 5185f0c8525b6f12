"""Studies: many solvers on many problems, each run in a fresh process, and a report of it all.

A plan (`plan.py`, read from TOML by `reading.py`) is run (`running.py`) into a journal
(`journal.py`), a row a run, from which the report (`report/`) is made. What the figures mean is in
`scores.py` and `agreement.py`; how to write a plan, in docs/studies.md.
"""
