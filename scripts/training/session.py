# SPDX-License-Identifier: Apache-2.0
"""One network trained for some epochs, in an arithmetic: what is recorded of it, and how it goes on after a stop."""

import math
import os
import pickle
import time

import torch

from toolbox.errors import UserError

from . import table, tile
from .examples import Pruner, accuracy, build, cross_entropy, optimiser, tensors


class Session:
    """Trained as examples.optimiser() says. A checkpoint is written after each epoch; a session that is started again with the same arguments goes on from it, to the same
    bits."""

    def __init__(self, arguments, data, operator):
        """operator: a tile.Tile, or None for PyTorch's own arithmetic."""
        self.arguments = arguments
        self.images, self.labels, self.test_images, self.test_labels = _first(tensors(data), arguments)
        self.per_epoch = len(self.labels) // arguments.batch
        total = self.per_epoch * arguments.epochs
        if self.per_epoch == 0:
            raise UserError("command line", "--batch", arguments.batch, f"1..{len(self.labels)} training images")
        if arguments.prune_step >= total:
            raise UserError("command line", "--prune-step", arguments.prune_step, f"0..{total - 1}, steps of the run")
        self.identity = _identity(arguments, operator)
        torch.manual_seed(arguments.seed)
        self.model = build(arguments.network, data)
        if operator is not None:
            tile.use(self.model, operator)
        self.optimizer, self.schedule = optimiser(self.model, arguments, total)
        self.pruner, self.step, self.history = None, 0, []
        self._go_on()

    def epoch(self, progress):
        """Trains one epoch, and tests; whether there was one left."""
        if len(self.history) == self.arguments.epochs:
            return False
        begin, losses = time.process_time(), []
        order = torch.randperm(len(self.labels))
        for number in range(self.per_epoch):
            losses.append(self._one_step(order[number * self.arguments.batch:][:self.arguments.batch]))
            progress.set(self.step)
        right = accuracy(self.model, self.test_images, self.test_labels)
        self.history.append({"epoch": len(self.history) + 1, "steps": self.step,
                             "loss": round(sum(losses) / len(losses), 6), "test_accuracy": round(right, 6),
                             "cpu_seconds": round(time.process_time() - begin, 2)})
        self._save()
        return True

    def _one_step(self, chosen):
        if self.arguments.prune and self.step == self.arguments.prune_step:
            self.pruner = Pruner(self.model, self.arguments.prune)
            self.pruner.apply()
        self.optimizer.zero_grad()
        loss = cross_entropy(self.model, self.images[chosen], self.labels[chosen])
        loss.backward()
        self.optimizer.step()
        self.schedule.step()
        if self.pruner:
            self.pruner.apply()
        self.step += 1
        if not math.isfinite(loss.item()):
            raise UserError("command line", "--lr", self.arguments.lr,
                            f"a smaller one: the loss is {loss.item()} at step {self.step}")
        return loss.item()

    def _save(self):
        path = self.arguments.checkpoint
        if path is None:
            return
        state = {"identity": self.identity, "model": self.model.state_dict(),
                 "optimizer": self.optimizer.state_dict(), "schedule": self.schedule.state_dict(),
                 "random": torch.get_rng_state(), "step": self.step, "history": self.history,
                 "masks": self.pruner and [mask for _, mask in self.pruner.masks]}
        temporary = f"{path}.{os.getpid()}.tmp"
        try:
            torch.save(state, temporary)
            os.replace(temporary, path)
        except OSError as error:
            raise UserError("command line", "--checkpoint", path, f"a writable file: {error.strerror}") from None

    def _go_on(self):
        path = self.arguments.checkpoint
        if path is None or not os.path.exists(path):
            return
        try:
            state = torch.load(path)
            same = state["identity"] == self.identity
        except (OSError, RuntimeError, EOFError, KeyError, TypeError, pickle.UnpicklingError):
            raise UserError("command line", "--checkpoint", path, "a checkpoint of scripts/train") from None
        if not same:
            raise UserError("command line", "--checkpoint", path,
                            "a new file, or the checkpoint of a run with the same arguments")
        self.model.load_state_dict(state["model"])
        self.optimizer.load_state_dict(state["optimizer"])
        self.schedule.load_state_dict(state["schedule"])
        torch.set_rng_state(state["random"])
        self.step, self.history = state["step"], state["history"]
        if state["masks"]:
            self.pruner = Pruner(self.model, self.arguments.prune)
            self.pruner.masks = [(weight, mask) for (weight, _), mask in zip(self.pruner.masks, state["masks"])]


def _identity(arguments, operator):
    """What decides about the bits."""
    return {**{name: value for name, value in vars(arguments).items()
               if name not in ("out", "checkpoint", "threads", "cache", "table")}, "tile": operator and operator.hash}


def _first(parts, arguments):
    """So many images of each part, all where None was asked for."""
    chosen = []
    for option, wanted, images, labels in (("--train-images", arguments.train_images, *parts[:2]),
                                           ("--test-images", arguments.test_images, *parts[2:])):
        if wanted is not None and wanted > len(labels):
            raise UserError("command line", option, wanted, f"1..{len(labels)}, what the data set has")
        chosen += [images[:wanted], labels[:wanted]]
    return chosen


def result(session, operator, data):
    """What is written of a session that is done."""
    arguments = session.arguments
    return {
        "schema": table.SCHEMA, "network": arguments.network, "dataset": data["text"],
        "framework": f"pytorch {torch.__version__}", "arithmetic": arguments.arithmetic,
        "config": operator and {"name": operator.name, "hash": operator.hash, "sum": operator.sum},
        "seed": arguments.seed, "epochs": arguments.epochs, "batch": arguments.batch, "learning_rate": arguments.lr,
        "prune": arguments.prune, "prune_step": arguments.prune_step,
        "train_images": len(session.labels), "test_images": len(session.test_labels),
        "history": session.history, "test_accuracy": session.history[-1]["test_accuracy"],
        "cpu_seconds": round(sum(epoch["cpu_seconds"] for epoch in session.history), 2),
    }
