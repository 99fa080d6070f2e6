// SPDX-License-Identifier: Apache-2.0
#include "gen/diagram/diagrams.hpp"

#include "base/configuration/geometry.hpp"
#include "base/support/error.hpp"
#include "gen/diagram/graphviz.hpp"

namespace td {

std::vector<OutputFile> emit_diagrams(const Config& config, const DiagramOptions& options) {
  const int lane = options.lane < 0 ? config.lanes / 2 : options.lane;
  if (lane >= config.lanes) {
    throw UserError("tdgen diagram", "--lane", fmt::format("{}", lane),
                    fmt::format("0..{} (tile.lanes - 1)", config.lanes - 1));
  }
  std::vector<OutputFile> files = {
      {config.name + "_tile.svg", draw_svg(tile_drawing(config).dot())},
      {config.name + "_pe.svg", draw_svg(pe_drawing(config).dot())}};
  if (!accelerator_obstacle(config)) {
    files.push_back(
        {config.name + "_accelerator.svg", draw_svg(accelerator_drawing(config).dot())});
  }
  if (config.is_dense()) return files;
  files.push_back({config.name + "_lane.svg", draw_svg(lane_drawing(config, lane).dot())});
  const StepOperands operands = step_operands(config, options.seed);
  files.push_back({config.name + "_step.svg", draw_svg(step_drawing(config, operands).dot())});
  return files;
}

}  // namespace td
