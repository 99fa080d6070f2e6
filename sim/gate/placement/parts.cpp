// SPDX-License-Identifier: Apache-2.0
#include "sim/gate/placement/parts.hpp"

#include <algorithm>
#include <iterator>
#include <tuple>
#include <utility>

#include "sim/gate/placement/wire_tree.hpp"

namespace td::gate {

namespace {

void cut(Branches branches, double pF_per_um, double limit_pF, std::vector<Part>& parts) {
  Box box(branches.front().place);
  for (const Branch& branch : branches) box.add(branch.place);
  if (branches.size() <= 2 || fit(box.middle(), branches, pF_per_um, limit_pF)) {
    parts.push_back({std::move(branches), box.middle()});
    return;
  }
  const std::size_t axis = box.size(kX) > box.size(kY) ? kX : kY;
  const auto half = branches.begin() + static_cast<std::ptrdiff_t>(branches.size() / 2);
  std::sort(branches.begin(), branches.end(), [axis](const Branch& a, const Branch& b) {
    return std::tie(a.place[axis], a.pin.vertex, a.pin.pin) <
           std::tie(b.place[axis], b.pin.vertex, b.pin.pin);
  });
  Branches others(std::make_move_iterator(half), std::make_move_iterator(branches.end()));
  branches.erase(half, branches.end());
  cut(std::move(branches), pF_per_um, limit_pF, parts);
  cut(std::move(others), pF_per_um, limit_pF, parts);
}

}  // namespace

std::vector<PlacedPin> pins_of(const Branches& branches) {
  std::vector<PlacedPin> pins;
  std::transform(branches.begin(), branches.end(), std::back_inserter(pins),
                 [](const Branch& branch) { return branch.pin; });
  return pins;
}

bool fit(const Point& from, const Branches& branches, double pF_per_um, double limit_pF) {
  double load = 0;
  std::vector<Point> places{from};
  for (const Branch& branch : branches) {
    load += branch.pF;
    places.push_back(branch.place);
  }
  // Many pins need no tree to be too many.
  return load <= limit_pF && load + wire_tree(places).length() * pF_per_um <= limit_pF;
}

std::vector<Part> parts_of(Branches branches, double pF_per_um, double limit_pF) {
  std::vector<Part> parts;
  if (!branches.empty()) cut(std::move(branches), pF_per_um, limit_pF, parts);
  return parts;
}

}  // namespace td::gate
