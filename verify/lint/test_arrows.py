# SPDX-License-Identifier: Apache-2.0
"""The house is as it is drawn, and a wrong arrow of each kind is seen."""

import pathlib
import sys
import unittest

sys.dont_write_bytecode = True
ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "scripts"), str(ROOT / "verify")]

from lint import arrows  # noqa: E402
from toolbox import tools  # noqa: E402


def tree():
    """{path: text} of the sources; traces and the corpus of the fuzzers have no text."""
    files = {}
    for path in tools.sources("base", "gen", "hw", "sim", "scripts", "verify"):
        data = path.endswith((".safetensors", ".pyc")) or "/corpus/" in path
        files[path] = "" if data else (ROOT / path).read_text(encoding="utf-8")
    return files


class Arrows(unittest.TestCase):
    """Of the tree, and of the tree with one thing injected."""

    @classmethod
    def setUpClass(cls):
        cls.files = tree()

    def injected(self, path, text):
        """The only line about the tree with text at the end of one file."""
        self.assertIn(path, self.files)
        found = arrows.faults({**self.files, path: self.files[path] + text})
        self.assertEqual(len(found), 1, found)
        return found[0]

    def test_house(self):
        self.assertGreater(len(self.files), 400)
        self.assertEqual(arrows.faults(self.files), [])

    def test_include(self):
        for path, header in (("sim/model/tile.cpp", "sim/network/network.hpp"),
                             ("base/support/error.cpp", "base/configuration/config.hpp"),
                             ("sim/replay/scoreboard.cpp", "verify/replay/bench.hpp")):
            self.assertRegex(self.injected(path, f'\n#include "{header}"\n'), f"^{path}: includes ")

    def test_link(self):
        for room, other in (("base/support", "td_model"), ("sim/model", "td_plain"),
                            ("sim/mapping", "td_cycles")):
            target = f"td_{room.split('/')[1]}"
            path = f"{room}/CMakeLists.txt"
            text = f"\ntarget_link_libraries({target} PRIVATE {other})\n"
            found = arrows.faults({**self.files, path: self.files[path] + text})
            self.assertTrue(any(line.startswith(f"{path}: {target} links {other}")
                                for line in found), found)

    def test_import(self):
        for path, text in (("scripts/flow/area.py", "\nfrom formal import library\n"),
                           ("scripts/toolbox/errors.py", "\nimport flow\n"),
                           ("verify/formal/pdr.py", "\nfrom mutation import lexer\n")):
            self.assertRegex(self.injected(path, text), f"^{path}: imports ")

    def test_circle_of_packages(self):
        self.assertEqual(list(arrows.circles({"a": {"b"}, "b": {"c"}, "c": set()})), [])
        self.assertEqual(list(arrows.circles({"a": {"b"}, "b": {"c"}, "c": {"a"}})),
                         [f"verify/lint/arrows.py: {name} may import itself, by others"
                          for name in "abc"])

    def test_command(self):
        line = self.injected("verify/faults/faults.sh", '\n"$root/scripts/' + 'bench"\n')
        self.assertEqual(line, "verify/faults/faults.sh: runs scripts/bench, which is not declared")

    def test_size(self):
        more = {f"sim/model/more{i}.hpp": "" for i in range(arrows.MOST_FILES)}
        found = arrows.faults({**self.files, **more})
        self.assertEqual(len(found), 1, found)
        self.assertRegex(found[0], "^sim/model: [0-9]+ source files, more than 20$")

    def test_readme(self):
        for folder in ("verify/leaf", "verify/traces"):
            path = f"{folder}/README.md"
            files = dict(self.files)
            del files[path]
            self.assertEqual(arrows.faults(files), [f"{folder}: has no README.md"])
            files[path] = "A line.\n" * (arrows.MOST_LINES + 1)
            self.assertEqual(arrows.faults(files), [f"{path}: 16 lines, more than 15"])


if __name__ == "__main__":
    unittest.main()
