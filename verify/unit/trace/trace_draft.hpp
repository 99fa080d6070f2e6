// SPDX-License-Identifier: Apache-2.0
// Traces for tests: a good one in parts, to be spoilt one at a time.
#pragma once

#include <doctest/doctest.h>

#include <cstdint>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "base/support/error.hpp"
#include "sim/trace/trace.hpp"
#include "verify/unit/base/folder.hpp"

namespace td::unit {

using nlohmann::json;

/// The parts of a trace file, to be spoilt one at a time.
struct Draft {
  json header = json::object();
  json metadata = {{"format", "tensordash-trace-1"},
                   {"model", "toy"},
                   {"dataset", "none"},
                   {"framework", "by hand"}};
  json layers = json::array();
  json snapshots = json::object();
  std::string data;

  void add(const std::string& name, const char* dtype, const std::vector<std::int64_t>& shape) {
    std::size_t bytes = dtype == std::string("F32") ? 4 : 2;
    for (const std::int64_t size : shape) bytes *= static_cast<std::size_t>(size);
    header[name] = {
        {"dtype", dtype}, {"shape", shape}, {"data_offsets", {data.size(), data.size() + bytes}}};
    for (std::size_t i = 0; i < bytes; ++i) data += static_cast<char>(data.size() % 113);
  }

  std::string text() const {
    json whole = header;
    whole["__metadata__"] = metadata;
    if (!layers.is_null()) whole["__metadata__"]["layers"] = layers.dump();
    if (!snapshots.is_null()) whole["__metadata__"]["snapshots"] = snapshots.dump();
    return whole.dump();
  }
};

inline void write(const std::string& path, const std::string& header, const std::string& data,
                  std::uint64_t length) {
  std::ofstream file(path, std::ios::binary);
  for (int i = 0; i < 8; ++i) file.put(static_cast<char>(length >> (8 * i)));
  file << header << data;
}

inline std::string write(const Folder& folder, const Draft& draft) {
  const std::string path = folder.file("t.safetensors");
  const std::string header = draft.text();
  write(path, header, draft.data, header.size());
  return path;
}

/// A convolution with groups, stride and dilation in BF16, and a linear layer in F32.
inline Draft good() {
  Draft draft;
  draft.layers = {{{"snapshot", "early"},
                   {"name", "conv1"},
                   {"type", "conv2d"},
                   {"needs_input_grad", false},
                   {"stride", {2, 1}},
                   {"padding", {1, 0}},
                   {"dilation", {1, 2}},
                   {"groups", 2}},
                  {{"snapshot", "early"}, {"name", "fc"}, {"type", "linear"}}};
  draft.snapshots = {
      {"early", {{"epoch", 0.5}, {"step", 20}, {"loss", 2.25}, {"test_accuracy", nullptr}}}};
  draft.add("early/conv1/A", "BF16", {2, 4, 6, 5});
  draft.add("early/conv1/W", "BF16", {6, 2, 3, 2});
  draft.add("early/conv1/GO", "BF16", {2, 6, 3, 3});
  draft.add("early/fc/A", "F32", {3, 7});
  draft.add("early/fc/W", "F32", {5, 7});
  draft.add("early/fc/GO", "F32", {3, 5});
  return draft;
}

/// What the reader says about the file; empty when it accepts it.
inline std::string refusal(const std::string& path) {
  try {
    const sim::Trace trace(path);
  } catch (const UserError& error) {
    const std::string text = error.what();
    CHECK(text.find('\n') == std::string::npos);
    CHECK(text.rfind(path + ": ", 0) == 0);
    return text.substr(path.size() + 2);
  }
  return "";
}

}  // namespace td::unit
