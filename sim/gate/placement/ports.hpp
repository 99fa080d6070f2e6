// SPDX-License-Identifier: Apache-2.0
// Where ports stand around the core.
#pragma once

#include "sim/gate/layout/layout.hpp"

namespace td::gate {

/// Ports evenly around the core, by number.
void line_up_ports(const Layout& layout, const Core& core, Places& places);

/// ... in the order in which what they are joined to lies around the middle: while that is still in
/// a heap there.
void turn_ports(const Layout& layout, const Core& core, Places& places);

/// Ports where the core's edge is nearest to what they are joined to, `pitch` µm apart or more;
/// without room for that evenly. Those that are joined to nothing here, as the clock's, stay where
/// others let them.
void draw_ports(const Layout& layout, const Core& core, double pitch, Places& places);

}  // namespace td::gate
