// SPDX-License-Identifier: Apache-2.0
#include "sim/mapping/layer_links.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace td::sim {

namespace {

bool reads(const LayerLink& link, std::size_t layer) {
  return std::find(link.from.begin(), link.from.end(), layer) != link.from.end();
}

}  // namespace

std::string link_obstacle(const std::vector<LayerInfo>& layers, const LayerLinks& links) {
  const LayerInfo& last = layers.back();
  const std::vector<std::size_t>& from = links.back().from;
  if (from.empty()) return "";
  std::int64_t channels = 0;
  for (const std::size_t one : from) channels += layers[one].go[1];
  const bool flattens =
      last.type == LayerType::linear && layers[from.front()].type == LayerType::conv2d;
  if (flattens ? last.a[1] % channels != 0 : last.a[1] != channels) {
    return fmt::format("layers whose outputs make the {} inputs, not {}", last.a[1], channels);
  }
  for (std::size_t i = 0; i + 1 < layers.size(); ++i) {
    const bool shares = std::any_of(from.begin(), from.end(),
                                    [&](std::size_t one) { return reads(links[i], one); });
    if (shares && (links[i].from != from || layers[i].a != last.a)) {
      return fmt::format("all that {} has, whose input then is the same, or nothing of it",
                         layers[i].name);
    }
  }
  return "";
}

}  // namespace td::sim
