// SPDX-License-Identifier: Apache-2.0
// Where ports stand around the core.
#pragma once

#include <cstdint>

#include "sim/gate/layout/layout.hpp"

namespace td::gate {

/// Ports evenly around the core, by number.
void line_up_ports(const Layout& layout, const Core& core, Places& places);

/// ... in the order in which what they are joined to lies around the middle: while that is still in
/// a heap there.
void turn_ports(const Layout& layout, const Core& core, Places& places);

/// Ports where the core's edge is nearest to what they are joined to, as far apart as the shapes
/// say or, where that is more than there is room for, evenly.
void draw_ports(const Layout& layout, const Core& core, Places& places);

}  // namespace td::gate
