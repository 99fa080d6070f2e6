# SPDX-License-Identifier: Apache-2.0
"""Tasks of a training step, from the Chrome JSON of PyTorch's profiler, as the graph of kind `tasks` that
`scripts/tdjob compare` takes.

A task is an operator that stands in no other, with what it calls, or the time before it in which Python runs (`host`:
of the operator's layer, its phase is `host forward` or the like). Kernels wait for what launched them and for the one
before them on their stream; what follows a synchronisation waits for the kernels that had ended when it did. That one
stream waits for another (`cudaStreamWaitEvent`) is not seen. Where a thread is idle while another runs the backward
pass, it waits for that, and a thread of backward passes for what is done between them.
"""

import bisect
import dataclasses
import json
import math
import re
from collections import defaultdict

from toolbox.errors import UserError

LAYER = "layer "  # begins the name of an annotation around a layer's forward pass
_OPERATOR, _ANNOTATION, _RUNTIME = "cpu_op", "user_annotation", ("cuda_runtime", "cuda_driver")
_KERNELS = ("kernel", "gpu_memcpy", "gpu_memset")
_BACKWARD = "autograd::engine::evaluate_function: "
_UPDATE = re.compile(r"Optimizer\.(step|zero_grad)#")
_LEGAL = "a step in the Chrome JSON of PyTorch's profiler, with events of category cpu_op"
_MOST_BYTES = 200  # of a text, for tdjob


@dataclasses.dataclass
class Task:
    """What runs on one resource from begin to end, in microseconds."""

    name: str
    resource: str
    begin: float
    end: float
    layer: str
    phase: str  # forward, backward, update; before it, host of these
    after: list = dataclasses.field(default_factory=list)  # numbers of the tasks that it waits for


@dataclasses.dataclass
class _Event:
    name: str
    category: str
    place: tuple  # process and thread
    begin: float
    end: float
    args: dict

    @property
    def sequence(self):
        """Which node of the backward pass a forward operator made, or a node of it is; -1: none."""
        return self.args.get("Sequence number", -1)


def _event(one):
    """ValueError, TypeError, AttributeError or KeyError: it is none."""
    name, category, args, begin, length = one["name"], one.get("cat", ""), one.get("args") or {}, one["ts"], one["dur"]
    sequence = args.get("Sequence number", -1)
    if not (isinstance(name, str) and isinstance(category, str) and isinstance(sequence, int)
            and math.isfinite(begin) and 0 <= length < math.inf):
        raise ValueError
    return _Event(name, category, (str(one["pid"]), str(one["tid"])), begin, begin + length, args)


def _events(path):
    """Those of the file that have a duration, by when they begin, outer ones first."""
    try:
        with open(path, encoding="utf-8") as file:
            document = json.load(file)
        listed = document["traceEvents"] if isinstance(document, dict) else document
        events = [_event(one) for one in listed if one.get("ph") == "X"]
    except OSError as error:
        raise UserError(path, "read", error.strerror, "a file that can be read") from None
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        raise UserError(path, "traceEvents", "unreadable", _LEGAL) from None
    if not any(one.category == _OPERATOR for one in events):
        raise UserError(path, "traceEvents", "without operators", _LEGAL)
    return sorted(events, key=lambda one: (one.begin, -one.end))


@dataclasses.dataclass
class _Call:
    """An operator that stands in no other, or such a call of the GPU's runtime, and what is said of it."""

    outer: _Event
    layer: str
    phase: str
    inner: list  # operators, it among them
    runtime: list  # calls of the runtime


def _calls(events):
    """Those of a thread, in order."""
    found, annotations = [], []
    for one in events:
        while annotations and annotations[-1].end <= one.begin:
            annotations.pop()
        if one.category == _ANNOTATION:
            annotations.append(one)
            continue
        if not found or (one.begin >= found[-1].outer.end and one.end > found[-1].outer.end):
            found.append(_Call(one, *_said(annotations), [], []))
        (found[-1].inner if one.category == _OPERATOR else found[-1].runtime).append(one)
    return found


def _said(annotations):
    """Layer and phase, by annotations from the outermost to the innermost."""
    layers = [one.name.removeprefix(LAYER) for one in annotations if one.name.startswith(LAYER)]
    updates = any(_UPDATE.match(one.name) for one in annotations)
    return layers[-1] if layers else "", "update" if updates else "forward"


def _forward_layers(threads):
    """Layer by sequence number. Of operators with one number the last made the node."""
    return {inner.sequence: one.layer for calls in threads for one in calls if not one.outer.name.startswith(_BACKWARD)
            for inner in one.inner if inner.sequence >= 0}


class Step:
    """The tasks of a profile, in `tasks`; resources in the order in which they are first used."""

    def __init__(self, path):
        events = _events(path)
        self.tasks = []
        self._launched = {}  # correlation: task behind which its kernel may run
        threads = defaultdict(list)
        for one in events:
            if one.category in (_OPERATOR, _ANNOTATION, *_RUNTIME):
                threads[one.place].append(one)
        calls = [_calls(threads[place]) for place in threads]  # by when they begin
        layers = _forward_layers(calls)
        of_thread = [self._thread(f"thread {number}", one, layers) for number, one in enumerate(calls) if one]
        kernels = self._kernels([one for one in events if one.category in _KERNELS])
        for numbers in of_thread:
            for before, number in zip(numbers, numbers[1:]):
                self.tasks[number].after.append(before)
        for numbers in of_thread:
            for others in of_thread:
                if others is not numbers:
                    self._wait(numbers, others)
        for numbers in of_thread:
            self._begin(numbers[0], [one for others in of_thread if others is not numbers for one in others])
        self._synchronise([one for one in events if one.category in _RUNTIME and "Synchronize" in one.name], kernels)

    @property
    def resources(self):
        """Names."""
        return list(dict.fromkeys(one.resource for one in self.tasks))

    def name(self, number):
        """Of a task, as no other has it."""
        return legal(f"{number} {self.tasks[number].name}")

    def _add(self, *fields):
        self.tasks.append(Task(*fields))
        return len(self.tasks) - 1

    def _thread(self, resource, calls, layers):
        """Adds the tasks of a thread; their numbers in order. Operators are cut where they launch a kernel: it need
        not wait for their end."""
        added, layer, before = [], "", None
        for one in calls:
            outer, phase = one.outer, one.phase
            if outer.name.startswith(_BACKWARD):
                phase = "backward"
                layer = layers.get(outer.sequence, layer)  # a gradient's sum is its layer's
            else:
                layer = one.layer
            if before is not None and outer.begin > before:
                added.append(self._add("host", resource, before, outer.begin, layer, f"host {phase}"))
            begin, name = outer.begin, outer.name.removeprefix(_BACKWARD)
            for call in one.runtime:
                added.append(self._add(name, resource, begin, call.end, layer, phase))
                self._launched[call.args.get("correlation")] = added[-1]
                begin = call.end
            added.append(self._add(name, resource, begin, outer.end, layer, phase))
            before = outer.end
        return added

    def _kernels(self, events):
        """Adds kernels behind what launched them; their numbers in order."""
        last, added = {}, []
        for one in events:
            launch = self._launched.get(one.args.get("correlation"))
            resource = f"device {one.args.get('device', 0)} stream {one.args.get('stream', 0)}"
            layer, phase = "", "forward"
            if launch is not None:
                layer, phase = self.tasks[launch].layer, self.tasks[launch].phase
            number = self._add(one.name, resource, one.begin, one.end, layer, phase)
            self.tasks[number].after = [task for task in (launch, last.get(resource)) if task is not None]
            last[resource] = number
            added.append(number)
        return added

    def _wait(self, numbers, others):
        """A gap of a thread is a wait for what another one begins and ends in it, if either runs a backward pass.
        Before what the other one does first of all, the time until it wakes up stays in the gap."""
        begins = [self.tasks[one].begin for one in others]
        for number in numbers:
            gap = self.tasks[number]
            if gap.name != "host":
                continue
            inside = others[bisect.bisect_left(begins, gap.begin):bisect.bisect_left(begins, gap.end)]
            inside = [one for one in inside if self.tasks[one].end <= gap.end]
            phases = [gap.phase, *(self.tasks[one].phase for one in inside)]
            if not inside or not any(phase.endswith("backward") for phase in phases):
                continue
            before = self.tasks[inside[0]].begin - gap.begin if inside[0] == others[0] else 0
            self.tasks[inside[0]].after.append(gap.after[0])
            gap.after.append(inside[-1])
            gap.begin = self.tasks[inside[-1]].end - before

    def _begin(self, first, others):
        """What a thread of backward passes does first, and no gap has waited for, follows what ended last before it."""
        task = self.tasks[first]
        ended = [one for one in others if self.tasks[one].end <= task.begin]
        if task.phase == "backward" and not task.after and ended:
            last = max(ended, key=lambda one: self.tasks[one].end)
            host = self._add("host", task.resource, self.tasks[last].end, task.begin, task.layer, "host backward")
            self.tasks[host].after.append(last)
            task.after.append(host)

    def _synchronise(self, calls, kernels):
        """The wait itself takes no time of its own; the kernels that were launched before do."""
        for call in calls:
            number = self._launched.get(call.args.get("correlation"))
            if number is None:
                continue
            self.tasks[number].end = max(self.tasks[number].begin, call.begin)
            last = {self.tasks[one].resource: one for one in kernels if self.tasks[one].end <= call.end}
            self.tasks[number + 1].after.extend(last.values())  # the rest of what called it


def legal(text):
    """A name as tdjob takes it."""
    shown = "".join(one if one.isprintable() else "?" for one in text)
    return shown.encode("utf-8", "replace")[:_MOST_BYTES].decode("utf-8", "ignore")


def toml(step, name):
    """The scenario: the graph, to which a user adds what-ifs."""
    def text(value):
        return json.dumps(legal(value), ensure_ascii=False)

    lines = [f"name = {text(name)}", "", "[graph]", 'kind = "tasks"', "resources = ["]
    lines += [f"  {{ name = {text(one)} }}," for one in step.resources]
    lines += ["]", "tasks = ["]
    for number, one in enumerate(step.tasks):
        after = ", ".join(text(step.name(before)) for before in one.after)
        lines.append(f"  {{ name = {text(step.name(number))}, resource = {text(one.resource)}, "
                     f"seconds = {max(0, one.end - one.begin) / 1e6:.9f}, layer = {text(one.layer or '-')}, "
                     f"phase = {text(one.phase)}" + (f", after = [{after}] }}," if after else " },"))
    return "\n".join([*lines, "]", ""])
