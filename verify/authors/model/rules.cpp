// SPDX-License-Identifier: Apache-2.0
// What the rules are called, and what they say.
#include "verify/authors/model/rules.hpp"

namespace td::authors {

const std::vector<Rule>& all_rules() {
  static const std::vector<Rule> rules = {
      {&Rules::operand, "operand", "chosen for each image", "chosen for the layer, all images"},
      {&Rules::dgrad_padding, "dgrad_padding", "stride 1: GO padded by p", "by R-1-p, or cropped"},
      {&Rules::phase_padding, "phase_padding",
       "stride > 1: GO padded by p (or p-1 before, p after), P windows in every phase",
       "the windows and positions that the phase's outputs need"},
      {&Rules::phase_weights, "phase_weights", "stride > 1: W on side B only skips empty rows",
       "it is scheduled like any other"},
      {&Rules::linear_windows, "linear_windows", "fwd, dgrad: one window, image by image",
       "the images of the batch are windows"},
      {&Rules::linear_wgrad, "linear_wgrad", "T = 1 with one useful lane, image by image",
       "the batch is packed into lanes"},
      {&Rules::skip_reset, "skip_reset", "skip runs on from pass to pass of an image or phase",
       "each pass starts anew"},
      {&Rules::schedule_start, "schedule_start",
       "up to two leading empty rows take no promoted elements", "row 0 always does"},
      {&Rules::count_start, "count_start", "up to two leading empty rows are free",
       "row 0 always costs a cycle"}};
  return rules;
}

}  // namespace td::authors
