// SPDX-License-Identifier: Apache-2.0
// Whether the engines keep the bus busy when nothing makes them wait.
#pragma once

#include <string>
#include <vector>

#include "verify/accelerator/dma/dma_model.hpp"
#include "verify/accelerator/dma/dma_transfer.hpp"

namespace td::verify {

/// Returns what is too slow; nothing if all is well.
std::vector<std::string> check_rates(DmaModel& model, const DmaShape& shape);

}  // namespace td::verify
