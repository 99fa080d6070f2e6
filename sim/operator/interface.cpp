// SPDX-License-Identifier: Apache-2.0
#include "sim/operator/interface.h"

#include <fmt/format.h>
#include <tbb/task_arena.h>

#include <cstdio>
#include <exception>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <utility>

#include "base/configuration/preset.hpp"
#include "base/support/error.hpp"
#include "sim/operator/operation.hpp"

using td::sim::LayerInfo;
using td::sim::LayerType;
using td::sim::Op;

/// A configuration, its threads, and the operations that were asked for so far.
struct td_operator {
  td_operator(const char* name, int threads)
      : config(td::find_config(name)),
        arena(threads),
        text(fmt::format("{} {} {}", config.name, td::config_hash_text(config),
                         config.sum == td::Sum::fused ? "fused" : "tree")) {
    const td::sim::StepTables supported(config);
    if (config.output == td::Format::fp8) {
      throw td::UserError(name, "tile.numerics.output", "fp8",
                          "fp32 or bf16, whose scale is known");
    }
  }

  /// The operation of this geometry, which does not depend on a convolution's images.
  const td::sim::Operation& operation(LayerInfo layer, Op op) {
    if (layer.type == LayerType::conv2d) layer.a[0] = layer.go[0] = 1;
    const std::lock_guard<std::mutex> lock(mutex);
    std::unique_ptr<td::sim::Operation>& found =
        operations[{td::sim::geometry_text(layer), static_cast<int>(op)}];
    if (!found) found = std::make_unique<td::sim::Operation>(config, layer, op);
    return *found;
  }

  td::Config config;
  tbb::task_arena arena;
  std::string text;
  std::mutex mutex;
  std::map<std::pair<std::string, int>, std::unique_ptr<td::sim::Operation>> operations;
};

namespace {

template <class Call>
int guarded(char* error, std::size_t bytes, const Call& call) {
  try {
    call();
    return td::kExitPass;
  } catch (const td::UserError& wrong) {
    std::snprintf(error, bytes, "%s", wrong.what());
    return td::kExitUserError;
  } catch (const std::exception& failed) {
    std::snprintf(error, bytes, "%s", failed.what());
    return td::kExitCheckFailed;
  }
}

LayerInfo layer_of(const td_layer& given) {
  LayerInfo layer;
  layer.snapshot = "operator";
  layer.name = "layer";
  layer.type = given.linear != 0 ? LayerType::linear : LayerType::conv2d;
  const int rank = given.linear != 0 ? 2 : 4;
  layer.a.assign(given.a, given.a + rank);
  layer.w.assign(given.w, given.w + rank);
  layer.go.assign(given.go, given.go + rank);
  if (given.linear != 0) return layer;
  for (int axis = 0; axis < 2; ++axis) {
    layer.conv.stride[axis] = given.stride[axis];
    layer.conv.padding[axis] = given.padding[axis];
    layer.conv.dilation[axis] = given.dilation[axis];
  }
  layer.conv.groups = given.groups;
  return layer;
}

Op op_of(int number) {
  if (number < 0 || number > 2) {
    throw td::UserError("operator", "operation", std::to_string(number), "0, 1 or 2");
  }
  return static_cast<Op>(number);
}

}  // namespace

int td_operator_open(const char* config, int threads, td_operator** opened, char* error,
                     size_t error_bytes) {
  return guarded(error, error_bytes, [&] {
    if (threads < 1 || threads > 1024) {
      throw td::UserError("operator", "threads", std::to_string(threads), "1..1024");
    }
    *opened = new td_operator(config, threads);
  });
}

void td_operator_close(td_operator* opened) { delete opened; }

const char* td_operator_text(const td_operator* opened) { return opened->text.c_str(); }

int td_operator_run(td_operator* opened, int operation, const td_layer* layer, const float* first,
                    const float* second, float* result, char* error, size_t error_bytes) {
  return guarded(error, error_bytes, [&] {
    const Op op = op_of(operation);
    const LayerInfo info = layer_of(*layer);
    td::sim::check_layer(info, "operator");
    const td::sim::Operation& known = opened->operation(info, op);
    opened->arena.execute([&] { known.run(info, first, second, result); });
  });
}
