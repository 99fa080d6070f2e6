// SPDX-License-Identifier: Apache-2.0
// The authors' simulator once more, from a description of what it counts: slow, plain, for tests.
#pragma once

#include "verify/authors/model/layer.hpp"
#include "verify/authors/model/rules.hpp"

namespace td::authors {

/// The cost of an operation on one tile. Throws UserError for layers that the authors' simulator
/// does not have.
///
/// choice.hpp is the text's "Which operand", streams.hpp and axis.hpp its "Streams", schedule.hpp
/// its "Scheduler" and "Counting"; rules.hpp names what it marks as the authors' own. Where the
/// text can be read in several ways, the published figures settle:
/// - passes keep their order in the count, kernel offsets of wgrad x fast, filter sets innermost,
///   because `skip` runs on;
/// - all phases of strided dgrad have P x Q windows (see axis.hpp);
/// - a wgrad's share of zeros in A is that of the corner at the origin, a tie goes to the second;
/// - the scheduled operand is written as both joined by + where images differ.
/// They do not settle what none of their layers has: stride-1 dgrad with 2p other than R-1, strided
/// dgrad without asymmetric padding or with W scheduled, the rotation of the kernel, which only
/// weights on side B, larger than 1x1, would show, and the counter of each phase, which happens to
/// change no line. There the words of the text are taken as they stand; by our rules tdsim's model
/// judges these too.
///
/// Images apart, as such, make no difference to ours: there, too, an image ends its streams, and
/// passes add up whatever their order.
Cost reference_cost(const Layer& layer, sim::Op op, const Tile& tile, const Rules& rules);

}  // namespace td::authors
