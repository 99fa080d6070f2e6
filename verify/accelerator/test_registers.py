# SPDX-License-Identifier: Apache-2.0
"""What is written from the accelerator's registers and descriptors is as described."""

import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
PROGRAM = [sys.executable, "-B", "-m", "toolbox.registers"]


def _run(root, *arguments):
    return subprocess.run([*PROGRAM, *arguments], cwd=root, capture_output=True, text=True,
                          env={"PYTHONPATH": str(root / "scripts")}, check=False)


class Written(unittest.TestCase):
    """The files of the tree, and what a change of them is answered with."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = pathlib.Path(folder.name)
        for name in ("hw", "sim/accelerator", "scripts/toolbox"):
            shutil.copytree(ROOT / name, self.root / name)
        (self.root / "docs").mkdir()
        shutil.copy(ROOT / "docs" / "registers.md", self.root / "docs")

    def _replace(self, name, old, new):
        path = self.root / name
        text = path.read_text(encoding="utf-8")
        self.assertIn(old, text)
        path.write_text(text.replace(old, new, 1), encoding="utf-8")

    def test_tree(self):
        """It is as described."""
        done = _run(ROOT, "--check")
        self.assertEqual((done.returncode, done.stderr), (0, ""))

    def test_each_file(self):
        """A change of any file that is written is found, and undone by writing."""
        for name, old in (("hw/control/td1_registers.v", "12'h020"),
                          ("hw/accelerator/tensordash.h", "0x020u"),
                          ("sim/accelerator/registers.hpp", "0x020"),
                          ("sim/accelerator/descriptor_fields.hpp", "{4, 0, 64}"),
                          ("hw/dma/td1_load.v", "AT_ROW = 192"),
                          ("hw/accelerator/td1_compute.v", "AT_CHUNK_ROWS = 32"),
                          ("hw/accelerator/td1_walk.v", "BITS_LEVEL = 96"),
                          ("docs/registers.md", "0x020")):
            self._replace(name, old, "0x7")
            done = _run(self.root, "--check")
            self.assertEqual(done.returncode, 1, name)
            self.assertIn(name, done.stderr)
            self.assertEqual(_run(self.root).returncode, 0)
            self.assertEqual(_run(self.root, "--check").returncode, 0)

    def test_description(self):
        """A change of a description is found."""
        for name, old, new in (("registers.toml", "offset = 0x030", "offset = 0x02c"),
                               ("descriptors.toml", 'at = "7.16"', 'at = "7.8"')):
            self._replace(f"hw/accelerator/{name}", old, new)
            done = _run(self.root, "--check")
            self.assertEqual(done.returncode, 2)
            self.assertEqual(len(done.stderr.splitlines()), 1)
            self.assertIn("is illegal; legal: ", done.stderr)
            shutil.copy(ROOT / "hw" / "accelerator" / name, self.root / "hw" / "accelerator")
        self._replace("hw/accelerator/registers.toml", "version = 1", "version = 2")
        self.assertEqual(_run(self.root, "--check").returncode, 1)

    def test_places(self):
        """Constants of fields: what nobody asks for, and what cannot be told, is refused."""
        load, transfer = "hw/dma/td1_load.v", "hw/dma/td1_transfer.v"
        for name, old, new, status in (
                (load, "// descriptors.toml, load: ", "// load: ", 1),
                (load, "load: side", "load: sides", 2),
                (load, "load: side", "load from word 5: side", 2),
                (transfer, "load store: address", "load store: side", 2)):
            self._replace(name, old, new)
            done = _run(self.root)
            self.assertEqual((done.returncode, len(done.stderr.splitlines())), (status, 1), new)
            shutil.copy(ROOT / name, self.root / name)

    def test_header(self):
        """The header for C is C99, and C++."""
        header = ROOT / "hw" / "accelerator" / "tensordash.h"
        for language in (("gcc", "-std=c99", "-x", "c"), ("g++", "-std=c++17", "-x", "c++")):
            subprocess.run([*language, "-Wall", "-Wextra", "-Wpedantic", "-Werror", "-fsyntax-only",
                            header], check=True)


if __name__ == "__main__":
    unittest.main()
