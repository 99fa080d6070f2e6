# SPDX-License-Identifier: Apache-2.0
"""The configuration's JSON Schema, as tdgen prints it: what is legal, defaults, number formats."""

import functools
import json
import subprocess

from . import tools
from .errors import Refused, UserError

FORMAT = "tile.numerics.format"


@functools.lru_cache(maxsize=None)
def document(tdgen=tools.TDGEN):
    """The schema of a generator."""
    try:
        done = subprocess.run([tdgen, "--schema"], stdin=subprocess.DEVNULL, capture_output=True,
                              text=True, check=False)
    except OSError as error:
        raise UserError(tdgen, "program", error.strerror, "a generator that is built") from error
    if done.returncode:
        raise Refused(done.stderr.strip())
    return json.loads(done.stdout)


def flat(schema, prefix=""):
    """Path of each parameter, in the schema's order -> its part of the schema."""
    found = {}
    for key, value in schema["properties"].items():
        path = prefix + key
        found |= flat(value, f"{path}.") if "properties" in value else {path: value}
    return found


def parameters():
    """Every parameter by its path."""
    return flat(document())


def values(path):
    """Every legal value of an integer or of a choice."""
    parameter = parameters()[path]
    if parameter.get("type") == "integer":
        return range(parameter["minimum"], parameter["maximum"] + 1)
    return (False, True) if parameter.get("type") == "boolean" else tuple(parameter["enum"])


def patterns():
    """Names of the patterns."""
    return next(tuple(one["enum"]) for one in parameters()["tile.interconnect.pattern"]["oneOf"]
                if "enum" in one)


def legal(path):
    """What is legal, in the words of tdgen: "1..8 rows"."""
    return parameters()[path]["x-legal"]


def formats():
    """Number format -> bits, exponent_bits and fraction_bits."""
    return parameters()[FORMAT]["x-formats"]
