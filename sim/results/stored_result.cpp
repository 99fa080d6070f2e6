// SPDX-License-Identifier: Apache-2.0
// Reading of result files, which may say anything.
#include "sim/results/stored_result.hpp"

#include <fmt/format.h>

#include <set>
#include <string_view>
#include <tuple>

#include "base/readers/json_document.hpp"
#include "base/support/error.hpp"
#include "base/support/text_file.hpp"
#include "sim/mapping/layer.hpp"
#include "sim/results/run_result.hpp"

namespace td::sim {

namespace {

constexpr std::size_t kMostBytes = std::size_t{1} << 28;
/// Together they bound every sum by 2^62.
constexpr std::size_t kMostOperations = std::size_t{1} << 16;
constexpr std::uint64_t kMostCycles = std::uint64_t{1} << 46;
constexpr double kMostEnergy = 1e30;
constexpr std::uint64_t kMostOfArray = std::uint64_t{1} << 31;

double read_energy(const JsonValue& value) {
  const double energy = value.number_or_null().value_or(-1);
  if (!(energy >= 0 && energy <= kMostEnergy)) {
    value.fail(fmt::format("a number of 0..{}", kMostEnergy));
  }
  return energy;
}

/// Whether the byte goes on with a character of UTF-8, which all of our JSON is.
bool is_continuation(char c) { return (static_cast<unsigned char>(c) & 0xc0) == 0x80; }

/// Models and datasets may be called anything; a terminal must not be told to do anything.
std::string shown(const JsonValue& value) {
  const std::string_view text = value.text();
  std::string result;
  for (std::size_t begin = 0; begin < text.size();) {
    std::size_t end = begin + 1;
    while (end < text.size() && is_continuation(text[end])) ++end;
    const std::string_view character = text.substr(begin, end - begin);
    result += is_printable(character) ? character : "?";
    begin = end;
  }
  return result;
}

/// Reads one member after the other and remembers them as facts.
class FactReader {
 public:
  FactReader(const JsonValue& object, std::string prefix, StoredResult& result)
      : object_(object), prefix_(std::move(prefix)), result_(result) {}

  void text(const char* key) { add(key, shown(member(key))); }
  void number(const std::string& key, std::uint64_t least = 1) {
    add(key, fmt::format("{}", member(key).integer(least, kMostOfArray)));
  }
  void energy(const char* key) { add(key, fmt::format("{}", read_energy(member(key)))); }
  /// Nothing where it is null.
  void number_or_null(const char* key) {
    const JsonValue value = member(key);
    add(key, value.is_null() ? "" : fmt::format("{}", value.integer(1, kMostOfArray)));
  }
  void text_or_null(const char* key) {
    if (member(key).is_null()) {
      add(key, "");
    } else {
      text(key);
    }
  }
  void flag(const char* key) { add(key, member(key).boolean() ? "true" : "false"); }

 private:
  JsonValue member(const std::string& key) const { return object_.member(key, prefix_ + key); }
  void add(const std::string& key, std::string value) {
    result_.facts.emplace_back(prefix_ + key, std::move(value));
  }

  JsonValue object_;
  std::string prefix_;
  StoredResult& result_;
};

void read_facts(const JsonValue& root, StoredResult& result) {
  FactReader run(root, "", result);
  run.text("program");
  FactReader configuration(root.member("configuration", "configuration"), "configuration.", result);
  for (const char* key : {"name", "hash"}) configuration.text(key);
  for (const char* key : {"lanes", "rows", "columns"}) configuration.number(key);
  configuration.text("scheduling");
  configuration.number("depth_rows");
  for (const char* key : {"pattern", "format", "output"}) configuration.text(key);
  FactReader accelerator(root.member("accelerator", "accelerator"), "accelerator.", result);
  accelerator.text("hash");
  for (const AcceleratorSize& size : accelerator_sizes({})) {
    accelerator.number(size.name, static_cast<std::uint64_t>(size.least));
  }
  run.text("split");
  run.text("schedule");
  run.flag("gate");
  run.number_or_null("latency_clocks");
  run.number_or_null("bandwidth_bytes_in_1000_clocks");
  run.flag("packed");
  run.text_or_null("objective");
  FactReader technology(root.member("technology", "technology"), "technology.", result);
  for (const char* key : {"name", "hash"}) technology.text(key);
  technology.number("clock_MHz");
  technology.text("memories");
  technology.text("compute_energy");
  technology.energy("dense_step_pJ");
  technology.energy("gating_zero_share");
  FactReader source(root.member("source", "source"), "source.", result);
  for (const char* key : {"path", "identity", "model", "dataset", "conversion"}) source.text(key);
}

/// Four sizes that read_facts() has accepted.
std::int64_t read_multipliers(const JsonValue& root) {
  const JsonValue configuration = root.member("configuration", "configuration");
  std::int64_t multipliers = 1;
  const auto times = [&multipliers](const JsonValue& object, const char* key) {
    const JsonValue size = object.member(key, key);
    if (__builtin_mul_overflow(multipliers, size.integer(1, kMostOfArray), &multipliers)) {
      size.fail(fmt::format("an array of at most {} multipliers", INT64_MAX));
    }
  };
  for (const char* key : {"lanes", "rows", "columns"}) times(configuration, key);
  times(root.member("accelerator", "accelerator"), "tiles");
  return multipliers;
}

void read_notes(const JsonValue& array, StoredResult& result) {
  const std::size_t size = array.size("an array of texts");
  for (std::size_t i = 0; i < size; ++i) {
    result.notes.push_back(shown(array.element(i, fmt::format("notes[{}]", i))));
  }
}

StoredBusy read_busy(const JsonValue& entry, const std::string& prefix) {
  const auto cycles = [&](const char* name) {
    const std::string key = prefix + name;
    return entry.member(key, entry.field() + "." + key).integer(0, kMostCycles);
  };
  return {cycles("slowest_tile_steps"), cycles("bus_read_cycles"), cycles("bus_written_cycles")};
}

StoredMachine read_machine(const JsonValue& entry) {
  const auto member = [&entry](const char* key) {
    return entry.member(key, entry.field() + "." + key);
  };
  StoredMachine machine;
  machine.dense_memory_cycles = member("dense_memory_cycles").integer(0, kMostCycles);
  machine.zero_free_memory_cycles = member("zero_free_memory_cycles").integer(0, kMostCycles);
  machine.memory_cycles = member("memory_cycles").integer(0, kMostCycles);
  machine.dense_busy = read_busy(entry, "dense_");
  machine.busy = read_busy(entry, "");
  machine.dense_energy_pJ = read_energy(member("dense_energy_pJ"));
  machine.energy_pJ = read_energy(member("energy_pJ"));
  return machine;
}

/// `has_machine`: what it takes from memory to memory is there too.
StoredOperation read_operation(const JsonValue& entry, bool has_machine) {
  const auto member = [&entry](const char* key) {
    return entry.member(key, entry.field() + "." + key);
  };
  StoredOperation operation;
  operation.snapshot = member("snapshot").name();
  operation.layer = member("layer").name();
  const JsonValue op = member("op");
  operation.op = op.text();
  bool known = false;
  for (const Op one : {Op::fwd, Op::dgrad, Op::wgrad}) known |= operation.op == to_string(one);
  if (!known) op.fail("fwd, dgrad or wgrad");
  operation.dense_cycles = member("dense_cycles").integer(0, kMostCycles);
  operation.zero_free_cycles = member("zero_free_cycles").integer(0, kMostCycles);
  operation.cycles = member("cycles").integer(0, kMostCycles);
  operation.dense_compute_energy_pJ = read_energy(member("dense_compute_energy_pJ"));
  operation.zero_free_compute_energy_pJ = read_energy(member("zero_free_compute_energy_pJ"));
  operation.compute_energy_pJ = read_energy(member("compute_energy_pJ"));
  if (has_machine) operation.machine = read_machine(entry);
  const auto count = [&](const char* key) {
    return entry.has(key) ? member(key).integer(0, kMostCycles) : 0;
  };
  operation.first_tensor_elements = count("first_tensor_elements");
  operation.second_tensor_elements = count("second_tensor_elements");
  return operation;
}

void read_operations(const JsonValue& array, bool has_machine, StoredResult& result) {
  const std::string legal = fmt::format("an array of 1..{} operations", kMostOperations);
  const std::size_t size = array.size(legal);
  if (size < 1 || size > kMostOperations) array.fail(legal);
  std::set<std::tuple<std::string, std::string, std::string>> seen;
  for (std::size_t i = 0; i < size; ++i) {
    const JsonValue entry = array.element(i, fmt::format("operations[{}]", i));
    StoredOperation operation = read_operation(entry, has_machine);
    if (!seen.emplace(operation.snapshot, operation.layer, operation.op).second) {
      entry.fail(fmt::format("operations named once; {}/{} {} is there already", operation.snapshot,
                             operation.layer, operation.op));
    }
    result.operations.push_back(std::move(operation));
  }
}

}  // namespace

StoredResult read_result(const std::string& path) {
  const std::string text = read_text(path, "a readable result of tdsim", kMostBytes);
  const JsonDocument document(text, path, "file");
  const JsonValue root = document.root();
  const JsonValue format = root.member("format", "format");
  if (format.text() != kResultFormat) format.fail(kResultFormat);
  StoredResult result;
  result.file = path;
  read_facts(root, result);
  result.multipliers = read_multipliers(root);
  read_notes(root.member("notes", "notes"), result);
  const bool has_machine = !root.member("latency_clocks", "latency_clocks").is_null();
  read_operations(root.member("operations", "operations"), has_machine, result);
  return result;
}

}  // namespace td::sim
