# SPDX-License-Identifier: Apache-2.0
"""Yosys as a judge: models of designs with their properties, and proofs about them.

Models and verdicts lie in build/proofs, named by all that they depend on: the Verilog, the
property, the method and the tools. What is there is not done again.
"""

import json
import time

from netlists import store
from toolbox import tools
from toolbox.errors import CheckError, TimeLimit

from . import pdr, replay
from .proof import PROVED, REFUTED, UNFINISHED, Verdict

FOLDER = tools.BUILD / "proofs"
MODELS = FOLDER / "models"
VERDICTS = FOLDER / "verdicts"
SOLVER_WAVE = "solver.vcd"
WAVE = "wave.vcd"

# What design and property compute alike is shared, their registers are not: those may differ. A
# register of the design that nothing sets, as a fault may make one, is 0; lint finds none.
_READ = """\
read_verilog -sv {files}
hierarchy -check -top proof
proc
memory_collect
memory_map
setundef -undriven -zero * proof %d
flatten
tee -q -o registers.txt select -list t:*dff* %co1:+[Q] w:* %i
async2sync
opt_expr
opt_merge * t:*dff* %d
opt_clean
check -assert
tee -q -o inputs.txt select -list i:*
write_rtlil model.il
"""


class Model:
    """A design beside its properties, as one flat module."""

    def __init__(self, proof):
        paths = [proof.design.file(block) for block in proof.blocks]
        self._files = {path.name: path.read_text(encoding="utf-8") for path in paths}
        self._files["proof.v"] = proof.text
        self._script = _READ.format(files=" ".join(self._files))
        self.key = tools.digest(tools.version("yosys"), self._script,
                                *(part for item in self._files.items() for part in item))
        self.folder = MODELS / self.key
        self.size = sum(map(len, self._files.values()))

    def names(self):
        """Inputs and registers of the module `proof`, as paths in the source."""
        return {what: [line.partition("/")[2] for line in
                       (self.folder / f"{what}.txt").read_text(encoding="utf-8").splitlines()]
                for what in ("inputs", "registers")}

    def files(self):
        """Paths of all its Verilog."""
        return [self.folder / name for name in self._files]

    def build(self, runner):
        """Makes it unless it is there."""
        store.into(MODELS, self.key, lambda folder: self._build(folder, runner))

    def _build(self, folder, runner):
        for name, text in self._files.items():
            (folder / name).write_text(text, encoding="utf-8")
        (folder / "model.ys").write_text(self._script, encoding="utf-8")
        runner.run(["yosys", "-q", "model.ys"], folder / "log.txt", folder)


def _sat(proof, model, folder, runner):
    clocks = proof.method.clocks
    runner.run(["yosys", "-p", f"read_rtlil {model.folder}/model.il; sat -seq {clocks} "
                f"-prove-skip {clocks - 1} -set-assumes -prove {proof.signal} 1 -show-public "
                f"-dump_vcd {SOLVER_WAVE} w:{proof.signal} t:$assume %u %ci*"],
               folder / "log.txt", folder, proof.limit)
    said = (folder / "log.txt").read_text(encoding="utf-8")
    if "SAT proof finished - no model found: SUCCESS!" in said:
        return PROVED
    if "SAT proof finished - model found: FAIL!" in said:
        return REFUTED
    raise CheckError(f"yosys: no verdict; all of its output: {folder / 'log.txt'}")


def _replay(proof, model, folder, runner):
    """The counterexample in Icarus, which writes the wave that is kept."""
    if proof.method.engine == "pdr":
        clocks = pdr.clocks(folder)
    else:
        clocks = replay.solver_clocks(folder / SOLVER_WAVE)
    text = replay.bench(proof, clocks, model.names(), WAVE)
    (folder / "replay.v").write_text(text, encoding="utf-8")
    runner.run(["iverilog", "-g2012", "-s", "replay", "-o", "replay.vvp", "replay.v",
                *model.files()], folder / "icarus.txt", folder)
    runner.run(["vvp", "-n", "replay.vvp"], folder / "replay.txt", folder)
    (folder / "replay.vvp").unlink()
    said = (folder / "replay.txt").read_text(encoding="utf-8")
    if f"{proof.signal}=1" in said:
        raise CheckError(f"{proof.block}: {proof.name}: refuted, but not in Icarus: {folder}")


_ENGINES = {"sat": _sat, "pdr": pdr.judge}


def judge(proof, model, runner):
    """Verdict on a proof whose model is built."""
    method = proof.method
    versions = [tools.version("yosys")]
    if method.engine == "pdr":
        versions.append(tools.abc_version())
    key = tools.digest(*versions, model.key, proof.signal, method.engine, str(method.clocks))

    def work(folder):
        start = time.monotonic()
        verdict = _ENGINES[method.engine](proof, model, folder, runner)
        if verdict == REFUTED:
            _replay(proof, model, folder, runner)
        (folder / "verdict.json").write_text(json.dumps(
            {"verdict": verdict, "seconds": time.monotonic() - start}), encoding="utf-8")

    try:
        folder = store.into(VERDICTS, key, work)
    except TimeLimit:
        return Verdict(proof, UNFINISHED, float(proof.limit))
    kept = json.loads((folder / "verdict.json").read_text(encoding="utf-8"))
    refuted = kept["verdict"] == REFUTED
    return Verdict(proof, kept["verdict"], kept["seconds"], folder / WAVE if refuted else None)


def clean():
    """Removes what killed runs left."""
    for folder in (MODELS, VERDICTS):
        tools.remove_left(tools.make_folder(folder))
