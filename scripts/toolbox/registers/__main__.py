# SPDX-License-Identifier: Apache-2.0
"""Writes what hw/accelerator/registers.toml and descriptors.toml describe, the places of fields in
other modules included, or checks that it is so:
PYTHONPATH=scripts python3 -m toolbox.registers [--check]"""

import functools
import sys

from .. import tools
from ..errors import CheckError
from ..program import Parser, run
from . import bare, cpp, document, places, rdl, verilog

# File -> what gives its text.
FILES = {
    "hw/control/td1_registers.v": verilog.text,
    "hw/accelerator/tensordash.h": bare.text,
    "hw/accelerator/tensordash.rdl": rdl.text,
    "sim/accelerator/registers.hpp": cpp.register_offsets,
    "sim/accelerator/descriptor_fields.hpp": cpp.descriptor_fields,
    "docs/registers.md": document.text,
}


def _main():
    parser = Parser("toolbox.registers", description="Writes Verilog, headers and the document of "
                    "the accelerator's registers and descriptors from their descriptions in hw/.")
    parser.add_argument("--check", action="store_true",
                        help="write nothing; fail if a file differs")
    check = parser.parse_args().check
    texts = {**FILES, **{name: functools.partial(places.text, name) for name in places.files()}}
    for name, text in texts.items():
        path = tools.ROOT / name
        if not check:
            tools.write(path, text())
        elif not path.is_file() or path.read_text(encoding="utf-8") != text():
            raise CheckError(f"{name}: not as described; run PYTHONPATH=scripts python3 -m "
                             "toolbox.registers")


if __name__ == "__main__":
    sys.exit(run("registers", _main))
