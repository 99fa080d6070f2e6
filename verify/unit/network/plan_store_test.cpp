// SPDX-License-Identifier: Apache-2.0
// Plans that are kept between runs: beside those of a run that keeps none.
#include "sim/accelerator/driver/plan_store.hpp"

#include <doctest/doctest.h>

#include <filesystem>
#include <fstream>
#include <functional>
#include <iterator>
#include <nlohmann/json.hpp>
#include <random>
#include <string>
#include <tuple>

#include "base/configuration/preset.hpp"
#include "base/support/hash.hpp"
#include "sim/accelerator/driver/step_layout.hpp"
#include "sim/accelerator/energy/operation_energy.hpp"
#include "sim/memory/technology.hpp"
#include "verify/unit/accelerator/operation_case.hpp"
#include "verify/unit/base/folder.hpp"
#include "verify/unit/base/refusal.hpp"
#include "verify/unit/memory/memory_operands.hpp"

namespace {

namespace fs = std::filesystem;

using nlohmann::json;
using td::sim::Cut;
using td::sim::Plans;
using td::sim::PlanStore;
using td::sim::StepLayout;
using td::sim::StepOptions;
using td::unit::MemoryOperands;
using td::unit::pick;

auto fields(const Cut& cut) {
  const td::sim::PlanOptions& options = cut.options;
  const td::sim::Estimate& estimate = cut.estimate;
  return std::make_tuple(
      std::tuple(options.scheduled, options.dense, options.zeros, options.memory.latency,
                 options.memory.bursts, options.memory.bandwidth),
      std::tuple(cut.across, cut.chunk, cut.part, cut.row_sub, cut.row_super, cut.lane_sub,
                 cut.lane_super, cut.rows_outer, cut.together, cut.keeps),
      std::tuple(cut.slots[0], cut.slots[1], cut.pairs, cut.adds, cut.area_words, cut.areas,
                 cut.fills.rows, cut.fills.lanes, cut.pass_clocks, cut.computes),
      std::tuple(estimate.compute, estimate.collect, estimate.load, estimate.store,
                 estimate.total));
}

void check_same(const Plans& plans, const Plans& expected) {
  CHECK(fields(plans.dense) == fields(expected.dense));
  CHECK(fields(plans.dropping) == fields(expected.dropping));
  CHECK(plans.pays == expected.pays);
}

/// A layer, and what is asked of the plans of its operations.
struct Question {
  td::Config config;
  MemoryOperands source;
  StepOptions options;
  td::sim::PlanOptions asked;
};

Question random_question(std::mt19937& random) {
  Question result;
  const char* presets[] = {"accel_tiny", "accel_quad", "accel_quad512"};
  result.config = td::find_config(presets[pick(random, 0, 2)]);
  result.source.add(
      pick(random, 0, 2) > 0 ? td::unit::random_conv(random) : td::unit::linear_layer(9, 40, 30),
      random, 0.5, 0.2, 0.5);
  const auto technology = td::sim::find_technology("paper_65nm", result.config);
  const td::sim::Objective objectives[] = {td::sim::Objective::time, td::sim::Objective::energy,
                                           td::sim::Objective::product};
  result.options.aim = td::sim::aim_of(result.config, technology,
                                       td::sim::stated_compute_energy(result.config, technology),
                                       objectives[pick(random, 0, 2)]);
  result.options.memory.latency = pick(random, 1, 100);
  result.options.wide = pick(random, 0, 1) == 0;
  result.options.packed = result.config.accelerator.unpack_rows > 0 && pick(random, 0, 1) == 0;
  result.asked.scheduled = pick(random, 0, 1) == 0 ? td::sim::Which::first : td::sim::Which::second;
  result.asked.dense = pick(random, 0, 3) == 0;
  result.asked.zeros = pick(random, 0, 64) / 64.0;
  return result;
}

/// Of the layer's first operation.
Plans plans(const Question& question, const PlanStore* store) {
  StepOptions options = question.options;
  options.store = store;
  const StepLayout layout(question.config, question.source, {}, options);
  return layout.plans(layout.operations().front(), question.asked);
}

fs::path only_file(const fs::path& folder) {
  REQUIRE(std::distance(fs::directory_iterator(folder), fs::directory_iterator()) == 1);
  return fs::directory_iterator(folder)->path();
}

std::string read(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

void write(const fs::path& path, const std::string& text) {
  std::ofstream(path, std::ios::binary) << text;
}

/// Changes a file so that nothing but its meaning is wrong.
void change(const fs::path& path, const std::function<void(json&)>& how) {
  json file = json::parse(read(path));
  how(file);
  file.erase("check");
  file["check"] = td::hash_text(td::fnv1a(file.dump()));
  write(path, file.dump());
}

TEST_CASE("plan store: plans come back as they were made, each for its own question") {
  std::mt19937 random(61);
  const td::unit::Folder folder;
  const PlanStore store(folder.path());
  for (int i = 0; i < 60; ++i) {
    const Question question = random_question(random);
    const Plans expected = plans(question, nullptr);
    check_same(plans(question, &store), expected);
    check_same(plans(question, &store), expected);
  }
  CHECK(std::distance(fs::directory_iterator(folder.path()), fs::directory_iterator()) > 55);
}

TEST_CASE("plan store: whatever a plan depends on is asked") {
  std::mt19937 random(62);
  Question question = random_question(random);
  question.config = td::find_config("accel_quad");
  const td::unit::Folder folder;
  const PlanStore store(folder.path());
  const auto files = [&] {
    return std::distance(fs::directory_iterator(folder.path()), fs::directory_iterator());
  };
  const auto kept = [&](const std::function<void(Question&)>& other) {
    const auto before = files();
    Question changed = question;
    other(changed);
    plans(changed, &store);
    return files() - before;
  };
  question.options.aim.objective = td::sim::Objective::time;
  question.options.wide = false;
  question.asked = {td::sim::Which::first, false, 0.5};
  CHECK(kept([](Question&) {}) == 1);
  CHECK(kept([](Question&) {}) == 0);
  CHECK(kept([](Question& q) { q.config.accelerator.outstanding = 8; }) == 1);
  CHECK(kept([](Question& q) { q.config.depth = 2; }) == 1);
  CHECK(kept([](Question& q) { q.options.wide = true; }) == 1);
  CHECK(kept([](Question& q) { ++q.options.memory.latency; }) == 1);
  CHECK(kept([](Question& q) { q.options.memory.bursts = 7; }) == 1);
  CHECK(kept([](Question& q) { q.options.memory.bandwidth = 9000; }) == 1);
  CHECK(kept([](Question& q) { q.asked.dense = true; }) == 1);
  CHECK(kept([](Question& q) { q.asked.scheduled = td::sim::Which::second; }) == 1);
  CHECK(kept([](Question& q) { q.asked.zeros += 1 / 64.0; }) == 1);
  CHECK(kept([](Question& q) { q.asked.zeros += 1 / 1024.0; }) == 0);
  CHECK(kept([](Question& q) { q.options.aim.costs.clock += 1; }) == 0);
  const auto energy = [&](double td::sim::PlanCosts::*cost, double more) {
    return kept([&](Question& q) {
      q.options.aim.objective = td::sim::Objective::energy;
      q.options.aim.costs.*cost += more;
    });
  };
  CHECK(energy(&td::sim::PlanCosts::clock, 0) == 1);
  CHECK(energy(&td::sim::PlanCosts::clock, 1) == 1);
  CHECK(kept([](Question& q) { q.options.aim.objective = td::sim::Objective::product; }) == 1);
}

TEST_CASE("plan store: what is there is taken, unless it is damaged or of another program") {
  std::mt19937 random(63);
  Question question = random_question(random);
  question.config = td::find_config("accel_tiny");
  question.options.packed = false;
  question.asked.dense = false;
  const td::unit::Folder folder;
  const PlanStore store(folder.path());
  const Plans expected = plans(question, &store);
  const fs::path file = only_file(folder.path());
  const std::string text = read(file);

  change(file, [](json& one) { one["pays"] = !one["pays"].get<bool>(); });
  CHECK(plans(question, &store).pays != expected.pays);

  const auto planned_anew = [&] {
    check_same(plans(question, &store), expected);
    CHECK(read(file) == text);
  };
  change(file, [](json& one) { one["program"] = "0123456789abcdef"; });
  planned_anew();
  change(file, [](json& one) { one["asked"] = "something else"; });
  planned_anew();
  change(file, [](json& one) { one["dense"]["lane_sub"] = 1 << 20; });  // does not fit
  planned_anew();
  change(file, [](json& one) { one["dense"]["chunk"] = "text"; });
  planned_anew();
  for (std::size_t i = 0; i < text.size(); i += 5) {
    write(file, text.substr(0, i));
    planned_anew();
    std::string damaged = text;
    damaged[i] = static_cast<char>(damaged[i] ^ 1);
    write(file, damaged);
    check_same(plans(question, &store), expected);
    write(file, text);
  }
}

TEST_CASE("plan store: a folder that cannot be is refused") {
  CHECK(td::unit::message_of([] { PlanStore("/proc/plans"); }).find("/proc/plans") !=
        std::string::npos);
}

}  // namespace
