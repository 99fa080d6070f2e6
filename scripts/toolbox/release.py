# SPDX-License-Identifier: Apache-2.0
"""The command line of scripts/release, and which version this is."""

import gzip
import io
import os
import pathlib
import re
import subprocess
import sys
import tarfile
import tempfile

from . import tools
from .errors import CheckError, UserError
from .program import Parser, run

_VERSION = re.compile(r'kGeneratorVersion = "(\d+\.\d+\.\d+)"')
_CHANGELOG = "CHANGELOG.md"


def version(root):
    """Of a source tree."""
    found = [text for path in sorted((root / "base").rglob("version.hpp"))
             for text in _VERSION.findall(path.read_text(encoding="utf-8"))]
    if len(found) != 1:
        raise CheckError(f"{root}: {len(found)} versions in base/, not one")
    return found[0]


def entry(root):
    """The changelog's newest version, and what is said of its date."""
    path = root / _CHANGELOG
    text = path.read_text(encoding="utf-8") if path.exists() else ""
    found = re.search(r"(?m)^## (\S+), (.+)$", text)
    return found.groups() if found else ("none", "none")


def _git(root, *arguments):
    done = subprocess.run([tools.find("git"), *arguments], cwd=root, stdin=subprocess.DEVNULL,
                          capture_output=True, check=False)
    if done.returncode != 0:
        said = done.stderr.decode(errors="replace").strip().splitlines() or ["failed"]
        raise UserError(root, f"git {arguments[0]}", said[-1], "a checkout of the repository")
    return done.stdout


def is_checkout(root):
    """Whether git knows this very folder."""
    return (root / ".git").exists()


def _check(root, dated):
    """Nothing but what is committed, and the changelog tells of it."""
    changed = _git(root, "status", "--porcelain").decode().splitlines()
    if changed:
        raise UserError(root, "file", changed[0][3:], "a checkout with everything committed")
    newest, date = entry(root)
    if newest != version(root):
        raise UserError(_CHANGELOG, "newest version", newest, f"{version(root)}, as in base/")
    if dated and not re.fullmatch(r"\d{4}-\d\d-\d\d", date):
        raise UserError(_CHANGELOG, f"date of {newest}", date, "YYYY-MM-DD")


def archive(root, dated=True):
    """Bytes of a .tar.gz of the last commit: the same for the same commit."""
    _check(root, dated)
    tar = _git(root, "-c", "tar.umask=0022", "archive", "--format=tar",
               f"--prefix=tensordash-{version(root)}/", "HEAD")
    return gzip.compress(tar, mtime=0)


def unpack(data, folder):
    """Puts an archive's tree into a folder; returns the tree."""
    with tarfile.open(fileobj=io.BytesIO(data), mode="r:gz") as tar:
        tar.extractall(folder)
    (tree,) = pathlib.Path(folder).iterdir()
    return tree


def _rehearse(root):
    with tempfile.TemporaryDirectory() as folder:
        tree = unpack(archive(root, dated=False), folder)
        return subprocess.run([tree / "scripts" / "test", "--quick"], check=False).returncode == 0


def _write(root):
    data = archive(root)
    path = tools.make_folder(tools.BUILD / "release") / f"tensordash-{version(root)}.tar.gz"
    temporary = path.with_name(f"{path.name}.{os.getpid()}.tmp")
    with tools.writing(path):
        try:
            temporary.write_bytes(data)
            temporary.replace(path)
        finally:
            temporary.unlink(missing_ok=True)
    print(f"{path}: {len(data)} bytes, SHA-256 {tools.file_digest(path)}")


def _run():
    parser = Parser("scripts/release", description="Writes build/release/tensordash-VERSION.tar.gz, "
                    "all files of the last commit: the same commit gives the same bytes. Refuses "
                    "changes that are not committed, and a version that CHANGELOG.md has no date of.")
    parser.add_argument("--check", action="store_true",
                        help="instead: unpack the archive elsewhere and run its own scripts/test "
                        "--quick; the date may be missing")
    if parser.parse_args().check:
        return _rehearse(tools.ROOT)
    return _write(tools.ROOT)


if __name__ == "__main__":
    sys.exit(run("release", _run))
