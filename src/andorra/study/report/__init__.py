"""The report of a study: one HTML file that needs nothing else, neither a network nor a library.

`page.py` puts it together. Tables are in `tables.py`, `score_tables.py`, `matrix.py` and
`every_run.py`; plots are SVG, one kind a file (`curves.py`, `scatter.py`, `memory.py`), on
`scales.py`. Colours and widths are in `style.css`; `script.js` lets the legend hide solvers and
tables be sorted. Without scripts, all is there to read.
"""
