#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The schema of configurations and tdgen's reader say the same.

usage: test_schema.py TDGEN"""

import copy
import functools
import pathlib
import subprocess
import sys
import tempfile
import tomllib
import unittest

import jsonschema

sys.dont_write_bytecode = True
ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "scripts"), str(ROOT / "verify")]

from schema import cases, rules  # noqa: E402
from toolbox import schema as toolbox_schema  # noqa: E402

TDGEN = None
KEPT = ("presets", "verify/configs", "verify/coverage/configs", "verify/regress/configs",
        "verify/formal")
CORPUS = ROOT / "verify/fuzz/corpus/config"


@functools.lru_cache(maxsize=None)
def said(text):
    """tdgen's exit status and message on a configuration."""
    with tempfile.NamedTemporaryFile("w", suffix=".toml", encoding="utf-8") as file:
        file.write(text)
        file.flush()
        done = subprocess.run([TDGEN, "--config", file.name, "--hash"], capture_output=True,
                              text=True, check=False)
        return done.returncode, done.stderr.replace(file.name, "FILE")


@functools.lru_cache(maxsize=None)
def read(text):
    """What Python's reader of TOML makes of it."""
    return tomllib.loads(text)


def accepts(document, text):
    """Whether the schema does."""
    return jsonschema.Draft202012Validator(document).is_valid(read(text))


def difference(document, tried):
    """The first case of which the schema and tdgen say different things; None without one."""
    validator = jsonschema.Draft202012Validator(document)
    return next((case for case in tried
                 if validator.is_valid(read(case.text)) != (said(case.text)[0] == 0)), None)


def injects(document):
    """(path, what, the document with one change) for each bound, choice and table."""
    def changed(path, change):
        spoilt = copy.deepcopy(document)
        place = spoilt
        for key in path.split(".") if path else ():
            place = place["properties"][key]
        change(place)
        return spoilt

    for path, value in toolbox_schema.flat(document).items():
        for word, by in (("minimum", -1), ("minimum", 1), ("maximum", -1), ("maximum", 1)):
            if word in value:
                yield path, f"{word} {by:+d}", changed(
                    path, lambda place: place.update({word: place[word] + by}))
        for word in ("type", "enum", "pattern", "not", "oneOf", "items"):
            # Of a name, "not" refuses all that is no text.
            if word in value and (path, word) != ("name", "type"):
                yield path, f"no {word}", changed(path, lambda place: place.pop(word))
        if "enum" in value:
            yield path, "a choice less", changed(path, lambda place: place["enum"].pop())
            yield path, "a choice more", changed(
                path, lambda place: place["enum"].append(place["enum"][0] + "x"))
        yield path, "no such parameter", _without(document, path)
    for path in cases.tables(document):
        yield path, "any key", changed(path, lambda place: place.pop("additionalProperties"))
        if path:  # a file is a table
            yield path, "any type", changed(path, lambda place: place.pop("type"))


def _without(document, path):
    spoilt = copy.deepcopy(document)
    *outer, key = path.split(".")
    place = spoilt
    for one in outer:
        place = place["properties"][one]
    del place["properties"][key]
    return spoilt


class Schema(unittest.TestCase):
    """Same verdicts, on every file."""

    @classmethod
    def setUpClass(cls):
        cls.document = toolbox_schema.document(TDGEN)
        cls.cases = cases.make(cls.document, toolbox_schema.flat(cls.document))

    def test_is_a_schema(self):
        jsonschema.Draft202012Validator.check_schema(self.document)
        self.assertEqual(self.document["$schema"],
                         jsonschema.Draft202012Validator.META_SCHEMA["$id"])

    def test_cases(self):
        good = 0
        for case in self.cases:
            with self.subTest(case.text):
                status, message = said(case.text)
                good += status == 0
                self.assertEqual(accepts(self.document, case.text), status == 0, message)
                self.assertIn(status, (0, 2))
                self.assertEqual(message.count("\n"), 1 if status else 0)
        self.assertGreater(good, 80)
        self.assertGreater(len(self.cases) - good, 400)

    def test_kept_files(self):
        files = [file for folder in KEPT for file in sorted((ROOT / folder).glob("*.toml"))
                 if "name = " in file.read_text(encoding="utf-8")]
        self.assertGreater(len(files), 20)
        for file in files:
            text = file.read_text(encoding="utf-8")
            self.assertTrue(accepts(self.document, text), file)
            self.assertEqual(said(text)[0], 0, file)

    def test_rules_are_tdgens_alone(self):
        for rule, text, message in rules.RULES:
            with self.subTest(rule):
                self.assertTrue(accepts(self.document, cases.NAME + text))
                status, line = said(cases.NAME + text)
                self.assertEqual(status, 2)
                self.assertEqual(line.count("\n"), 1)
                self.assertIn(message, line)

    def test_corpus(self):
        """Where they differ on the fuzzer's files, it is by one of the rules."""
        tried = 0
        for file in sorted(CORPUS.iterdir()):
            text = file.read_bytes().decode(errors="replace")
            status, line = said(text)
            # No TOML; some of it takes Python's reader gigabytes.
            if line.startswith("FILE: line "):
                continue
            try:
                read(text)
            except tomllib.TOMLDecodeError:
                continue
            tried += 1
            if accepts(self.document, text) != (status == 0):
                self.assertNotEqual(status, 0, file)
                self.assertTrue(any(message in line for _, _, message in rules.RULES)
                                or ".0 is illegal" in line, f"{file}: {line}")
        self.assertGreater(tried, 50)

    def test_changes_are_seen(self):
        """Every change of the schema alone makes a difference on some file."""
        count = 0
        for path, what, spoilt in injects(self.document):
            count += 1
            tried = [case for case in self.cases if case.path == path]
            with self.subTest(f"{path}: {what}"):
                self.assertIsNotNone(difference(spoilt, tried))
        self.assertGreater(count, 100)


if __name__ == "__main__":
    if len(sys.argv) < 2:
        sys.exit("test_schema.py: usage: test_schema.py TDGEN")
    TDGEN = pathlib.Path(sys.argv.pop(1)).resolve()
    unittest.main()
