"""Memory that is there when a run asks for it.

A virtual machine may have to get memory from its host when a process touches it, and the host takes
back what was not used for some seconds: on one such machine, 2 GiB took 0.2 s to touch or 5 s. A
search with several threads is shorter, so that spoils its time more. Before a run whose time
counts, a child touches as much as the run may use, and ends.
"""

from __future__ import annotations

import mmap
import sys

from bench import process

PAGE = 4096


def warm(memory: int) -> None:
    """Touch so many bytes in a process of its own."""
    finished = process.run([sys.executable, "-m", "bench.warm_memory", str(memory)])
    if finished.code != 0:
        raise RuntimeError(f"touching {memory:,} bytes of memory {finished.describe()}")


def touch(memory: int) -> None:
    """Write to every page of so many bytes."""
    with mmap.mmap(-1, memory) as block:
        block.madvise(mmap.MADV_HUGEPAGE)
        for place in range(0, memory, PAGE):
            block[place] = 1


if __name__ == "__main__":
    touch(int(sys.argv[1]))
