# SPDX-License-Identifier: Apache-2.0
"""The arrows of the house: who may use whom. hw, base ← gen ← sim ← packages of scripts ← verify ←
commands of scripts; inside, a library's link list and the tables below."""

import collections
import os
import re

# Who may use whom, by top folders, in C++ and CMake.
FOLDERS = {"base": {"base"}, "gen": {"base", "gen"}, "sim": {"base", "gen", "sim"},
           "verify": {"base", "gen", "sim", "verify"}}

# Headers of tests that others of verify use.
HEADERS = {"verify/bench": {"verify/unit"}, "verify/fuzz": {"verify/unit"},
           "verify/accelerator": {"verify/unit"}, "verify/capturing": {"verify/unit"},
           "verify/faults": {"verify/accelerator"},
           "verify/surroundings": {"verify/accelerator", "verify/unit"}}

# Who may import whom, in Python. Those of scripts come first; they know nothing of verify.
PACKAGES = {
    "scripts": {
        "toolbox": set(),
        "workflows": {"toolbox"},
        "netlists": {"toolbox", "workflows"},
        "flow": {"netlists", "toolbox", "workflows"},
        "fabric": {"netlists", "toolbox"},
        "exploring": {"flow", "netlists", "toolbox", "workflows"},
        "reporting": {"toolbox"},
        "tracing": {"toolbox"},
        "training": {"toolbox", "tracing"},
    },
    "verify": {
        "accelerator": {"toolbox"},
        "analysis": {"toolbox"},
        "capturing": {"tracing", "training"},
        "commands": {"toolbox"},
        "coverage": {"toolbox"},
        "documents": {"schema", "toolbox"},
        "evidence": {"documents", "toolbox"},
        "explore": set(),
        "gate": {"toolbox"},
        "integration": set(),
        "leaf": {"toolbox"},
        "measured": {"toolbox", "tracing", "training"},
        "lint": {"toolbox"},
        "injected": {"toolbox"},
        "fpga": {"fabric", "netlists", "toolbox"},
        "placement": {"netlists", "toolbox"},
        "ppa": {"flow", "netlists", "toolbox"},
        "regress": {"toolbox", "workflows"},
        "release": {"toolbox"},
        "pages": {"reporting", "toolbox"},
        "replay": {"toolbox"},
        "scale": {"toolbox", "workflows"},
        "schema": {"toolbox"},
        "surroundings": {"flow", "netlists", "toolbox"},
        "system": {"documents", "toolbox", "tracing"},
        "tile": {"toolbox"},
        "trained": {"training"},
        "fresh": {"documents", "toolbox"},
        "formal": {"netlists", "injected", "toolbox", "workflows"},
        "equivalence": {"netlists", "injected", "toolbox", "workflows"},
        "mutation": {"formal", "netlists", "regress", "toolbox", "workflows"},
        "faults": {"mutation", "injected", "toolbox"},
    },
}

# Judges that run commands of scripts: tests of these very commands, and few more.
COMMANDS = {
    "verify/commands": None,  # any: it is about them
    "verify/coverage": {"coverage", "replay"},
    "verify/documents": None,  # it asks all of them for their --help
    "verify/evidence": None,  # it lists them
    "verify/explore": {"explore"},
    "verify/fresh": None,  # it runs what documents show
    "verify/leaf": {"judge"},
    "verify/ppa": {"ppa"},
    "verify/replay": {"coverage", "replay"},
    "verify/scale": {"tdsim"},
    "verify/system": {"measure"},
}

MOST_FILES = 20  # source files of a folder, those of its subfolders aside
MOST_COMMANDS = 30  # of scripts/, where each is a file
MOST_LINES = 15  # of the README.md of a subject of verify
SOURCES = (".cpp", ".hpp", ".py", ".sh", ".v", ".sv", ".tcl", ".cmake")

_COMMENT = re.compile(r"#[^\n]*")
_CALL = re.compile(r"\b(add_library|add_executable|td_fuzz|target_link_libraries)\s*\(([^)]*)\)")
_INCLUDE = re.compile(r'^#include "([\w/]+)/[\w.]+"', re.M)
_IMPORT = re.compile(r"^[ \t]*(?:from ([a-z_]\w*)[\w.]* import|import ([a-z_]\w*))", re.M)
_COMMAND = re.compile(r'(?:\$root/scripts/|\.\./scripts/|ROOT / "scripts" / ")([a-z-]+)')


class _Targets:
    """Libraries and programs, by the CMakeLists.txt of the tree."""

    def __init__(self, files):
        self.home = {}  # target: folder of its CMakeLists.txt
        self.links = collections.defaultdict(set)
        self.of_folder = collections.defaultdict(set)
        for path, text in files.items():
            if path.endswith("CMakeLists.txt"):
                self._read(os.path.dirname(path), _COMMENT.sub("", text))

    def _read(self, folder, text):
        for call, arguments in _CALL.findall(text):
            words = arguments.split()
            if call == "target_link_libraries":
                self.links[words[0]].update(word for word in words[1:] if word.startswith("td_"))
                continue
            name = words[0]
            if call == "td_fuzz":
                name = f"fuzz_{name}"
                self.links[name].add("td_fuzz_target")
                self.of_folder[f"{folder}/targets"].add(name)
            self.home[name] = folder
            self.of_folder[folder].add(name)
            for word in words[1:]:
                if word.endswith(".cpp"):
                    place = os.path.normpath(os.path.join(folder, os.path.dirname(word)))
                    self.of_folder[place].add(name)

    def at(self, folder):
        """Targets that files of a folder belong to: its own, else those of the folder above."""
        while folder and folder not in self.of_folder:
            folder = os.path.dirname(folder)
        return self.of_folder.get(folder, set())

    def reach(self, targets):
        """All that these link, directly or not."""
        found, open_ = set(targets), list(targets)
        while open_:
            for target in self.links[open_.pop()] - found:
                found.add(target)
                open_.append(target)
        return found


def _top(path):
    return path.split("/")[0]


def _subject(path):
    return "/".join(path.split("/")[:2])


def _links(targets):
    for target, linked in sorted(targets.links.items()):
        for other in sorted(linked):
            home, others = targets.home.get(target), targets.home.get(other)
            if not home or not others:  # those of the top are everybody's
                continue
            if _top(others) not in FOLDERS[_top(home)]:
                yield f"{home}/CMakeLists.txt: {target} links {other} of {others}"
            if target in targets.reach({other}):
                yield f"{home}/CMakeLists.txt: {target} links {other}, which links {target}"


def _includes(files, targets):
    for path, text in sorted(files.items()):
        folder = os.path.dirname(path)
        if not path.endswith((".cpp", ".hpp")) or _top(path) not in FOLDERS:
            continue
        reach = targets.reach(targets.at(folder))
        for included in _INCLUDE.findall(text):
            here, there = _subject(folder), _subject(included)
            if _top(folder) == "verify" and there in {here} | HEADERS.get(here, set()):
                continue
            if included != folder and not targets.at(included) & reach:
                yield f"{path}: includes {included}, which its library does not link"


def _imports(files):
    known = {name for packages in PACKAGES.values() for name in packages}
    for path, text in sorted(files.items()):
        parts = path.split("/")
        if not path.endswith(".py") or parts[0] not in PACKAGES or len(parts) < 3:
            continue
        allowed = PACKAGES[parts[0]].get(parts[1])
        if allowed is None:
            yield f"{path}: {parts[1]} is in no table of verify/lint/arrows.py"
            continue
        for match in _IMPORT.finditer(text):
            name = match.group(1) or match.group(2)
            if name in known and name != parts[1] and name not in allowed:
                yield f"{path}: imports {name}, which {parts[1]} may not"


def circles(packages):
    """Lines about packages that {package: those it may import} lets import themselves."""
    for name in sorted(packages):
        found, open_ = set(), [name]
        while open_:
            more = packages.get(open_.pop(), set()) - found
            found |= more
            open_ += more
        if name in found:
            yield f"verify/lint/arrows.py: {name} may import itself, by others"


def _commands(files):
    for path, text in sorted(files.items()):
        if _top(path) != "verify" or not path.endswith((".py", ".sh")):
            continue
        allowed = COMMANDS.get(_subject(path), set())
        for command in _COMMAND.findall(text):
            if command != "toolbox" and allowed is not None and command not in allowed:
                yield f"{path}: runs scripts/{command}, which is not declared"


def _sizes(files):
    folders = collections.Counter(
        os.path.dirname(path) for path, text in files.items()
        if path.endswith(SOURCES) or text.startswith("#!"))
    for folder, count in sorted(folders.items()):
        most = MOST_COMMANDS if folder == "scripts" else MOST_FILES
        if count > most:
            yield f"{folder}: {count} source files, more than {most}"


def _readmes(files):
    for folder in sorted({_subject(path) for path in files
                          if path.startswith("verify/") and path.count("/") > 1}):
        readme = f"{folder}/README.md"
        if readme not in files:
            yield f"{folder}: has no README.md"
        elif (count := len(files[readme].splitlines())) > MOST_LINES:
            yield f"{readme}: {count} lines, more than {MOST_LINES}"


def faults(files):
    """Lines about what is not as declared, of a tree given as {path: text}."""
    targets = _Targets(files)
    return [*_links(targets), *_includes(files, targets), *_imports(files),
            *circles({**PACKAGES["scripts"], **PACKAGES["verify"]}), *_commands(files),
            *_sizes(files), *_readmes(files)]
