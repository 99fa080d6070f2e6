// SPDX-License-Identifier: Apache-2.0
// The rule by which lanes take pairs, once: that of hw/tile/td1_scheduler.v. Pictures, reference
// model, cycle simulation, search and operator all choose with it, each on masks of its own: a bit
// for every lane, a bit for every group of streams, registers of either, or one lane.
#pragma once

namespace td {

/// Those who choose at once (lanes of a level, or one lane in many groups) look through the options
/// in their order of priority, and take the first effectual element that they see.
///
/// `options`: 1 or more. `undecided`: a bit for each that has yet to choose. `window`: seen(option)
/// has the bits of those that see an effectual element through it; take(option, seen, undecided)
/// removes from the window what seen & undecided take. Returns those that found nothing.
template <class Mask, class Window>
inline Mask choose(int options, Mask undecided, Window& window) {
  const auto look = [&](int option) {
    const Mask seen = window.seen(option);
    window.take(option, seen, undecided);
    undecided = undecided & ~seen;
  };
  look(0);  // by itself: windows know more of a lane's own element, and compilers then do
  for (int option = 1; option < options; ++option) look(option);
  return undecided;
}

}  // namespace td
