// SPDX-License-Identifier: Apache-2.0
// What every testbench includes, whatever its design: compiled once for those of a regression.
#pragma once

#include <fmt/format.h>
#include <verilated.h>
#include <verilated_sc.h>

#include <systemc>

#include "base/support/error.hpp"
#include "base/support/progress.hpp"
#include "sim/replay/predictor.hpp"
#include "sim/replay/stimulus.hpp"
#include "verify/replay/bench.hpp"
#include "verify/replay/lane_check.hpp"
#include "verify/tile/pins.hpp"
