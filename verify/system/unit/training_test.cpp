// SPDX-License-Identifier: Apache-2.0
// What-ifs by transformation, against the same things computed without graphs.
#include "sim/system/training/training.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>

#include "sim/system/graph/execution.hpp"
#include "verify/system/unit/random_graph.hpp"

namespace {

using td::job::Graph;
using td::job::Profile;
using td::job::Task;

/// Durations and sizes are whole numbers: sums are exact, and many events are at once.
Profile random_profile(std::mt19937& random) {
  const auto draw = [&random](int least, int most) {
    return std::uniform_int_distribution<int>(least, most)(random);
  };
  Profile profile{"test", "random", {}};
  const int layers = draw(1, 6);
  for (int i = 0; i < layers; ++i) {
    profile.layers.push_back({fmt::format("l{}", i), double(draw(0, 5)), double(draw(0, 9)), 0,
                              draw(0, 3) == 0 ? 0.0 : draw(1, 40)});
  }
  return profile;
}

double makespan(const Graph& graph) {
  const td::job::Schedule schedule = td::job::execute(graph);
  CHECK(td::unit::schedule_fault(graph, schedule) == "");
  return schedule.makespan;
}

/// Training with servers, clock tick by clock tick: one device that goes through the layers, two
/// links that take the piece that is first by layer, or by when it was ready. All whole numbers.
class TickedExchange {
 public:
  TickedExchange(const Profile& profile, int piece_bytes, bool by_priority)
      : profile_(profile), piece_bytes_(piece_bytes), by_priority_(by_priority) {}

  double end_of_backward(int iterations) {
    const std::size_t layers = profile_.layers.size();
    waits_.assign(layers, 0);
    std::size_t step = 0;
    long device_ends = -1;
    for (long now = 0;; ++now) {
      // Whatever ends now may let others begin now, and a task of no length ends at once.
      for (bool changed = true; changed;) {
        changed = end_transfers(now);
        if (device_ends == now) {
          device_ends = -1;
          finish(step, layers, now);
          changed = true;
          if (++step == 2 * layers * static_cast<std::size_t>(iterations)) return double(now);
        }
        changed = begin_transfers(now) || changed;
        if (device_ends < 0 && may_begin(step, layers)) {
          device_ends = now + static_cast<long>(length(step, layers));
          changed = true;
        }
      }
    }
  }

 private:
  struct Piece {
    std::size_t layer;
    int index;
    long bytes;
    long since;
    long order;
  };
  struct Link {
    std::vector<Piece> waiting;
    std::vector<Piece> busy;  ///< one or none
    long ends = 0;
  };

  static std::size_t layer_of(std::size_t step, std::size_t layers) {
    const std::size_t k = step % (2 * layers);
    return k < layers ? k : 2 * layers - 1 - k;
  }
  static bool is_forward(std::size_t step, std::size_t layers) {
    return step % (2 * layers) < layers;
  }
  double length(std::size_t step, std::size_t layers) const {
    const auto& layer = profile_.layers[layer_of(step, layers)];
    return is_forward(step, layers) ? layer.forward_s : layer.backward_s;
  }
  bool may_begin(std::size_t step, std::size_t layers) const {
    return !is_forward(step, layers) || waits_[layer_of(step, layers)] == 0;
  }

  void finish(std::size_t step, std::size_t layers, long now) {
    if (is_forward(step, layers)) return;
    const std::size_t layer = layer_of(step, layers);
    long left = static_cast<long>(profile_.layers[layer].parameter_bytes);
    const long whole = piece_bytes_ > 0 ? piece_bytes_ : left;
    for (int index = 0; left > 0; ++index, left -= whole) {
      up_.waiting.push_back({layer, index, std::min(whole, left), now, order_++});
      ++waits_[layer];
    }
  }

  bool end_transfers(long now) {
    bool changed = false;
    if (!up_.busy.empty() && up_.ends == now) {
      Piece piece = up_.busy.front();
      up_.busy.clear();
      piece.since = now;
      piece.order = order_++;
      down_.waiting.push_back(piece);
      changed = true;
    }
    if (!down_.busy.empty() && down_.ends == now) {
      --waits_[down_.busy.front().layer];
      down_.busy.clear();
      changed = true;
    }
    return changed;
  }

  bool begin_transfers(long now) {
    bool changed = false;
    for (Link* link : {&up_, &down_}) {
      if (!link->busy.empty() || link->waiting.empty()) continue;
      const auto first = std::min_element(
          link->waiting.begin(), link->waiting.end(), [this](const Piece& a, const Piece& b) {
            return by_priority_ ? std::pair(a.layer, a.index) < std::pair(b.layer, b.index)
                                : std::pair(a.since, a.order) < std::pair(b.since, b.order);
          });
      link->ends = now + first->bytes;
      link->busy.push_back(*first);
      link->waiting.erase(first);
      changed = true;
    }
    return changed;
  }

  const Profile& profile_;
  int piece_bytes_;
  bool by_priority_;
  Link up_;
  Link down_;
  std::vector<int> waits_;  ///< pieces of each layer that are not back yet
  long order_ = 0;
};

double end_of_backward(const Graph& graph) {
  const td::job::Schedule schedule = td::job::execute(graph);
  CHECK(td::unit::schedule_fault(graph, schedule) == "");
  double end = 0;
  for (std::size_t id = 0; id < graph.tasks().size(); ++id) {
    if (graph.tasks()[id].phase == "backward") end = std::max(end, schedule.end[id]);
  }
  return end;
}

}  // namespace

TEST_CASE("training: an exchange with servers is as a ticking clock has it") {
  std::mt19937 random(8);
  for (int i = 0; i < 300; ++i) {
    Profile profile = random_profile(random);
    for (const int piece : {0, 3, 7}) {
      const bool by_priority = piece != 0;
      const Graph graph = exchange_with_servers(td::job::training_graph(profile, {3, 0, 0}),
                                                {1, static_cast<double>(piece), by_priority});
      CAPTURE(i);
      CAPTURE(piece);
      CHECK(end_of_backward(graph) ==
            TickedExchange(profile, piece, by_priority).end_of_backward(3));
    }
  }
}

TEST_CASE("training: an exchange keeps the work, and sends all bytes twice") {
  std::mt19937 random(9);
  for (int i = 0; i < 100; ++i) {
    const Profile profile = random_profile(random);
    const Graph plain = td::job::training_graph(profile, {2, 0, 0});
    const Graph graph = exchange_with_servers(plain, {2, 5, true});
    double bytes = 0;
    for (const auto& layer : profile.layers) bytes += layer.parameter_bytes;
    const std::vector<double> busy = busy_seconds(graph);
    CHECK(busy[0] == busy_seconds(plain)[0]);
    CHECK(busy[1] == doctest::Approx(2 * bytes / 2));
    CHECK(busy[2] == doctest::Approx(2 * bytes / 2));
    CHECK(makespan(graph) >= makespan(plain));
  }
}

TEST_CASE("training: scaling durations is as a profile of scaled durations") {
  std::mt19937 random(10);
  for (int i = 0; i < 100; ++i) {
    const Profile profile = random_profile(random);
    Profile halved = profile;
    for (auto& layer : halved.layers) layer.backward_s /= 2;
    Graph graph = exchange_with_servers(td::job::training_graph(profile, {3, 0, 0}), {1, 4, true});
    const auto backward =
        td::job::select(graph, [](const Task& task) { return task.phase == "backward"; });
    graph = td::job::scale(std::move(graph), backward, 0.5);
    CHECK(makespan(graph) == makespan(exchange_with_servers(
                                 td::job::training_graph(halved, {3, 0, 0}), {1, 4, true})));
  }
}

TEST_CASE("training: one all-reduce a layer, a bucket of all, and one accelerator") {
  const Profile profile{"test", "two", {{"a", 1, 2, 0, 30}, {"b", 1, 2, 0, 10}}};
  const auto time = [&](std::int64_t accelerators, double bucket) {
    return makespan(td::job::exchange_by_all_reduce(td::job::training_graph(profile, {1, 0, 0}),
                                                    {accelerators, 5, bucket}));
  };
  // b's gradients at 4, a's at 6; 2(n-1)/n is 1 for two accelerators.
  CHECK(time(2, 0) == 6 + 30 / 5.0);
  CHECK(time(2, 1000) == 6 + 40 / 5.0);
  CHECK(time(1, 0) == 6);
  // a's wait for b's: 4 to 7, then 7 to 16.
  CHECK(time(4, 0) == 4 + 1.5 * 10 / 5.0 + 1.5 * 30 / 5.0);
}

TEST_CASE("training: fused updates take the work of all, and are launched once") {
  const Profile profile{
      "test", "three", {{"a", 1, 2, 0, 30}, {"b", 1, 2, 0, 0}, {"c", 1, 1, 0, 10}}};
  const Graph graph = td::job::training_graph(profile, {2, 10, 0.25});
  CHECK(makespan(graph) == 2 * (8 + 4 + 2 * 0.25));
  CHECK(makespan(td::job::fuse_updates(graph, 0.25)) == 2 * (8 + 4 + 0.25));
  CHECK(makespan(td::job::fuse_updates(graph, 0)) == makespan(graph));
}
