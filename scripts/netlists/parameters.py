# SPDX-License-Identifier: Apache-2.0
"""The Verilog parameters that a design gives its modules, by Yosys' elaboration of it."""

from toolbox import tools

from . import rtlil, store

KIND = "parameters"

_SCRIPT = """\
read_verilog {files}
hierarchy -check -top {top}{values}
write_rtlil elaborated.il
"""


def of(design, runner, values=()):
    """Block -> the sets of parameters that it is there with, each a dictionary. values: (name,
    value) of parameters of the top, where they are not its own."""
    texts = {file.name: file.read_text(encoding="utf-8") for file in design.files}
    script = _SCRIPT.format(files=" ".join(texts), top=design.top,
                            values="".join(f" -chparam {name} {one}" for name, one in values))
    key = tools.digest(tools.version("yosys"), script, *texts.values())

    def work(folder):
        for name, text in texts.items():
            (folder / name).write_text(text, encoding="utf-8")
        (folder / "elaborate.ys").write_text(script, encoding="utf-8")
        runner.run(["yosys", "-q", "elaborate.ys"], folder / "log.txt", folder)

    folder = store.into(tools.PPA / KIND, key, work)
    text = (folder / "elaborated.il").read_text(encoding="utf-8")
    found = {}
    for name, module in rtlil.modules(text, design.manifest.block).items():
        found.setdefault(rtlil.block_of(name), []).append(module.parameters)
    return found
