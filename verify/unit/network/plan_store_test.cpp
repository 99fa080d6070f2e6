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
  std::size_t operation = 0;  ///< of the layer
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

Plans plans(const Question& question, const PlanStore* store) {
  StepOptions options = question.options;
  options.store = store;
  const StepLayout layout(question.config, question.source, {}, options);
  return layout.plans(layout.operations().at(question.operation), question.asked);
}

/// The folder of this program's plans.
fs::path program(const td::unit::Folder& folder) {
  REQUIRE(std::distance(fs::directory_iterator(folder.path()), fs::directory_iterator()) == 1);
  return fs::directory_iterator(folder.path())->path();
}

std::ptrdiff_t files(const td::unit::Folder& folder) {
  return std::distance(fs::directory_iterator(program(folder)), fs::directory_iterator());
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
  CHECK(files(folder) > 55);
}

TEST_CASE("plan store: whatever a plan depends on is asked") {
  std::mt19937 random(62);
  Question question = random_question(random);
  question.config = td::find_config("accel_quad");
  const td::unit::Folder folder;
  const PlanStore store(folder.path());
  const auto kept = [&](const std::function<void(Question&)>& other) {
    const std::ptrdiff_t before = files(folder);
    Question changed = question;
    other(changed);
    plans(changed, &store);
    return files(folder) - before;
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
  CHECK(kept([](Question& q) { q.operation = 1; }) == 1);
  CHECK(kept([&](Question& q) {
          q.source = MemoryOperands();
          q.source.add(td::unit::linear_layer(9, 40, 31), random, 0.5, 0.2, 0.5);
        }) == 1);
  for (const double zeros : {0.6, 0.9}) {  // packed blocks of other sizes
    CHECK(kept([&](Question& q) {
            q.config.accelerator.unpack_rows = 1;
            q.options.packed = true;
            q.options.memory.bandwidth = 9000;
            q.source = MemoryOperands();
            q.source.add(td::unit::linear_layer(64, 512, 512), random, zeros, zeros, zeros);
          }) >= 1);
  }
  using Costs = td::sim::PlanCosts;
  const auto energy = [&](const std::function<void(Costs&)>& change) {
    return kept([&](Question& q) {
      q.options.aim.objective = td::sim::Objective::energy;
      change(q.options.aim.costs);
    });
  };
  CHECK(energy([](Costs&) {}) == 1);
  CHECK(energy([](Costs& costs) { costs.clock += 1; }) == 1);
  for (const auto level :
       {&Costs::off_chip, &Costs::operands, &Costs::scratchpads, &Costs::results}) {
    CHECK(energy([&](Costs& costs) { (costs.*level).read += 1; }) == 1);
    CHECK(energy([&](Costs& costs) { (costs.*level).written += 1; }) == 1);
  }
  for (const auto tile : {&Costs::dense, &Costs::gated, &Costs::dropping}) {
    for (const auto cost :
         {&Costs::Tile::pass, &Costs::Tile::row, &Costs::Tile::step, &Costs::Tile::pairs}) {
      CHECK(energy([&](Costs& costs) { costs.*tile.*cost += 1; }) == 1);
    }
  }
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
  REQUIRE(files(folder) == 1);
  const fs::path file = fs::directory_iterator(program(folder))->path();
  const std::string text = read(file);
  const std::string asked = json::parse(text)["asked"];
  REQUIRE(store.find(asked).has_value());

  change(file, [](json& one) { one["pays"] = !one["pays"].get<bool>(); });
  CHECK(plans(question, &store).pays != expected.pays);

  const auto planned_anew = [&] {
    check_same(plans(question, &store), expected);
    CHECK(read(file) == text);
  };
  change(file, [](json& one) { one["asked"] = "something else"; });
  planned_anew();
  change(file, [](json& one) { one["dense"]["lane_sub"] = 1 << 20; });  // does not fit
  planned_anew();
  change(file, [](json& one) { one["dense"]["chunk"] = "text"; });
  planned_anew();
  for (std::size_t i = 0; i < text.size(); ++i) {
    write(file, text.substr(0, i));
    const bool found = store.find(asked).has_value();
    CHECK(found == (i + 1 == text.size()));  // it ends with a line break
    std::string damaged = text;
    damaged[i] = static_cast<char>(damaged[i] ^ 1);
    write(file, damaged);
    CHECK_FALSE(store.find(asked).has_value());
  }
  planned_anew();
  fs::remove(file);
  fs::create_directory(file);
  check_same(plans(question, &store), expected);
  fs::remove(file);
  fs::rename(program(folder), fs::path(folder.path()) / "0123456789abcdef");
  fs::create_directory(file.parent_path());
  CHECK_FALSE(store.find(asked).has_value());
}

TEST_CASE("plan store: a folder that cannot be is refused") {
  CHECK(td::unit::message_of([] { PlanStore("/proc/plans"); }).find("/proc/plans") !=
        std::string::npos);
}

}  // namespace
