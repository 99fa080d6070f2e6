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
    """{name: path} of three runs of a trace, of which one is of compute alone, two networks without
    one, and passes."""
    few = folder / "few.toml"
    few.write_text("A = { zeros = 0.2 }\nW = { zeros = 0 }\nGO = { zeros = 0.2 }\n")
    runs = {"paper": ("run", TRACE, "--config", "paper_bf16"),
            "wide": ("run", TRACE, "--config", "wide4_bf16"),
            "alone": ("run", TRACE, "--config", "pe_two_sided"),
            "half": ("synth", "--network", "alexnet", "--sparsity", "half", "--batch", "1",
                     "--layer", "features.*", "--config", "paper_bf16"),
            "few": ("synth", "--network", "alexnet", "--sparsity", few, "--batch", "1",
                    "--layer", "features.*", "--config", "paper_bf16"),
            "passes": ("pass", TRACE, "--config", "paper_bf16", "--layer", "conv[25]")}
    found = {}
    for name, arguments in runs.items():
        found[name] = folder / f"{name}.json"
        subprocess.run([tdsim, *map(str, arguments), "--json", str(found[name])], check=True,
                       stdout=subprocess.DEVNULL)
    return found


def captured(folder, path):
    """The same operands as somebody's own capture, which says nothing of its data and lacks most of one
    step."""
    lost = [{"name": f"part{number}", "operator": "mv", "macs": number, "why": "a vector"}
            for number in range(8)] + [{"name": "own", "operator": "cdist", "macs": None, "why": "?"}]
    document = json.loads(path.read_text())
    document["source"] |= {"model": "mine", "dataset": "", "coverage": [
        {"snapshot": "early", "step_macs": 96, "captured_macs": 28, "captured_ratio": 28 / 96,
         "is_upper_bound": True, "not_captured": lost},
        {"snapshot": "late", "step_macs": 96, "captured_macs": 96, "captured_ratio": 1.0,
         "is_upper_bound": False, "not_captured": []}]}
    return write(folder / "captured.json", document)


def _gain(drawn, network, use):
    """Of a point, on a network; a pattern found without it is there for one that was tuned on. The
    accelerator is simulated on one of them, as if another space had been joined."""
    found, named, other = ({f"{name}_ratio": 1 + drawn.random()
                            for name in ("total", "data", "memory")} for _ in range(3))
    if use == "judge":
        found["memory_ratio"] = None
    return {"name": network, "use": use, "found": found, "named": {"wide4": named},
            "left_out": other if use == "tune" else None}


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
                           "energy": area / 40 + drawn.random()},
                       "networks": [_gain(drawn, "seen", "tune"), _gain(drawn, "unseen", "judge")]})
        least = min(least, 30 / area + loss)
        (folder / points[-1]["configuration"]).write_text(
            f'name = "{name}"\n[tile.interconnect]\ndepth = {2 + len(points) % 4}\n')
    return write(folder / "explored.json", {
        "format": "tensordash-explore-2", "program": "by hand",
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


LEVELS = ("off_chip", "operand_memory", "scratchpad", "result_memory")
SPENT = ("compute", "scratchpad", "large_memory", "off_chip", "leakage", "surroundings")


def _mode(drawn):
    """An operation of an accelerator with two tiles; every clock is in one part."""
    parts = {f"{name}_clocks": drawn.randint(1, 10 ** 6)
             for name in ("stepped", "fill_wait", "other_wait", "no_compute")}
    clocks = sum(parts.values())
    alone = [drawn.randint(0, parts["no_compute_clocks"] // 2) for _ in range(2)]
    energies = {f"{name}_energy_pJ": drawn.uniform(1, 1e6) for name in SPENT}
    return {"clocks": clocks, "timeline_clocks": clocks + drawn.randint(-9, 9),
            "first_to_last_step_clocks": parts["stepped_clocks"] + parts["fill_wait_clocks"], **parts,
            "timeline_load_alone_clocks": alone[0], "timeline_store_alone_clocks": alone[1],
            "timeline_no_engine_clocks": parts["no_compute_clocks"] - sum(alone),
            "load_clocks": drawn.randint(1, clocks),
            "compute_clocks": clocks - parts["no_compute_clocks"],
            "store_clocks": drawn.randint(1, clocks),
            "tiles_steps": [parts["stepped_clocks"], drawn.randint(0, parts["stepped_clocks"])],
            **{f"{level}_{way}_bytes": drawn.randint(1, 10 ** 9)
               for level in LEVELS for way in ("read", "written")},
            **energies, "energy_pJ": sum(energies.values())}


def _sum(modes):
    return {name: [sum(steps) for steps in zip(*(one[name] for one in modes))]
            if name == "tiles_steps" else sum(one[name] for one in modes) for name in modes[0]}


def accelerated(folder):
    """A step of two layers on an accelerator; its fields are those of docs/accelerator.md."""
    drawn = random.Random(2)
    operations = [{"snapshot": "late", "layer": layer, "op": op, "useful_macs": 1000,
                   "dense": _mode(drawn), "tensordash": _mode(drawn)}
                  for layer in ("conv1", "linear2") for op in ("fwd", "dgrad", "wgrad")]
    return write(folder / "accelerated.json", {
        "format": "tensordash-accelerator-4", "program": "by hand",
        "configuration": {"name": "accel_small", "hash": "0", "lanes": 4, "rows": 2, "columns": 2,
                          "depth_rows": 3, "format": "bf16"},
        "accelerator": {"hash": "0", "tiles": 2},
        "technology": {"name": "cacti_45nm", "hash": "0", "clock_MHz": 388, "memories": "some",
                       "compute_energy": "some"},
        "memory": {"latency_clocks": 20, "bandwidth_bytes_in_1000_clocks": 51200,
                   "stall_ratio": 0},
        "source": {"path": "t", "identity": "0", "model": "plain", "dataset": "Fashion-MNIST",
                   "conversion": ""},
        "results_format": "bf16", "compared_bytes": 12345, "operations": operations,
        "totals": {mode: _sum([one[mode] for one in operations])
                   for mode in ("dense", "tensordash")}})


def planned(tdsim, tdjob, folder):
    """{name: path} of two plans of a batch size: of given samples, in a scenario whose name a shell
    would take apart, and of results of three batches, dense and sparse."""
    scenarios = ROOT / "sim/system/scenarios"
    files = {"given": (scenarios / "batch_size.toml", folder / "it's $mine; so.toml"),
             "batches": (scenarios / "trace_batch_size.toml", folder / "batches.toml")}
    for size in (1, 4, 16):
        subprocess.run([tdsim, "synth", "--network", "alexnet", "--layer", "features.8",
                        "--sparsity", "half", "--batch", str(size), "--config", "paper_bf16", "--json",
                        str(folder / f"result_{size}.json")], check=True, stdout=subprocess.DEVNULL)
    found = {}
    for name, (carried, scenario) in files.items():
        scenario.write_bytes(carried.read_bytes())
        found[name] = write(folder / f"{name}.json", plan(tdjob, scenario))
    return found


def jobs(tdjob, folder):
    """{name: path} of two plans of a job: as given, and of two kinds of hardware."""
    scenarios = ROOT / "sim/system/scenarios"
    settings = ["--profile", str(folder / "result_16.json"), "--set", "plan.profile_batch=16"]
    both = subprocess.run([tdjob, "plan", str(scenarios / "trace_job.toml"), "--json", *settings, "--set",
                           "plan.stages=1", "--set", "plan.microbatches=2"], check=True, capture_output=True,
                          text=True)
    return {"job": write(folder / "job.json", plan(tdjob, scenarios / "job.toml")),
            "jobs": write(folder / "jobs.json", json.loads(both.stdout))}


def plan(tdjob, scenario, *settings):
    """What tdjob says of a scenario."""
    changes = [word for one in settings for word in ("--set", one)]
    done = subprocess.run([tdjob, "plan", str(scenario), "--json", *changes], check=True,
                          capture_output=True, text=True)
    return json.loads(done.stdout)


def every(tdsim, tdjob, folder):
    """{name: path} of a result of every kind."""
    runs = simulated(tdsim, folder)
    return runs | planned(tdsim, tdjob, folder) | jobs(tdjob, folder) | {
        "captured": captured(folder, runs["paper"]),
        "explored": explored(folder), "accelerated": accelerated(folder),
        "measured": measured(folder), "regressed": regressed(folder), "shown": shown(folder)}
