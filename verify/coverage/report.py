# SPDX-License-Identifier: Apache-2.0
"""The merged report: text for people, JSON for programs."""

import dataclasses
import json

from toolbox import tools

from .blocks import Blocks


@dataclasses.dataclass
class Report:
    """functional: a total for each configuration. counts, explained: points of the Verilog."""

    functional: list
    counts: dict
    explained: dict

    def __post_init__(self):
        self.blocks = Blocks()
        for total in self.functional:
            self.blocks.add_functional(total)
        self.blocks.add_code(self.counts, self.explained)

    def passed(self):
        """Whether every hole has a reason, and no reason is wrong."""
        return not any(total.holes() or total.contradictions() for total in self.functional) \
            and None not in self.explained.values()

    def lines(self):
        """What is printed."""
        return [*self._configurations(), "", *self._blocks(), "", *self._holes()]

    def _configurations(self):
        yield f"{'configuration':<24} {'hash':<16} {'functional':>12} {'out of reach':>12}"
        for total in self.functional:
            reached = f"{total.reachable() - len(total.holes())}/{total.reachable()}"
            yield (f"{total.configuration:<24} {total.hash:<16} {reached:>12} "
                   f"{len(total.unreachable):>12}")

    def _blocks(self):
        shares = self.blocks.shares
        yield f"{'block':<13}" + "".join(f" {kind:>28}" for kind in Blocks.KINDS)
        for block in sorted(shares):
            yield f"{block:<13}" + "".join(f" {shares[block][kind].text():>28}"
                                           for kind in Blocks.KINDS)

    def functional_holes(self):
        """What was not reached, and what was reached though it is said to be out of reach."""
        for total in self.functional:
            for name in total.holes():
                yield f"hole: {total.configuration}: {name}"
            for name in total.contradictions():
                yield (f"covered though out of reach: {total.configuration}: {name}: "
                       f"{total.unreachable[name]}")

    def _holes(self):
        yield from self.functional_holes()
        for point, reason in self.explained.items():
            if reason is None:
                yield f"hole: {point.where()}: {point.kind} {point.text()}"
        reasons = self._reasons()
        if reasons:
            yield f"{sum(reasons.values())} points out of reach, because"
        for reason, points in sorted(reasons.items()):
            yield f"{points:>6} {reason}"

    def _reasons(self):
        """Points that each reason explains."""
        reasons = {}
        texts = [text for total in self.functional for text in total.unreachable.values()]
        for text in [*texts, *(reason for reason in self.explained.values() if reason)]:
            reasons[text] = reasons.get(text, 0) + 1
        return reasons

    def table(self):
        """What is written as JSON."""
        return {
            "functional": [{**dataclasses.asdict(total), "holes": total.holes()}
                           for total in self.functional],
            "code": [{"configuration": point.configuration, "block": point.block,
                      "kind": point.kind, "where": point.where(), "what": point.text(),
                      "reason": reason} for point, reason in self.explained.items()],
            "blocks": {block: {kind: dataclasses.asdict(share) for kind, share in kinds.items()}
                       for block, kinds in sorted(self.blocks.shares.items())},
            "passed": self.passed(),
        }

    def write(self, folder):
        """Writes report.txt and report.json."""
        tools.make_folder(folder)
        tools.write(folder / "report.txt", "\n".join(self.lines()) + "\n")
        tools.write(folder / "report.json", json.dumps(self.table(), indent=1) + "\n")
