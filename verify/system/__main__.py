# SPDX-License-Identifier: Apache-2.0
"""python3 -m system TDJOB [FOLDER]: all of fields.toml; FOLDER has the folders of the reference data,
by default the carried copies."""

import pathlib
import sys

from system.compare import REFERENCE, entries, judge


def main(tdjob, reference=REFERENCE):
    """Prints a line for each entry; status 1 for faults, and when nothing was compared."""
    values = faults = 0
    for entry in entries():
        result = judge(tdjob, entry, pathlib.Path(reference))
        print(f"{entry}: {result.cases} cases, {result.values} values, "
              f"worst {100 * result.worst:.2g} % of the tolerance")
        for fault in result.faults[:5]:
            print(f"  {fault}")
        if result.values == 0:
            print("  nothing was compared")
        values += result.values
        faults += len(result.faults) + (result.values == 0)
    print(f"{values} values compared, {faults} faults")
    return 1 if faults or not values else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
