#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""The version is the same wherever it is said, and an archive of it holds what is committed."""

import json
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

sys.dont_write_bytecode = True
ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "scripts"))

from toolbox import release, tools  # noqa: E402
from toolbox.errors import CheckError, UserError  # noqa: E402

PROGRAMS = ("tdgen", "tdsim", "tdjob", "tdgate")
HEADER = 'inline constexpr std::string_view kGeneratorVersion = "1.2.3";\n'


def git(folder, *arguments):
    """Runs git as somebody, whatever the machine's settings."""
    subprocess.run(["git", "-c", "user.name=a", "-c", "user.email=a@example.org", *arguments],
                   cwd=folder, check=True, stdout=subprocess.DEVNULL)


class Version(unittest.TestCase):
    """Of this tree."""

    def test_programs_and_files_agree(self):
        version = release.version(ROOT)
        for program in PROGRAMS:
            said = subprocess.run([tools.BUILD / program, "--version"], stdout=subprocess.PIPE,
                                  text=True, check=True).stdout
            self.assertEqual(said, f"{program} {version}\n")
        self.assertEqual(release.entry(ROOT)[0], version)
        with tempfile.TemporaryDirectory() as name:
            folder = pathlib.Path(name)
            subprocess.run([tools.TDGEN, "--config", "tiny", "--out", folder], check=True,
                           stdout=subprocess.DEVNULL)
            self.assertEqual(json.loads((folder / "tiny.json").read_text())["generator"],
                             f"tdgen {version}")
            self.assertIn(f"tdgen {version}", (folder / "tiny_tile.v").read_text())
            self.assertIn(version, (folder / "tiny.core").read_text())

    def test_no_other_file_says_it(self):
        """What CMake or a script says of its own would go another way one day."""
        self.assertNotRegex((ROOT / "CMakeLists.txt").read_text(), r"project\([^)]*VERSION")

    def test_archive_of_this_commit(self):
        if not release.is_checkout(ROOT):
            print("no checkout: the archive of this commit is not looked at")
            return
        with tempfile.TemporaryDirectory() as folder:
            # As committed, whatever is being worked on.
            clone = pathlib.Path(folder) / "clone"
            subprocess.run(["git", "clone", "-q", "--shared", ROOT, clone], check=True)
            data = release.archive(clone, dated=False)
            tree = release.unpack(data, pathlib.Path(folder) / "unpacked")
            listed = subprocess.run(["git", "ls-tree", "-r", "--name-only", "-z", "HEAD"], cwd=clone,
                                    stdout=subprocess.PIPE, text=True, check=True).stdout
            found = {str(path.relative_to(tree)) for path in tree.rglob("*") if path.is_file()}
            self.assertEqual(found, set(listed.split("\0")) - {""})
            self.assertEqual(release.version(tree), release.version(clone))


class Refused(unittest.TestCase):
    """A small repository, and what is wrong with it."""

    def setUp(self):
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        self.root = pathlib.Path(temporary.name)
        (self.root / "base").mkdir()
        (self.root / "base" / "version.hpp").write_text(HEADER)
        (self.root / "CHANGELOG.md").write_text("# Changes\n\n## 1.2.3, 2026-01-31\n")
        git(self.root, "init", "-q")
        self.commit()

    def commit(self):
        git(self.root, "add", "-A")
        git(self.root, "commit", "-q", "-m", "all")

    def refused(self, said):
        with self.assertRaisesRegex(UserError, re.escape(said)):
            release.archive(self.root)

    def test_sound(self):
        data = release.archive(self.root)
        self.assertEqual(data, release.archive(self.root))
        self.assertEqual(data[4:8], bytes(4))  # when it was compressed

    def test_what_is_not_committed(self):
        path = self.root / "new.txt"
        path.write_text("1\n")
        self.refused("file = new.txt is illegal")
        self.commit()
        release.archive(self.root)
        path.write_text("2\n")
        self.refused("file = new.txt is illegal")

    def test_changelog(self):
        for heading, said in (("## 1.2.2, 2026-01-31", "newest version = 1.2.2"),
                              ("## 1.2.3, not released", "date of 1.2.3 = not released"),
                              ("nothing", "newest version = none")):
            (self.root / "CHANGELOG.md").write_text(f"{heading}\n")
            self.commit()
            self.refused(said)

    def test_two_versions(self):
        (self.root / "base" / "more").mkdir()
        (self.root / "base" / "more" / "version.hpp").write_text(HEADER)
        self.commit()
        with self.assertRaisesRegex(CheckError, "2 versions"):
            release.archive(self.root)

    def test_no_checkout(self):
        with tempfile.TemporaryDirectory() as folder, self.assertRaisesRegex(UserError, "git status"):
            release.archive(pathlib.Path(folder))


if __name__ == "__main__":
    unittest.main()
