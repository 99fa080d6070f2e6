# SPDX-License-Identifier: Apache-2.0
"""Plants faults in the control of the cut-down tile and demands that the right proofs are refuted,
each with a wave, and that without a fault they hold.

usage: verify/formal/control_faults.sh [--all]   (without it: a few, in a minute)
"""

import re
import sys

from toolbox import tools
from toolbox.errors import CheckError

from . import designs, library
from .proof import REFUTED

CONFIG = designs.CUT / "cut.toml"

# (what is wrong, block, pattern, replacement, what must be refuted); the pattern matches once.
QUICK = [
    ("a ready too large by one", "intake", r"(b_stay_o\[2\]\}\} &) 2'd1", r"\1 2'd2",
     ["ok_promise"]),
    ("never open after a reset", "intake", r"open_q <= 1'b1;", "open_q <= 1'b0;", ["ok_progress"]),
    ("an accumulator that does not start again", "sequencer", r"held_q <= ~arrives_final;",
     "held_q <= 1'b1;", ["ok_turn", "ok_sum"]),
    ("an output buffer that is always ready", "skid",
     r"ready_q <= leaves \| \(ready_q & ~in_valid_i\);", "ready_q <= 1'b1;",
     ["ok_order", "ok_count"]),
    ("a delay line that does not wait", "pipe", r"if \(en_i\) value_q <= gen_stage",
     "value_q <= gen_stage", ["pipe ok_hold"]),
]
ALL = QUICK + [
    ("an advance too large by one", "intake", r"\{clear_i & (~\{2\{dense_o\}\}), 1'b1\}",
     r"{{clear_i[0], 1'b1} & \1, 1'b1}", ["ok_passed", "ok_kept"]),
    ("an offered row taken twice", "staging", r"\(\{32\{stay_i\[1\]\}\} & row_1_i\)",
     "({32{stay_i[1]}} & row_0_i)", ["ok_operand_a", "ok_operand_b"]),
    ("an element taken twice", "row", r"\(free\[5:2\] & ~rest\)", "4'd0",
     ["tile ok_once", "ok_choice"]),
    ("what was taken before a reset", "intake", r"assign taken_load_o = [^;]*;",
     "assign taken_load_o = step_o;", ["ok_kept", "ok_choice"]),
    ("a flag that does not move with its row", "intake",
     r"(b_shift_0_o\[1\]\}\} & \{dense_q\[2\], last_of_output_q\[)2\]", r"\g<1>1]",
     ["ok_made", "tile ok_flags"]),
    ("a missing stream boundary", "intake", r"assign eligible_o = [^;]*;",
     "assign eligible_o = 3'b111;", ["intake ok_mode", "tile ok_stream"]),
    ("a step with a partly filled window", "intake",
     r"assign eligible_o = ([^;]*);([^@]*)assign step_o = [^;]*;",
     r"assign eligible_o = \1 & present;\2assign step_o = enable_i & present[0];",
     ["intake ok_step", "ok_passed"]),
    ("a lost stall", "sequencer", r"assign enable_o = [^;]*;", "assign enable_o = 1'b1;",
     ["ok_enable", "ok_delivered"]),
    ("a nonfinite flag that does not clear", "sequencer", r"final_i \? 2'd0 : nonfinite",
     "nonfinite", ["sequencer ok_flags", "tile ok_flags"]),
    ("a mode that is not held", "intake", r"assign dense_o = [^;]*;",
     "assign dense_o = dense_q[0];", ["ok_choice", "tile ok_effectual"]),
    ("a window that a reset does not empty", "intake", r"b_present_q <= 3'd0;",
     "b_present_q <= 3'd1;", ["intake ok_step", "ok_promise"]),
    ("a wrong lane offset", "interconnect", r"(select_l0_i\[1\]\}\} & window_1_i)\[31:16\]",
     r"\1[15:0]", ["ok_operand_a", "ok_operand_b"]),
    ("a swapped priority", "scheduler", r"assign select_l1_o = [^;]*;",
     "wire [3:0] swapped = {reach_l1[3], reach_l1[1], reach_l1[2], reach_l1[0]};\n"
     "  wire [3:0] picked = swapped & (~swapped + 4'd1);\n"
     "  assign select_l1_o = {picked[3], picked[1], picked[2], picked[0]};", ["tile ok_choice"]),
    ("an output buffer that forgets", "skid", r"ready_q \? in_data_i : skid_q", "in_data_i",
     ["ok_order"]),
    ("a stall that is not counted", "intake", r"assign waiting_o = [^;]*;",
     "assign waiting_o = 1'b0;", ["ok_waiting"]),
    ("a stale count", "counters", r"skipping_q <= step_q \?", "skipping_q <= 1'b1 ?",
     ["ok_skipped"]),
    ("an adder that does not wait", "adder", r"if \(en_i\) sum_q <= cut_fp::add_sum\(ordered\)",
     "sum_q <= cut_fp::add_sum(ordered)", ["adder ok_hold"]),
    ("a reset released too early", "reset", r"assign rst_no = release_q\[1\]",
     "assign rst_no = release_q[0]", ["ok_release"]),
]


def _design(name, block=None, pattern=None, replacement=None):
    """A copy of the emitted Verilog, with a fault or without."""
    sound = designs.emit(CONFIG)
    folder = tools.make_folder(tools.BUILD / "proofs" / "faults" / re.sub(r"\W", "_", name))
    for path in sound.rtl.glob("*.v"):
        text = path.read_text(encoding="utf-8")
        if path.name == f"{sound.name}_{block}.v":
            text, count = re.subn(pattern, replacement, text)
            if count != 1:
                raise CheckError(f"{path.name}: {pattern}: {count} matches instead of one")
        tools.write(folder / path.name, text)
    return designs.at(folder, CONFIG)


def _chosen(design, wanted):
    """Proofs by signal, or by block and signal; all that are named so."""
    return [proof for proof in library.proofs(design)
            if proof.signal in wanted or f"{proof.block} {proof.signal}" in wanted]


def main():
    """Exit status."""
    faults = ALL if sys.argv[1:] == ["--all"] else QUICK
    wanted = {signal for *_, signals in faults for signal in signals}
    false = [one.proof.signal for one in library.verdicts(_chosen(_design("sound"), wanted))
             if not one.proved]
    if false:
        sys.exit(f"without a fault: not proved: {', '.join(false)}")
    missed = 0
    for name, block, pattern, replacement, signals in faults:
        found = library.verdicts(_chosen(_design(name, block, pattern, replacement), signals))
        lived = [one.proof.signal for one in found
                 if one.verdict != REFUTED or not one.wave.stat().st_size]
        caught = len(found) >= len(signals) and not lived
        missed += not caught
        print(f"{'refuted' if caught else 'MISSED'}: {name}: {', '.join(lived or signals)}",
              flush=True)
    print(f"{len(faults) - missed} of {len(faults)} faults refuted")
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
