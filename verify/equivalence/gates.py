# SPDX-License-Identifier: Apache-2.0
"""Circuits of Yosys' simple gates, without state: simulation of many vectors at once, and BLIF."""

import dataclasses

from toolbox.errors import CheckError

# Type -> input pins, BLIF cover, function of masks (all ones first).
TYPES = {
    "$_BUF_": ("A", "1 1\n", lambda _, a: a),
    "$_NOT_": ("A", "0 1\n", lambda ones, a: ones ^ a),
    "$_AND_": ("AB", "11 1\n", lambda _, a, b: a & b),
    "$_NAND_": ("AB", "0- 1\n-0 1\n", lambda ones, a, b: ones ^ (a & b)),
    "$_OR_": ("AB", "1- 1\n-1 1\n", lambda _, a, b: a | b),
    "$_NOR_": ("AB", "00 1\n", lambda ones, a, b: ones ^ (a | b)),
    "$_XOR_": ("AB", "10 1\n01 1\n", lambda _, a, b: a ^ b),
    "$_XNOR_": ("AB", "00 1\n11 1\n", lambda ones, a, b: ones ^ a ^ b),
    "$_ANDNOT_": ("AB", "10 1\n", lambda ones, a, b: a & (ones ^ b)),
    "$_ORNOT_": ("AB", "1- 1\n-0 1\n", lambda ones, a, b: a | (ones ^ b)),
    "$_MUX_": ("ABS", "1-0 1\n-11 1\n", lambda ones, a, b, s: (a & (ones ^ s)) | (b & s)),
}


@dataclasses.dataclass
class Circuit:
    """Nets are keys of any kind; "0", "1" are constants, "x" an undefined value, taken as 0."""

    gates: dict      # net -> (type, nets of its pins)
    inputs: dict     # net -> name; several nets may have one name
    outputs: dict    # name -> net

    def order(self):
        """Nets of the gates that the outputs need, each behind what it depends on."""
        order, seen = [], set(self.inputs) | {"0", "1", "x"}
        for output in self.outputs.values():
            stack = [output]
            while stack:
                net = stack[-1]
                if net in seen:
                    stack.pop()
                    continue
                if net not in self.gates:
                    raise CheckError(f"net {net}: nothing drives it")
                waiting = [source for source in self.gates[net][1] if source not in seen]
                if not waiting:
                    seen.add(net)
                    order.append(net)
                    stack.pop()
                elif len(stack) > len(self.gates) + 1:
                    raise CheckError(f"net {net}: a loop without a register")
                stack += waiting
        return order

    def simulate(self, values, ones):
        """Output -> mask of its values. values: input name -> mask; ones: mask of all vectors."""
        known = {"0": 0, "1": ones, "x": 0}
        known.update((net, values[name]) for net, name in self.inputs.items())
        for net in self.order():
            kind, pins = self.gates[net]
            known[net] = TYPES[kind][2](ones, *(known[pin] for pin in pins))
        return {name: known[net] for name, net in self.outputs.items()}

    def blif(self, inputs, outputs):
        """As ABC reads it, inputs and outputs in the order given."""
        place = {name: f"i{index}" for index, name in enumerate(inputs)}
        names = {net: place[name] for net, name in self.inputs.items()}
        lines = [".model circuit", ".inputs " + " ".join(place.values()),
                 ".outputs " + " ".join(f"o{index}" for index in range(len(outputs))),
                 ".names zero", ".names one\n1"]
        names |= {"0": "zero", "1": "one", "x": "zero"}
        for index, net in enumerate(self.order()):
            kind, pins = self.gates[net]
            names[net] = f"n{index}"
            lines.append(f".names {' '.join(names[pin] for pin in pins)} n{index}\n"
                         f"{TYPES[kind][1].rstrip()}")
        lines += [f".names {names[self.outputs[name]]} o{index}\n1 1"
                  for index, name in enumerate(outputs)]
        return "\n".join(lines) + "\n.end\n"
