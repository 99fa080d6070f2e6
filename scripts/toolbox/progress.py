# SPDX-License-Identifier: Apache-2.0
"""Progress of long work: done of total, rate and time left on a terminal; nothing in a pipe."""

import sys
import time


def clear_line():
    """Takes away what is on a terminal's line."""
    if sys.stderr.isatty():
        print("\r\033[K", end="", file=sys.stderr, flush=True)


class Progress:
    """One line on stderr that each step() rewrites. Without a total it counts."""

    def __init__(self, what, total=None):
        self.what, self.total, self.done = what, total, 0
        self.start = time.monotonic()
        self.shown = sys.stderr.isatty() and total != 0
        self._show()

    def step(self):
        """One more is done."""
        self.set(self.done + 1)

    def set(self, done):
        """So many are done."""
        if done != self.done:
            self.done = done
            self._show()

    def finish(self):
        """Removes the line."""
        if self.shown:
            clear_line()

    def _show(self):
        if not self.shown:
            return
        text = f"{self.done} {self.what}" if self.total is None else f"{self.done}/{self.total} {self.what}"
        if self.done and self.total is not None:
            rate = self.done / max(time.monotonic() - self.start, 1e-9)
            text += f", {rate * 60:.1f}/min, {(self.total - self.done) / rate:.0f} s left"
        print(f"\r\033[K{text}", end="", file=sys.stderr, flush=True)
