# SPDX-License-Identifier: Apache-2.0
"""What was seen of a step, put in order: layers with their names, and the share of the step that they are."""

from collections import defaultdict

import torch

from .products import LINEAR, UNCOUNTED

NO_GRADIENT = "its output got no gradient"
LOOKED_UP = "rows are looked up, nothing is multiplied"
BACKWARD = "the backward pass multiplies for operators that are not captured"


def once(calls, counts):
    """The calls without those that a checkpoint repeated: the repetition, which has the gradient, stands in for the
    first where that has none. Takes what was repeated out of the step's MACs."""
    first, waiting = [call for call in calls if not call.recomputed], defaultdict(list)
    for place, call in enumerate(first):
        if not call.ran:
            waiting[call.name, call.operator, call.macs].append(place)
    for call in calls:
        if not call.recomputed:
            continue
        places = waiting[call.name, call.operator, call.macs]
        if call.ran and not places:
            first.append(call)
            continue
        counts.total -= call.macs
        counts.recomputed += call.macs
        if call.ran:
            first[places.pop(0)] = call
    return first


def merged(calls):
    """Steps of a recurrent layer, which multiply by the same weights in one call of a module, become one layer whose
    A and GO have the rows of all of them."""
    result, groups = [], {}
    for call in calls:
        key = call.place, call.weight, call.needs_input_grad, call.needs_weight_grad
        if call.GO is None or call.weight is None or call.product.kind != LINEAR:
            result.append(call)
        elif key in groups:
            groups[key].append(call)
        else:
            groups[key] = [call]
            result.append(call)
    for group in groups.values():
        if len(group) > 1:
            first = group[0]
            first.A, first.GO = (torch.cat([getattr(call, role) for call in group]) for role in ("A", "GO"))
            first.macs = sum(call.macs for call in group)
    return result


def number(calls):
    """A name that a layer before has already gets `#2`, `#3`, …"""
    count = defaultdict(int)
    for call in calls:
        count[call.name] += 1
        if count[call.name] > 1:
            call.name += f"#{count[call.name]}"


def coverage(calls, counts):
    """What the trace's header says: MACs of the step, those captured, and what is not captured, with the reason."""
    lost = defaultdict(int)
    for call in calls:
        if call.GO is None:
            lost[call.name, call.operator, call.why or NO_GRADIENT] += call.step_macs
    seen = sum(call.step_macs for call in calls)
    captured = seen - sum(lost.values())
    # Where a device's own thread runs the backward pass, nothing but its nodes may be seen.
    total = max(counts.total, seen)
    if total > seen:
        lost["backward", "backward", BACKWARD] = total - seen
    entries = [{"name": name, "operator": operator, "macs": macs, "why": why}
               for (name, operator, why), macs in lost.items()]
    entries += [{"name": operator, "operator": operator, "macs": None, "why": f"{UNCOUNTED[operator]}: not counted"}
                for operator in counts.uncounted]
    entries += [{"name": name, "operator": operator, "macs": 0, "why": LOOKED_UP}
                for name, operator in counts.lookups.items()]
    return {"macs": total, "captured_macs": captured, "recomputed_macs": counts.recomputed, "not_captured": entries}


def share_text(facts):
    """`93.2 % of the step's MACs`; at most that, where some are not counted."""
    # Rounded down: what is not all of it never looks so.
    share = 1000 * facts["captured_macs"] // facts["macs"] / 10
    bound = "at most " if any(entry["macs"] is None for entry in facts["not_captured"]) else ""
    return f"{bound}{share:.1f} % of the step's MACs"
