// SPDX-License-Identifier: Apache-2.0
// Libraries as JSON: what synthesis must know of them, for programs in other languages.
#pragma once

#include <string>

#include "sim/gate/liberty/liberty.hpp"

namespace td::gate {

/// A function in postfix notation, as in "A B * !"; IQ and IQN are the state and its inverse.
std::string postfix(const Cell& cell, const Expression& expression);

/// {"library", "corner", "cells": [{"name", "area", "kind", "opens", "inputs_pF": {pin:
/// capacitance}, "functions": {output: postfix}}]}. kind: flip_flop, latch (or a state that is not
/// simulated), buffer, nand2 or other; opens: the level of its one enable at which a latch is open,
/// or null.
std::string library_json(const Library& library);

}  // namespace td::gate
