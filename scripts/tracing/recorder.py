# SPDX-License-Identifier: Apache-2.0
"""A profile of a training step, with the layers' names, as tasks.py reads it."""

import json
import os
from contextlib import contextmanager

import torch

from . import tasks
from .files import check, replacing

_USER_SCOPE = 7  # of an event that torch.profiler.record_function made


@contextmanager
def recorded(model, path):
    """Records one training step, done within, into a file: PyTorch's profile, with an annotation around the forward
    pass of each module that has none inside. Nothing of this stays in the model."""
    path = os.fspath(path)
    check(path, "the profile")
    handles = [handle for name, module in model.named_modules() if not list(module.children())
               for handle in _annotate(name, module)]
    activities = list(torch.profiler.supported_activities())
    try:
        with torch.profiler.profile(activities=activities) as profiler:
            yield
    finally:
        for handle in handles:
            handle.remove()
    with replacing(path) as temporary:
        if torch.profiler.kineto_available():
            profiler.export_chrome_trace(temporary)
        else:
            _write(profiler.events(), temporary)


def _annotate(name, module):
    """Hooks around calls of a module, which may call itself by way of a function."""
    open_calls = []

    def begin(*_):
        open_calls.append(torch.profiler.record_function(tasks.LAYER + (name or "model")))
        open_calls[-1].__enter__()

    def end(*_):
        open_calls.pop().__exit__(None, None, None)

    return module.register_forward_pre_hook(begin), module.register_forward_hook(end)


def _write(events, path):
    """As Kineto does, without which PyTorch writes no sequence numbers, and Debian's is."""
    lines = [{"ph": "X", "cat": "user_annotation" if one.scope == _USER_SCOPE else "cpu_op", "name": one.name,
              "pid": 0, "tid": one.thread, "ts": one.time_range.start, "dur": one.time_range.end - one.time_range.start,
              "args": {"Sequence number": one.sequence_nr, "Fwd thread id": one.fwd_thread}} for one in events]
    with open(path, "w", encoding="utf-8") as file:
        json.dump({"schemaVersion": 1, "traceEvents": lines}, file)
