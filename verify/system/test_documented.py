#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Every key that a scenario may have stands in docs/system.md and in an example that is run, and the
table of pipeline depths there is what the plan answers. Which keys there are, tdjob says itself where it
refuses one that is none."""

import json
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
SCENARIOS = sorted((ROOT / "sim/system/scenarios").glob("*.toml"))
PROFILES = ROOT / "verify/system/reference/pipedream"
DOCUMENT = (ROOT / "docs/system.md").read_text(encoding="utf-8")
TDJOB = sys.argv.pop(1)

# In the table of a profile's keys instead of each kind's line.
PROFILE = {"profile", "snapshot", "batch", "profile_batch", "without_weights", "hardware"}
TASKS = """[graph]
kind = "tasks"
resources = [{ name = "d" }]
tasks = [{ name = "a", resource = "d", seconds = 1 }]
"""


def tdjob(*arguments):
    """Standard output and error."""
    done = subprocess.run([TDJOB, *map(str, arguments)], capture_output=True, text=True, check=False)
    return done.stdout, done.stderr


class Keys(unittest.TestCase):
    """Of [graph], [[transformation]] and [plan]."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.path = pathlib.Path(folder.name) / "s.toml"

    def refused(self, header, body):
        """What tdjob says of a scenario with this table."""
        self.path.write_text(f'name = "x"\n{TASKS if "trans" in header else ""}{header}\n{body}\n')
        return tdjob("plan" if "plan" in header else "compare", self.path)[1]

    def kinds(self, header):
        found = re.search(r"legal: one of (.*)", self.refused(header, 'kind = "none"'))
        return found[1].split(", ")

    def known(self, header, kind):
        """All keys; some are known only beside others."""
        keys, others = set(), [""]
        # What is only read once files are there: the scenarios themselves have them.
        table = header.strip("[]")
        examples = [path.read_text() for path in SCENARIOS if f'kind = "{kind}"' in path.read_text()]
        for text in examples:
            text = text.replace('"../../..', f'"{ROOT}').replace(f'kind = "{kind}"', f'none = 1\nkind = "{kind}"', 1)
            self.path.write_text(text)
            keys |= self.named(tdjob("plan" if table == "plan" else "compare", self.path)[1])
        while others:
            found = self.named(self.refused(header, f'kind = "{kind}"\nnone = 1\n{others.pop()}'))
            others += [f'{key} = "x"' for key in found - keys]
            keys |= found
        return keys - {"kind"}

    @staticmethod
    def named(error):
        found = re.search(r"none = 1 is illegal; legal: no such key; (?:did you mean \w+\? )?known: (.*)", error)
        return set(found[1].split(", ")) if found else set()

    def test_each(self):
        checked = 0
        for header in ("[graph]", "[[transformation]]", "[plan]"):
            for kind in self.kinds(header):
                rows = [line for line in DOCUMENT.splitlines() if line.startswith(f"| `{kind}` |")]
                # "as `other`" has that one's keys, too.
                rows += [line for line in DOCUMENT.splitlines() for other in re.findall(r"as `(\w+)`", "".join(rows))
                         if line.startswith(f"| `{other}` |")]
                examples = [path.read_text() for path in SCENARIOS if f'kind = "{kind}"' in path.read_text()]
                keys = self.known(header, kind)
                self.assertTrue(rows and examples and (keys or kind == "fused_updates"), kind)
                for key in sorted(keys - PROFILE):
                    with self.subTest(kind=kind, key=key):
                        self.assertTrue(any(f"`{key}`" in row for row in rows), "not in docs/system.md")
                        self.assertTrue(any(re.search(rf"(?m)(^|[{{,] *){key} = ", text) for text in examples),
                                        "in no scenario")
                        checked += 1
        self.assertGreater(checked, 100)

    def test_profile(self):
        everywhere = DOCUMENT + "".join(path.read_text() for path in SCENARIOS)
        for key in PROFILE:
            with self.subTest(key=key):
                self.assertIn(f"`{key}`", DOCUMENT)
                self.assertTrue(re.search(rf"(?m)(^|[{{,] *){key} = |--set \w+\.{key}=", everywhere), "no example")

    def test_scenarios_are_documented_kinds(self):
        for path in SCENARIOS:
            for kind in re.findall(r'(?m)^kind = "(\w+)"', path.read_text()):
                self.assertIn(f"| `{kind}` |", DOCUMENT, path.name)


class Depths(unittest.TestCase):
    """The table of how deep a pipeline is, in ms."""

    def test_table(self):
        rows = re.findall(r"(?m)^\| `(\w+)` \| ([-\d]+) \|((?: [\d.]+ \|){4})$", DOCUMENT)
        self.assertEqual(len(rows), 4)
        for network, stages, numbers in rows:
            for depth, place in ((1, 1), (2, 2)):
                out, error = tdjob("plan", ROOT / "sim/system/scenarios/partition.toml", "--profile",
                                   PROFILES / f"profile_{network}.json", "--set", f"plan.in_flight={depth}",
                                   "--set", "plan.memory_gb=1e6", "--json")
                self.assertEqual(error, "")
                plan = json.loads(out)
                shown = [text.strip() for text in numbers.split("|")[:4]]
                with self.subTest(network=network, depth=depth):
                    self.assertEqual(plan["replicas_of_stages"], stages)
                    for name, at in (("bound", 0), ("pipeline", place), ("data_parallel", 3)):
                        self.assertEqual(f"{1000 * plan[f'{name}_s_per_minibatch']:.1f}", shown[at])


if __name__ == "__main__":
    unittest.main()
