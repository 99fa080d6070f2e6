# SPDX-License-Identifier: Apache-2.0
"""What is written from the accelerator's registers and descriptors is as described, and so is what
hosts pack with hw/accelerator/tensordash_pack.h."""

import pathlib
import random
import re
import shutil
import subprocess
import sys
import tempfile
import tomllib
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
                          ("hw/accelerator/tensordash.rdl", "0x020"),
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

    def test_rdl(self):
        """SystemRDL, read by rules of its own, says of each register what its description does."""
        written = (ROOT / "hw/accelerator/tensordash.rdl").read_text(encoding="utf-8")
        found = {}
        for body, name, offset in re.findall(r"  reg \{(.*?)\n  \} (\w+) @ (0x[0-9a-f]+);", written, re.S):
            fields = re.findall(r"field \{[^\n]*?sw = (\w+);([^\n]*?)\} (\w+)\[([^:]+):(\d+)\];", body)
            self.assertEqual(len(fields), body.count("field {"), name)
            found[name] = (int(offset, 16), [
                (field, software, "woclr" in more, high, low,
                 int(*re.findall(r"reset = (\w+);", more), 0) if "reset" in more else None)
                for software, more, field, high, low in fields])
        described = tomllib.loads((ROOT / "hw/accelerator/registers.toml").read_text(encoding="utf-8"))
        software = {"constant": "r", "read": "r", "store": "rw", "clear": "rw", "command": "w"}
        reset = {"store": 0, "clear": 0}
        wanted = {}
        for one in described["register"]:
            halves = {"": 0} if one.get("bits", 32) == 32 else {"_LOW": 0, "_HIGH": 4}
            for half, behind in halves.items():
                high = "ADDRESS_WIDTH - 33" if one.get("address") and behind else "31"
                fields = [(field["name"], field.get("access", one["access"]),
                           str(field["bit"] + field["bits"] - 1), str(field["bit"]))
                          for field in one.get("fields", [])] or [("value", one["access"], high, "0")]
                wanted[one["name"] + half] = (one["offset"] + behind, [
                    (name, software[access], access == "clear", high, low,
                     one.get("value", reset.get(access)))
                    for name, access, high, low in fields])
        self.assertEqual(found, wanted)
        self.assertEqual(list(found), list(wanted))
        errors = re.findall(r"^    (\w+) = 4'd(\d+) ", written, re.M)
        self.assertEqual(errors, [(error["name"].upper(), str(error["code"])) for error in described["error"]])

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
        """The headers for C are C99, and C++."""
        for name in ("tensordash.h", "tensordash_pack.h"):
            header = ROOT / "hw" / "accelerator" / name
            for language in (("gcc", "-std=c99", "-x", "c"), ("g++", "-std=c++17", "-x", "c++")):
                subprocess.run([*language, "-Wall", "-Wextra", "-Wpedantic", "-Werror",
                                "-fsyntax-only", header], check=True)


def _packed(tensor, lanes, width, beat_rows):
    """(rows of a packed block, the blocks), element by element."""
    size, row = width // 8, lanes * width // 8
    blocks, most = b"", 0
    for begin in range(0, len(tensor), 64 * row):
        block = tensor[begin:begin + 64 * row]
        elements = [block[i:i + size] for i in range(0, len(block), size)]
        kept = [element for element in elements if any(element)]
        ones = sum(1 << i for i, element in enumerate(elements) if any(element))
        text = ones.to_bytes(8 * lanes, "little") + b"".join(kept)
        blocks += text.ljust(64 * row, b"\0")[:64 * row]
        most = max(most, len(kept))
    rows = 64 // width + -(-most // lanes)
    rows = -(-rows // beat_rows) * beat_rows
    return (rows if rows < 64 else 0), blocks


class Packed(unittest.TestCase):
    """Tensors that are packed in C."""

    def test_blocks(self):
        """Of random tensors, rows and bytes are as described."""
        with tempfile.TemporaryDirectory() as folder:
            program = pathlib.Path(folder) / "packed_tensor"
            subprocess.run(["gcc", "-std=c99", "-Wall", "-Wextra", "-Wpedantic", "-Werror", "-I", ROOT,
                            ROOT / "verify" / "accelerator" / "packed_tensor.c", "-o", program],
                           check=True)
            draw, shorter = random.Random(3), 0
            for _ in range(60):
                lanes, width = 1 << draw.randint(1, 5), draw.choice((16, 32))
                rows, beat_rows = draw.randint(1, 200), draw.choice((1, 2))
                share, size = draw.random(), width // 8
                tensor = b"".join(draw.randbytes(size) if draw.random() < share else bytes(size)
                                  for _ in range(rows * lanes))
                packed, blocks = _packed(tensor, lanes, width, beat_rows)
                sizes = [str(word) for word in (rows, lanes, width, beat_rows)]
                done = subprocess.run([program, *sizes], input=tensor, capture_output=True,
                                      check=True).stdout
                self.assertEqual(done.split(b"\n", 1)[0], str(packed).encode())
                if packed:
                    shorter += 1
                    self.assertEqual(done.split(b"\n", 1)[1], blocks)
            self.assertGreater(shorter, 30)


if __name__ == "__main__":
    unittest.main()
