# SPDX-License-Identifier: Apache-2.0
"""Results of every kind for the tests of pages: of tdsim, and made by hand."""

import json
import pathlib
import random
import subprocess

ROOT = pathlib.Path(__file__).resolve().parents[2]
TRACE = ROOT / "verify/traces/plain.safetensors"
POINTS = 10000


def run_page(*arguments):
    """(exit status, lines on stderr) of scripts/report, whose programs are built."""
    environment = {"PYTHONPATH": str(ROOT / "scripts"), "PYTHONDONTWRITEBYTECODE": "1",
                   "PATH": "/usr/bin:/bin"}
    done = subprocess.run(["/usr/bin/python3", "-m", "reporting", *map(str, arguments)],
                          env=environment, capture_output=True, text=True, check=False)
    return done.returncode, done.stderr.splitlines()


def write(path, document):
    """A file of JSON; returns its path."""
    path.write_text(json.dumps(document), encoding="utf-8")
    return path


def simulated(tdsim, folder):
    """{name: path} of two runs of a trace, two networks without one, and passes."""
    few = folder / "few.toml"
    few.write_text("A = { zeros = 0.2 }\nW = { zeros = 0 }\nGO = { zeros = 0.2 }\n")
    runs = {"paper": ("run", TRACE, "--config", "paper_bf16"),
            "wide": ("run", TRACE, "--config", "wide4_bf16"),
            "half": ("synth", "--network", "alexnet", "--sparsity", "half", "--batch", "1",
                     "--config", "paper_bf16"),
            "few": ("synth", "--network", "alexnet", "--sparsity", few, "--batch", "1",
                    "--config", "paper_bf16"),
            "passes": ("pass", TRACE, "--config", "paper_bf16", "--layer", "conv[25]")}
    found = {}
    for name, arguments in runs.items():
        found[name] = folder / f"{name}.json"
        subprocess.run([tdsim, *map(str, arguments), "--json", str(found[name])], check=True,
                       stdout=subprocess.DEVNULL)
    return found


def explored(folder, count=POINTS):
    """An exploration with its configurations: random points; most are beaten by another."""
    drawn = random.Random(1)
    (folder / "points").mkdir()
    points, least = [], 100.0
    for area in sorted(drawn.uniform(20, 60) for _ in range(count)):
        name = f"p{len(points)}"
        loss = drawn.random()
        points.append({"name": name, "configuration": f"points/{name}.toml",
                       "on_front": 30 / area + loss < least, "objectives": {
                           "speed-up": 3 - 30 / area - loss, "area": area,
                           "energy": area / 40 + drawn.random()}})
        least = min(least, 30 / area + loss)
        (folder / points[-1]["configuration"]).write_text(
            f'name = "{name}"\n[tile.interconnect]\ndepth = {2 + len(points) % 4}\n')
    return write(folder / "explored.json", {
        "format": "tensordash-explore-1", "program": "by hand",
        "objectives": [{"name": "speed-up", "unit": "×", "best": "most"},
                       {"name": "area", "unit": "mm2", "best": "least"},
                       {"name": "energy", "unit": "pJ/MAC", "best": "least"}],
        "points": points})


def _tile(name, blocks):
    listed = [{"module": module, "parent": "tile", "instances": 2, "total": area}
              for module, (area, _) in blocks.items()]
    power = {module: uw for module, (_, uw) in blocks.items()}
    return {"name": name, "area": {"total": sum(area for area, _ in blocks.values()),
                                   "blocks": listed},
            "energy": {"all": {"power_uW": {"with_glitches": sum(power.values())},
                               "blocks_uW": {"with_glitches": power}}}}


def _ratios(scale):
    return {"all": {"power_ratio": {"with_glitches": 1.25 * scale}, "data_speed_up": 1.5 * scale,
                    "speed_up": 1.75 * scale, "efficiency": {"with_glitches": 1.4 * scale}}}


def measured(folder):
    """A measurement with ten blocks, more than have a colour of their own."""
    blocks = {f"block{number}": (1e6 * (number + 1), 1e3 * (number + 1)) for number in range(10)}
    return write(folder / "ppa.json", {
        "format": "tensordash-ppa-3", "name": "tiny", "clock_ns": 40, "library": "lib",
        "corner": "typical", "trace": "plain.safetensors",
        "tiles": {"tile": _tile("tiny", blocks), "dense": _tile("dense_tiny", {
            name: blocks[name] for name in list(blocks)[:7]})},
        "ratios": {"tile": _ratios(1), "dense": _ratios(0.5)}})


def regressed(folder):
    """Three runs, of which one failed."""
    return write(folder / "results.json", [
        {"configuration": "tiny", "run": "random", "key": "1", "status": "passed", "passes": 100,
         "message": ""},
        {"configuration": "tiny", "run": "trace", "key": "2", "status": "failed", "passes": 7,
         "message": "cycle 5: lane 2"},
        {"configuration": "odd", "run": "random", "key": "3", "status": "passed", "passes": 50,
         "message": ""}])


def shown(folder):
    """Evidence for two blocks, one of which failed."""
    return write(folder / "proofs.json", {"command": "scripts/prove", "sources": "0", "cells": [
        {"block": "skid", "column": "proof", "text": "5 of 5", "passed": True},
        {"block": "pipe", "column": "proof", "text": "4 of 5", "passed": False}]})


def every(tdsim, folder):
    """{name: path} of a result of every kind."""
    return simulated(tdsim, folder) | {
        "explored": explored(folder), "measured": measured(folder), "regressed": regressed(folder),
        "shown": shown(folder)}
