// SPDX-License-Identifier: Apache-2.0
// What leaves the chip of an operation's results, from the zeros of what they become.
#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "gen/configuration/config.hpp"
#include "sim/cycles/operand_choice.hpp"
#include "sim/mapping/layer_links.hpp"
#include "sim/memory/memory.hpp"

namespace td::sim {

/// Zeros of the activations of a layer.
using ZerosOfActivations = std::function<ZeroCount(const LayerInfo&)>;

/// Outputs leave as their part of the activations that they become, in the order of `from`.
/// Gradients leave without those whose activation is zero, where that has been through ReLU: it
/// lets none through there. None: they leave as they are, because `links` do not say, or because
/// that is no more. `layer` is one of `layers`.
std::optional<LeavingResult> leaving_result(const std::vector<LayerInfo>& layers,
                                            const LayerLinks& links, const LayerInfo& layer, Op op,
                                            const Config& config, const ZerosOfActivations& zeros);

}  // namespace td::sim
