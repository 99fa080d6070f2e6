// SPDX-License-Identifier: Apache-2.0
// A trace: the mapped file together with what its header says.
#include "sim/trace/trace.hpp"

#include <set>

#include "base/support/error.hpp"
#include "base/support/hash.hpp"

namespace td::sim {

Trace::Trace(const std::string& path)
    : path_(path), file_(path), header_(read_header(file_, path)) {}

std::string Trace::identity() const {
  const std::string size = fmt::format("{}", file_.bytes());
  return hash_text(fnv1a(size, fnv1a(file_.header())));
}

const TensorView& Trace::tensor(const LayerInfo& layer, Operand operand) const {
  const std::string name = sim::path(layer) + "/" + to_string(operand);
  const auto found = header_.tensors.find(name);
  if (found == header_.tensors.end()) throw UserError(path_ + ": has no tensor " + name);
  return found->second;
}

const TensorView* Trace::result(const LayerInfo& layer, Op op) const {
  const auto found = header_.results.find(sim::path(layer) + "/" + result_name(op));
  return found == header_.results.end() ? nullptr : &found->second;
}

std::string Trace::conversion_text(Format format) const {
  std::set<std::string> kinds;
  for (const auto& [name, tensor] : header_.tensors) {
    const std::string text = sim::conversion_text(tensor.dtype, format, format == Format::fp8);
    if (!text.empty()) kinds.insert(text);
  }
  std::string texts;
  for (const std::string& kind : kinds) texts += (texts.empty() ? "" : "; ") + kind;
  return texts;
}

}  // namespace td::sim
