# SPDX-License-Identifier: Apache-2.0
"""One shard, in a process of its own: python3 -m workflows.shard NAME, in the workflow's folder."""

import json
import os
import pathlib
import pickle
import signal
import sys

from toolbox import tools
from toolbox.errors import CheckError, UserError

from .engine import FAILED, INSIDE, WAITING


def main(name):
    """Exit status; an error that has a line leaves it for the launcher."""
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    os.environ["TD_JOBS"] = "1"
    os.environ[INSIDE] = name
    place = pathlib.Path.cwd()
    here, call = pickle.loads((place / WAITING / name).read_bytes())
    os.chdir(here)
    try:
        call()
    except (UserError, CheckError) as error:
        status = 2 if isinstance(error, UserError) else 1
        tools.write(tools.make_folder(place / FAILED) / name, json.dumps([status, str(error)]))
        return status
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
