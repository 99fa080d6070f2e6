// SPDX-License-Identifier: Apache-2.0
#include "gen/diagram/tile_picture.hpp"

namespace td::tile_look {
namespace {

Shape filled(const char* fill, const char* line) {
  Shape look;
  look.fill = fill;
  look.line = line;
  look.size = kText;
  return look;
}

Wire wire_of(const char* line, bool dashed, bool arrow) {
  Wire wire;
  wire.line = line;
  wire.width = dashed ? 1.2 : 1.6;
  wire.dashed = dashed;
  wire.arrow = arrow;
  return wire;
}

}  // namespace

const Shape kSideA = filled(colour::kSideA, colour::kSideALine);
const Shape kSideB = filled(colour::kSideB, colour::kSideBLine);
const Shape kControl = filled(colour::kControl, colour::kControlLine);
const Shape kCompute = filled(colour::kCompute, colour::kLine);
const Wire kDataA = wire_of(colour::kSideALine, false, true);
const Wire kDataB = wire_of(colour::kSideBLine, false, true);
const Wire kOutput = wire_of(colour::kLine, false, true);
const Wire kOrder = wire_of(colour::kControlLine, true, true);

}  // namespace td::tile_look
