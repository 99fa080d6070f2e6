# SPDX-License-Identifier: Apache-2.0
"""Rooms of hw/ that faults are injected in, and what their tests are built of."""

import dataclasses
import pathlib

from toolbox import tools

_ACCELERATOR = tools.ROOT / "verify" / "accelerator"
_RAM = tools.ROOT / "hw" / "memory" / "td1_ram.v"
_CONTROL_SIZES = ("LANES", "WIDTH", "BEAT_ROWS")
_DMA_SIZES = ("LANES", "SEGMENT", "WIDTH", "TILES", "OPERAND_ROWS", "RESULT_WORDS", "BEAT_ROWS",
              "UNPACK_ROWS")
_AROUND_TILES = ("accelerator", "memory")
_CONFIGURATIONS = ("accel_tiny", _ACCELERATOR / "large" / "accel_pair.toml")


@dataclasses.dataclass(frozen=True)
class Model:
    """What is verilated: top, parameters of it, Verilog that is read beside the room's, and options
    of Verilator."""

    top: str
    parameters: dict = dataclasses.field(default_factory=dict)
    others: tuple = ()
    options: tuple = ()


@dataclasses.dataclass(frozen=True)
class Program:
    """A test: models by their prefixes, sources, options of the compiler, libraries."""

    models: dict
    sources: tuple
    options: tuple = ()
    libraries: tuple = ("-lfmt",)


@dataclasses.dataclass(frozen=True)
class Room:
    """Folders of hw/, and their test: programs that must all pass, arguments of a run, and the
    seconds of a processor that it has; it takes a few."""

    folders: tuple
    programs: tuple
    arguments: tuple
    patience: int = 60

    @property
    def files(self):
        """Verilog that faults are injected in."""
        return _verilog(self.folders)


def _verilog(folders):
    return [file for folder in folders
            for file in sorted((tools.ROOT / "hw" / folder).glob("*.v"))]


def _control():
    models = {f"Vcontrol_{name}": Model("td1_control",
                                        {"STREAMS": 2, **dict(zip(_CONTROL_SIZES, values))}, (_RAM,))
              for name, values in (("narrow", (2, 16, 1)), ("wide", (16, 16, 2)))}
    sources = (*sorted((_ACCELERATOR / "control").glob("*.cpp")), _ACCELERATOR / "axi_lite.cpp")
    return Room(("control",), (Program({"Vregisters": Model("td1_registers"), **models}, sources),),
                ("1", "30"))


def _dma():
    others = (_ACCELERATOR / "dma" / "dma_bench.v", _RAM, *(tools.ROOT / "hw" / name for name in (
        "common/td1_fifo.v", "common/td1_pipe.v", "common/td1_skid.v", "fp/td1_to_bf16.v")))
    models = {f"Vdma_{name}": Model("dma_bench", dict(zip(_DMA_SIZES, values)), others)
              for name, values in (("bf16", (4, 2, 16, 3, 300, 200, 1, 0)),
                                   ("fp32", (8, 4, 32, 1, 256, 512, 1, 1)),
                                   ("square", (4, 4, 16, 4, 300, 200, 2, 4)),
                                   ("wide2", (8, 4, 32, 2, 256, 512, 2, 2)),
                                   ("wide4", (4, 2, 16, 3, 300, 200, 4, 8)))}
    sources = (*sorted((_ACCELERATOR / "dma").glob("*.cpp")),
               *sorted(_ACCELERATOR.glob("axi_*.cpp")))
    return Room(("dma",), (Program(models, sources),), ("100",))


def _layers(config):
    """tdaccel of a configuration."""
    name = pathlib.Path(config).stem
    rtl = tools.make_folder(tools.BUILD / "mutation" / "rtl") / name
    tools.answer(tools.TDGEN, "--config", config, "--accelerator", "--out", rtl)
    own = {file.name for file in _verilog(_AROUND_TILES)}
    others = tuple(file for file in sorted((*rtl.glob("*.v"), *rtl.glob("*.sv")))
                   if file.name not in own)
    texts = {"TD_CONFIG": f'"{config}"', "TD_VERILATED_HEADER": '"Vaccelerator.h"',
             "TD_VERILATED": "Vaccelerator", "TD_COVERAGE": "0"}
    return Program({"Vaccelerator": Model(f"{name}_accelerator", {}, others, ("--assert",))},
                   (_ACCELERATOR / "tdaccel.cpp",),
                   tuple(f"-D{key}={value}" for key, value in texts.items()),
                   ("-Wl,--start-group", *sorted((tools.BUILD / "lib").glob("libtd_*.a")),
                    "-Wl,--end-group", "-lfmt", "-ltbb", "-ltomlplusplus"))


def _accelerator():
    return Room(_AROUND_TILES, tuple(_layers(config) for config in _CONFIGURATIONS),
                ("layers", "--count", "80", "--seed", "1", "--errors", "0.2", "--damage", "1",
                 "--resets", "0.2"), 24)


ROOMS = {"control": _control, "dma": _dma, "accelerator": _accelerator}
