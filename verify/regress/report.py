# SPDX-License-Identifier: Apache-2.0
"""What a suite came to: lines for a terminal, and JUnit's XML."""

import dataclasses
import json
import re
import xml.etree.ElementTree as xml

from flow import text_table
from toolbox import tools

from .store import ERROR, FAILED, PASSED

NOT_RUN = "not run"


@dataclasses.dataclass
class Count:
    """Tasks by what they came to."""

    tasks: int = 0
    passed: int = 0
    failed: int = 0
    errors: int = 0
    not_run: int = 0
    passes: int = 0
    seconds: float = 0.0

    def add(self, result):
        """One more task; None: not run."""
        status = result.status if result else NOT_RUN
        self.tasks += 1
        self.passed += status == PASSED
        self.failed += status == FAILED
        self.errors += status == ERROR
        self.not_run += status == NOT_RUN
        self.passes += result.passes if result else 0
        self.seconds += result.seconds if result else 0.0

    @property
    def complete(self):
        """Something ran, and all of it passed."""
        return 0 < self.tasks == self.passed


def count(work, store):
    """Of any part of the work."""
    total = Count()
    for one in work:
        for task in one.tasks:
            total.add(store.get(task.key))
    return total


def failure_lines(task, result):
    """One failure: what, how to see it again, and the wave."""
    lines = [f"{result.status.upper()} {task.design.name}: {task.title}: {result.message}",
             f"  again: {task.reproduction}"]
    wave = [f"  wave: {tools.shown(tools.ROOT / result.wave)}"] if result.wave else []
    return lines + wave


def summary_lines(work, store):
    """A row for every declared configuration, one for all drawn ones, and their sum."""
    groups = [(one.design.name, [one]) for one in work if not one.design.drawn]
    drawn = [one for one in work if one.design.drawn]
    if drawn:
        groups.append((f"{len(drawn)} random", drawn))
    rows = [("configuration", "runs", "passed", "failed", "errors", NOT_RUN, "passes", "seconds")]
    for name, part in [*groups, ("total", work)]:
        total = count(part, store)
        rows.append((name, str(total.tasks), str(total.passed), str(total.failed),
                     str(total.errors), str(total.not_run), str(total.passes),
                     f"{total.seconds:.0f}"))
    return text_table.lines(rows)


def write(suite, folder, work, store):
    """junit.xml, and results.json, which has no times: the same however often it was interrupted."""
    results = [(task, store.get(task.key)) for one in work for task in one.tasks]
    listed = [{"configuration": task.design.name, "run": task.title, "key": task.key,
               "status": result.status if result else NOT_RUN,
               "passes": result.passes if result else 0,
               "message": result.message if result else ""} for task, result in results]
    tools.write(folder / "results.json", json.dumps(listed, indent=1) + "\n")
    tools.write(folder / "junit.xml", junit(suite, work, store))


def junit(suite, work, store):
    """JUnit's XML: a testsuite for every configuration, a testcase for every run."""
    root = xml.Element("testsuites", _totals(f"regress {suite}", count(work, store)))
    for one in work:
        part = xml.SubElement(root, "testsuite", _totals(one.design.name, count([one], store)))
        for task in one.tasks:
            _case(part, task, store.get(task.key))
    xml.indent(root)
    return xml.tostring(root, encoding="unicode", xml_declaration=True) + "\n"


def _totals(name, total):
    return {"name": name, "tests": str(total.tasks), "failures": str(total.failed),
            "errors": str(total.errors), "skipped": str(total.not_run),
            "time": f"{total.seconds:.3f}"}


def _case(part, task, result):
    case = xml.SubElement(part, "testcase", {
        "classname": task.design.name, "name": task.title,
        "time": f"{result.seconds if result else 0.0:.3f}"})
    if result is None:
        xml.SubElement(case, "skipped", {"message": "not run yet"})
    elif result.status != PASSED:
        kind = "failure" if result.status == FAILED else "error"
        node = xml.SubElement(case, kind, {"message": _legal(result.message)})
        node.text = _legal("\n".join(failure_lines(task, result)))


def _legal(text):
    """Without the characters that XML does not know."""
    return re.sub(r"[^\t\n\r\x20-\ud7ff\ue000-\ufffd]", "?", text)
