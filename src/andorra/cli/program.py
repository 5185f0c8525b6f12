"""The program `andorra`: what comes before the command line's first import, and after its answer.

Idea: an exit code is an answer, and Python ends with 1, our "disproven", whenever it is at a loss.
So the signals are obeyed before anything large is imported, whatever escapes the command line gets
a code of its own, and once the code is known, signals change it no more: Python takes its time to
end.
Invariant: this file imports nothing at its top that could fail for want of memory.
"""

from __future__ import annotations

import os
import sys
from contextlib import suppress

_NO_MEMORY = b"error: this needs more memory than the system gives to this process\n"
_INTERRUPTED = b"error: interrupted\n"
_BUG = b"error: this is a bug in Andorra; please report it with the lines above\n"


def program() -> int:
    """Run the command line as a program; the return value is the exit code."""
    try:
        from andorra.cli import interrupts

        interrupts.install()
        from andorra.cli.main import main

        code = main()
        interrupts.ignore()
    except KeyboardInterrupt:
        return _ended(_INTERRUPTED, 130)
    except MemoryError:
        return _ended(_NO_MEMORY, 3)
    except ImportError as error:
        return _ended(_NO_MEMORY, 3) if lacks_memory(error) else _bug()
    except Exception:
        return _bug()
    return code


def lacks_memory(error: ImportError) -> bool:
    """Whether a library could not be loaded because there was no room for it.

    >>> lacks_memory(ImportError("x.so: failed to map segment from shared object"))
    True
    """
    said = str(error)
    return "failed to map segment" in said or "annot allocate memory" in said


def _bug() -> int:
    sys.excepthook(*sys.exc_info())
    return _ended(_BUG, 70)


def _ended(words: bytes, code: int) -> int:
    """Say why, with as little as that takes."""
    with suppress(OSError):
        os.write(2, words)
    return code
