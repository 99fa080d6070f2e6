# SPDX-License-Identifier: Apache-2.0
"""What is proved: the Verilog of a configuration, and what its manifest says of it."""

import dataclasses
import functools
import pathlib

from netlists import parameters
from toolbox import tools
from toolbox.design import emit as emit_design
from toolbox.errors import UserError

PRESETS = tools.ROOT / "presets"
CONFIGS = tools.ROOT / "verify" / "configs"
# Cut down to what proofs about whole tiles need.
CUT = tools.ROOT / "verify" / "formal"

TOP = "top"   # the module that tdgen writes, as a block


@dataclasses.dataclass(frozen=True)
class Design:
    """A configuration and its Verilog. config: as a user names it; emitted: the flow.design.Design
    that tdgen wrote; rtl: folder with the files that its manifest lists, emitted ones or a copy with
    faults."""

    config: str
    emitted: object
    rtl: pathlib.Path

    @property
    def name(self):
        """The configuration's."""
        return self.emitted.name

    @property
    def hash(self):
        """The configuration's."""
        return self.emitted.hash

    @property
    def manifest(self):
        """Its manifest.Manifest."""
        return self.emitted.manifest

    def parameter(self, name):
        """Value of a parameter, such as tile.lanes."""
        return self.manifest.parameter(name)

    @functools.cached_property
    def _parameters(self):
        """Block -> sets of its Verilog parameters in the design."""
        return parameters.of(self.emitted, tools.Runner())

    def parameter_names(self, block):
        """Of its Verilog parameters."""
        return list(self._parameters[block][0])

    def instance(self, block, ports, name="dut", **wanted):
        """Verilog of an instance of a block, with the parameters that it has in the design. ports:
        its connections, as Verilog; wanted: what tells it from others with other parameters."""
        sets = [one for one in self._parameters[block] if wanted.items() <= one.items()]
        if len(sets) != 1:
            raise ValueError(f"{block}: {len(sets)} sets of parameters with {wanted}")
        given = ", ".join(f".{parameter}({value})"
                          for parameter, value in sets[0].items())
        return f"{self.module(block)} #({given}) {name} ({ports});"

    def module(self, block):
        """A block's name in Verilog."""
        return f"{self.manifest.generation}_{block}"

    @property
    def is_dense(self):
        """Whether it has no sparse path."""
        return self.parameter("tile.scheduling") in ("dense", "zero_gated")

    @property
    def is_two_sided(self):
        """Whether a pair is dropped for a zero on either side."""
        return self.parameter("tile.scheduling") == "two_sided"

    @property
    def is_late(self):
        """Whether elements follow their choices a clock later."""
        return not self.is_dense and self.parameter("tile.pipeline.scheduler") > 0

    @property
    def latency(self):
        """Clocks from the step that completes an output to the output, if none waits."""
        return self.manifest.json["output_latency_clocks"]

    @property
    def is_cut(self):
        """Whether it is small enough for proofs about the whole tile."""
        pes = self.parameter("tile.rows") * self.parameter("tile.columns")
        return (not self.is_dense and self.lanes * pes <= 6
                and self.depth in (2, 3) and self.width == 16
                and self.parameter("tile.counters.width") == 8)

    @property
    def lanes(self):
        """Lanes of a PE."""
        return self.parameter("tile.lanes")

    @property
    def depth(self):
        """Rows of a staging buffer."""
        return 1 if self.is_dense else self.parameter("tile.interconnect.depth")

    @property
    def options(self):
        """Pairs (step ahead, lane offset), in order of priority."""
        return [tuple(option) for option in self.manifest.json["options"]]

    @property
    def lane_order(self):
        """Lanes in the order in which the definition lets them choose: by level, then by number."""
        levels = self.parameter("tile.interconnect.levels")
        return [lane for level in levels for lane in sorted(level)]

    @property
    def width(self):
        """Bits of an operand."""
        return self.manifest.json["operand"]["bits"]

    @property
    def exponent_bits(self):
        """Bits of an operand's exponent."""
        return self.manifest.json["operand"]["exponent_bits"]

    def element(self, lane, option):
        """What a lane reaches through an option, as row * lanes + lane; lanes wrap."""
        step, offset = option
        return step * self.lanes + (lane + offset) % self.lanes

    def file(self, block):
        """Verilog of a block; of the top that tdgen writes, if it is TOP."""
        path = self.rtl / f"{self.manifest.top if block == TOP else self.module(block)}.v"
        if not path.is_file():
            raise UserError(path, "file", "(absent)",
                            f"the Verilog that tdgen emits for {self.config}, all of it")
        return path


@dataclasses.dataclass(frozen=True)
class Engines:
    """Modules of hw/ that no configuration of a tile has, with parameters of the proofs' own."""

    config: str = "engines"
    name: str = "engines"
    rtl: pathlib.Path = tools.ROOT / "hw"

    @property
    def hash(self):
        """Of nothing: models are named by their text."""
        return "-"

    def file(self, block):
        """Verilog of a block, in hw/ or in a folder with a copy."""
        [path] = [*self.rtl.glob(f"**/td1_{block}.v")]
        return path


def emit(config):
    """The Verilog that tdgen emits for a preset or a file."""
    emitted = emit_design(config)
    return Design(str(config), emitted, emitted.folder)


def at(folder, config):
    """Verilog of a configuration that lies in a folder, changed or not."""
    folder = pathlib.Path(folder).resolve()
    if not folder.is_dir():
        raise UserError("command line", "--rtl", folder, "a folder with emitted Verilog")
    return dataclasses.replace(emit(config), rtl=folder)


def declared():
    """Configurations of the declared list: every preset, then those of the tests."""
    found = [file.stem for file in sorted(PRESETS.glob("*.toml"))]
    for folder in (CONFIGS, CUT):
        found += [str(file.relative_to(tools.ROOT)) for file in sorted(folder.glob("*.toml"))]
    return found
