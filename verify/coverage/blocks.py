# SPDX-License-Identifier: Apache-2.0
"""What is covered of each block, over all configurations."""

import dataclasses

from . import code


@dataclasses.dataclass
class Share:
    """Points of one kind: all of them, those hit, and those not hit for a known reason."""

    total: int = 0
    hit: int = 0
    explained: int = 0

    def count(self, hit, reason):
        """One more point. reason: why it is not hit, or None."""
        self.total += 1
        self.hit += bool(hit)
        self.explained += not hit and reason is not None

    def complete(self):
        """Whether nothing is missing."""
        return self.hit + self.explained == self.total

    def text(self):
        """`hit of all that can be`, and how many cannot."""
        if not self.total:
            return "-"
        unreachable = f" ({self.explained} out of reach)" if self.explained else ""
        return f"{self.hit} of {self.total - self.explained}{unreachable}"


class Blocks:
    """A Share for each block and kind of coverage."""

    KINDS = ("functional", *code.KINDS)

    def __init__(self):
        self.shares = {}

    def share(self, block, kind):
        """The share of a block, which is there from now on."""
        kinds = self.shares.setdefault(block, {kind: Share() for kind in self.KINDS})
        return kinds[kind]

    def add_functional(self, total):
        """A configuration's functional coverage."""
        for name, count in total.bins.items():
            self.share(name.split(": ")[0], "functional").count(count,
                                                                total.unreachable.get(name))

    def add_code(self, counts, explained):
        """Lines, branches and toggles. explained: reason by point not hit."""
        for point, count in counts.items():
            self.share(point.block, point.kind).count(count, explained.get(point))

    def complete(self, block):
        """Whether nothing is missing in a block."""
        return all(share.complete() for share in self.shares[block].values())

    def text(self, block):
        """One line about a block, for the table of evidence."""
        return "; ".join(f"{'functional' if kind == 'functional' else _plural(kind)} {share.text()}"
                         for kind, share in self.shares[block].items() if share.total)


def _plural(kind):
    return {"line": "lines", "branch": "branches", "toggle": "toggles"}[kind]
