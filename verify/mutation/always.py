# SPDX-License-Identifier: Apache-2.0
"""Proves that a fault is never seen: ABC looks for an invariant of the sound and the faulty module
side by side (property directed reachability, behind its search for equal signals).

Both start in reset; registers without a reset start alike with anything. Of a tile, data are
compared while they are offered. What is left out of a tile, on both sides, is compared at its
inputs: its outputs are then equal too.
"""

import subprocess

from toolbox import tools

_SECONDS = 120  # for the solver
_PATIENCE = 240  # for either program, its preparations included
_LEFT_OUT = ("pe", "to_bf16", "interconnect", "staging")
_MASKED = ("out_data_o", "out_nonfinite_o")
STARTS = tools.ROOT / "verify" / "mutation" / "starts.v"

SIDE = ("read_verilog {files}; hierarchy -check -top {top} {values}; {keep} proc; flatten; "
        "{evert} simplemap t:$*ff*; rename -wire -suffix _ t:$_*DFF*; opt_clean; "
        "read_verilog -lib {starts}; techmap -map {starts}; expose -evert t:td_start; opt_clean; "
        "select -assert-none t:$_*FF*; rename -top {name}; design -stash {name}; ")
MITER = ("design -copy-from gold -as gold gold; design -copy-from gate -as gate gate; "
         "miter -equiv -flatten gold gate miter; hierarchy -top miter; opt_expr; opt_merge; "
         "opt_clean; techmap; opt -fast; "
         "dffunmap; simplemap; opt_clean; abc -g AND -fast; opt_clean; ")
BOTH = MITER + "write_aiger -zinit {circuit}"
SOLVE = f"read_aiger {{circuit}}; strash; scorr; pdr -T {_SECONDS}"


def view(design):
    """A module around the tile, through which data are seen only while they are offered."""
    ports = design.manifest.ports
    header = ",\n".join(f"    {direction} wire [{bits - 1}:0] {name}"
                        for name, (direction, bits) in ports.items())
    inside = ", ".join(f".{name}({'all_' if name in _MASKED else ''}{name})" for name in ports)
    masks = "".join(f"  wire [{ports[name][1] - 1}:0] all_{name};\n"
                    f"  assign {name} = all_{name} & {{{ports[name][1]}{{out_valid_o}}}};\n"
                    for name in _MASKED)
    return f"module td_view (\n{header}\n);\n{masks}  {design.manifest.top} tile ({inside});\nendmodule\n"


def left_out(design, inside):
    """Modules that the tile can do without: those that contain none of the modules `inside`."""
    names = [f"{design.manifest.generation}_{block}" for block in _LEFT_OUT]
    return [name for name in names if f"{name}.v" in design.texts and name not in inside]


def run(command, folder, log, patience=_PATIENCE):
    """What a program says, kept in a file; nothing if it fails or takes too long."""
    try:
        done = subprocess.run(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, text=True,
                              stderr=subprocess.STDOUT, check=False, timeout=patience)
    except subprocess.TimeoutExpired:
        return ""
    (folder / log).write_text(done.stdout, encoding="utf-8")
    return done.stdout if done.returncode == 0 else ""


def apart(modules):
    """Commands of Yosys before and after it flattens: what is compared at its inputs instead."""
    # A module has other names where it is given parameters.
    return ("".join(f"setattr -mod -set keep_hierarchy 1 A:hdlname=\\{name} {name}; "
                    for name in modules),
            "".join(f"expose -evert t:*{name}*; " for name in modules))


def proved(folder, files, top, values, omitted):
    """Whether it is. files: of the sound and the faulty side; values: of the top's parameters."""
    circuit = folder / f"{top}.aig"
    circuit.unlink(missing_ok=True)
    keep, evert = apart(omitted)
    script = "".join(SIDE.format(files=" ".join(map(str, side)), top=top, values=values, keep=keep,
                                 evert=evert, starts=STARTS, name=name)
                     for name, side in zip(("gold", "gate"), files, strict=True))
    run([tools.find("yosys"), "-p", script + BOTH.format(circuit=circuit)], folder,
        f"{top}.always.log")
    if not circuit.exists():
        return False
    said = run([tools.find("berkeley-abc"), "-c", SOLVE.format(circuit=circuit)], folder,
               f"{top}.pdr.log")
    return "Property proved." in said
