# SPDX-License-Identifier: Apache-2.0
"""Two texts of RTL: an emitted design beside an earlier one of the same configuration.

Each module whose elaborated text differs has a proof. Both sides start with all registers at 0 and
see any inputs; what a select out of range gives is 0. ABC finds signals that are always equal, by
induction (scorr), whatever registers are called, until nothing is left of the difference. Modules
inside that both texts have are cut out, as in netlists.py: that their inputs are equal is proved,
their outputs are anything. Those that one text alone has are dissolved in what is around them; where
a proof fails, others are, too, one kind at a time and then all: they may be connected in another
order."""

import dataclasses
import json
import pathlib
import re

from netlists import rtlil, store, synthesis
from toolbox import tools
from toolbox.errors import TimeLimit, UserError

from . import netlists, prove

KIND = "texts"
SAME, PROVED, DISSOLVED, DIFFERENT, OPEN = (
    "same text", "proved", "in what is around it", "DIFFERENT", "open")
_SUFFIXES = ("_tile", "_accelerator")
_NAMED = re.compile(r"(?m)^(module \\|  cell \\)(\w+)(?=[ \n])")
_LIMIT_S = 300      # of processor time for a proof
_CLOCKS = 32        # that are searched for a difference when no proof is found

_SIDE = """\
read_rtlil {side}.il
hierarchy -check -top {name}
flatten
memory_map
{cut}
async2sync
dffunmap
setundef -undriven -init -zero
opt_clean
rename {name} {side}
write_rtlil {side}_flat.il
"""
_MITER = """\
read_rtlil old_flat.il
read_rtlil new_flat.il
miter -equiv -flatten old new miter
hierarchy -check -top miter
techmap
setundef -zero
dffunmap
aigmap
opt_clean
write_aiger miter.aig
"""


@dataclasses.dataclass(frozen=True)
class _Text:
    """An emitted design in a folder."""

    folder: pathlib.Path
    name: str
    top: str
    generation = "td1"

    @property
    def manifest(self):
        """What names its modules have."""
        return self

    def block(self, module):
        """The block that a module is; the top is one, too."""
        return "top" if module == self.top else module.removeprefix(f"{self.generation}_")

    @property
    def files(self):
        """Verilog files."""
        return sorted(self.folder.glob("*.v"))


@dataclasses.dataclass(frozen=True)
class Result:
    """One module."""

    block: str
    parameters: str
    verdict: str
    said: str = ""       # where the first difference is, or why there is no proof

    @property
    def passed(self):
        """Whether both are equal for certain."""
        return self.verdict in (SAME, PROVED, DISSOLVED)


def _text(folder):
    tops = [path.stem for path in folder.glob("*.v") if path.stem.endswith(_SUFFIXES)
            and (folder / f"{path.stem.rsplit('_', 1)[0]}.toml").exists()]
    if len(tops) != 1:
        raise UserError("command line", "--against", folder,
                        "a folder that tdgen --out has written a tile or an accelerator into")
    return _Text(folder.resolve(), tops[0].rsplit("_", 1)[0], tops[0])


def _emitted_now(old):
    folder = tools.make_folder(tools.BUILD / KIND / old.top)
    for path in folder.iterdir():
        path.unlink()
    whole = ["--accelerator"] if old.top.endswith("_accelerator") else []
    tools.answer(tools.TDGEN, "--config", old.folder / f"{old.name}.toml", *whole, "--out", folder)
    return _Text(folder, old.name, old.top)


@dataclasses.dataclass(frozen=True)
class _Way:
    """One way to prove a module: both its sources, and the modules inside that are cut out."""

    sources: tuple
    cut: tuple


class _Job:
    """The proof of one module, by the first way that leads to one."""

    def __init__(self, name, ways):
        self.name, self.ways = name, ways
        self.key = tools.digest(synthesis.versions(), *(text for way in ways for text in way.sources),
                                pathlib.Path(__file__).read_text(encoding="utf-8"))

    def _verdict(self, way, folder, runner):
        cut = "".join(f"expose -evert t:{child}\n" for child in way.cut)
        for side, source in zip(("old", "new"), way.sources):
            (folder / f"{side}.il").write_text(source, encoding="utf-8")
            (folder / f"{side}.ys").write_text(_SIDE.format(side=side, name=self.name, cut=cut))
            runner.run(["yosys", "-q", f"{side}.ys"], folder / f"{side}.txt", folder)
        (folder / "miter.ys").write_text(_MITER)
        log = folder / "miter.txt"
        try:
            status = runner.status(["yosys", "-q", "miter.ys"], log, folder, _LIMIT_S)
        except TimeLimit:
            return OPEN, "both sides are too large together"
        if status != 0:
            return DIFFERENT, log.read_text(encoding="utf-8").strip().splitlines()[-1]
        prove.said(folder, runner, "prove.txt",
                   "read miter.aig; strash; ssweep; scorr; write_aiger left.aig", _LIMIT_S)
        left = folder / "left.aig"
        if not left.exists():
            return OPEN, "the proof does not end"
        head, _, rest = left.read_bytes().partition(b"\n")
        if head.endswith(b" 0 1 0") and rest.startswith(b"0\n"):
            return PROVED, ""
        found = prove.said(folder, runner, "search.txt",
                           f"read miter.aig; bmc3 -F {_CLOCKS} -T {_LIMIT_S}", _LIMIT_S)
        asserted = [line for line in found.splitlines() if "was asserted in frame" in line]
        if asserted:
            return DIFFERENT, f"in clock {asserted[0].split('frame')[1].split('.')[0].strip()}"
        return OPEN, f"no difference in {_CLOCKS} clocks"

    def work(self, folder, runner):
        """Writes result.json, and all that leads to it: what the first way says, or a proof."""
        found = None
        for number, way in enumerate(self.ways):
            verdict = self._verdict(way, tools.make_folder(folder / str(number)), runner)
            found = verdict if found is None or verdict[0] == PROVED else found
            if found[0] == PROVED:
                break
        (folder / "result.json").write_text(json.dumps(found))


def _source(name, modules, known):
    """The module, with those inside it: as black boxes where both texts have them, else as they are.
    Names of the black boxes."""
    stubs, texts, left = {}, {}, [name]
    while left:
        module = modules[left.pop()]
        texts[module.name] = module.text
        for child in module.children:
            if child in known:
                stubs[child] = modules[child].stub
            elif child not in texts:
                left.append(child)
    return "".join([*stubs.values(), *texts.values()]), stubs.keys()


def _ways(name, old, new, known):
    def way(dissolved):
        sources, cut = zip(*(_source(name, side, known - dissolved) for side in (old, new)))
        return _Way(sources, tuple(sorted(set().union(*cut))))

    first = way(set())
    if not first.cut:
        return [first]
    return [first, *(way({child}) for child in first.cut), way(known)]


def _paired(old, new):
    """Names of modules of the new text -> of the old one: the same block with the same parameters
    and ports."""
    def key(module):
        ports = tuple(line for line in module.stub.splitlines() if line.startswith("  wire"))
        return rtlil.block_of(module.name), str(sorted(module.parameters.items())), ports

    by_key = {key(module): module.name for module in old.values()}
    return {name: by_key[key(module)] for name, module in new.items() if key(module) in by_key}


def _renamed(modules, names):
    """Modules whose names are others, names: old -> new; those that are in none keep theirs."""
    def other(text):
        return _NAMED.sub(lambda found: found[1] + names.get(found[2], found[2]), text)

    return {names.get(name, name): dataclasses.replace(
        module, name=names.get(name, name), text=other(module.text), stub=other(module.stub),
        children=tuple(names.get(child, child) for child in module.children))
        for name, module in modules.items()}


def compare(folder, runner):
    """(what is compared, Results of all modules of the text that tdgen writes now, modules that
    only the earlier text has). folder: the earlier one's."""
    before = _text(pathlib.Path(folder))
    now = _emitted_now(before)
    old, new = (synthesis.elaborate(text, runner) for text in (before, now))
    pairs = _paired(old, new)
    only_old = sorted(set(old) - set(pairs.values()))
    old = _renamed(old, {was: f"{was}__old" for was in only_old} | {
        was: name for name, was in pairs.items()})
    jobs, results = {}, []
    for name, module in new.items():
        told = (rtlil.block_of(name), netlists.told(new, name))
        if name not in pairs:
            results.append((told, DISSOLVED))
        elif old[name].text == module.text:
            results.append((told, SAME))
        else:
            jobs[name] = _Job(name, _ways(name, old, new, set(pairs)))
            results.append((told, jobs[name]))
    folders = store.run(KIND, jobs.values(), runner, "proofs")
    return now.top, [_result(*one, folders) for one in results], only_old


def _result(told, found, folders):
    if found in (SAME, DISSOLVED):
        return Result(*told, found)
    return Result(*told, *json.loads((folders[found.key] / "result.json").read_text()))
