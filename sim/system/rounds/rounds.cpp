// SPDX-License-Identifier: Apache-2.0
#include "sim/system/rounds/rounds.hpp"

#include <algorithm>
#include <numeric>
#include <random>
#include <tuple>
#include <utility>

namespace td::job {
namespace {

/// A job that waits or runs.
struct ActiveJob {
  std::size_t id;
  TraceJob job;
  double steps_left;
  std::vector<double> share;         ///< by type; empty until shares were computed with it
  std::vector<double> had_s;         ///< by type, since shares were computed
  std::vector<double> owed_s;        ///< by type, under the shares before
  std::optional<std::size_t> holds;  ///< fifo's
  std::optional<std::size_t> on;     ///< type in the last round
  std::vector<std::size_t> workers;  ///< of that type
};

class Simulation {
 public:
  Simulation(const std::vector<WorkerType>& types, const JobSource& source,
             const RoundOptions& options, const std::string& name)
      : types_(types),
        source_(source),
        options_(options),
        name_(name),
        random_(options.seed),
        order_(types.size()),
        type_s_(types.size()) {
    std::iota(order_.begin(), order_.end(), std::size_t{0});
    next_ = source_();
  }

  RoundsResult run(const std::function<void(const Round&)>& observe) {
    while (left() > 0) {
      if (active_.empty()) now_s_ = std::max(now_s_, next_->arrival_s);
      admit();
      if (active_.size() > options_.most_jobs) {
        result_.overloaded = true;
        return result_;
      }
      renew_shares();
      const Round round = one_round();
      if (observe) observe(round);
      finish(round);
    }
    const double counted = static_cast<double>(done_);
    result_.average_completion_s /= counted;
    double all = 0;
    for (const WorkerType& type : types_) all += static_cast<double>(type.count);
    result_.busy_share = busy_s_ / (all * now_s_);
    return result_;
  }

 private:
  /// Jobs that count and are not done: a trace may end before.
  std::size_t left() const {
    const std::size_t end = next_ ? options_.end_job : std::min(options_.end_job, arrived_);
    return end - std::min(end, options_.first_job) - done_;
  }

  void admit() {
    while (next_ && next_->arrival_s <= now_s_) {
      const std::vector<double> none(types_.size());
      active_.push_back({arrived_++, *next_, next_->steps, {}, none, none, {}, {}, {}});
      next_ = source_();
    }
  }

  /// Half a round for each job and type: so that a job that had nothing has a priority.
  double initial_s() const { return options_.round_s / 2; }

  void renew_shares() {
    if (shared_s_ && now_s_ - *shared_s_ < options_.between_s) return;
    std::vector<ShareRequest> requests;
    for (const ActiveJob& one : active_) {
      requests.push_back({&one.job, one.steps_left, now_s_ - one.job.arrival_s, one.holds});
    }
    const auto shares = shares_of(options_.policy, types_, requests, name_);
    const double elapsed = shared_s_ ? now_s_ - *shared_s_ : 0;
    std::fill(type_s_.begin(), type_s_.end(), initial_s() * static_cast<double>(active_.size()));
    for (std::size_t i = 0; i < active_.size(); ++i) {
      ActiveJob& one = active_[i];
      for (std::size_t j = 0; j < types_.size(); ++j) {
        const double due = one.share.empty() ? 0 : one.share[j] * elapsed;
        one.owed_s[j] += due - one.had_s[j];
        one.had_s[j] = 0;
      }
      one.share = shares[i];
      one.holds = requests[i].holds;
    }
    shared_s_ = now_s_;
    ++result_.allocations;
  }

  double priority(const ActiveJob& one, std::size_t type) const {
    if (one.share[type] == 0) return 0;
    return one.share[type] * type_s_[type] / (initial_s() + one.had_s[type]);
  }

  /// Indices of active jobs, by type: those that run in the next round.
  std::vector<std::vector<std::size_t>> choose() {
    std::vector<std::vector<std::size_t>> chosen(types_.size());
    std::vector<bool> taken(active_.size());
    if (!sees_types(options_.policy)) std::shuffle(order_.begin(), order_.end(), random_);
    for (const std::size_t type : order_) {
      std::size_t room = types_[type].count;
      for (const std::size_t i : by_priority(type)) {
        const ActiveJob& one = active_[i];
        const bool fits = one.job.workers <= room && one.job.steps_per_s[type] > 0;
        if (taken[i] || !fits) continue;
        taken[i] = true;
        room -= one.job.workers;
        chosen[type].push_back(i);
      }
    }
    return chosen;
  }

  /// The jobs that may run on a type, those first that should.
  std::vector<std::size_t> by_priority(std::size_t type) const {
    std::vector<std::tuple<double, double, double, std::size_t>> keys;
    for (std::size_t i = 0; i < active_.size(); ++i) {
      if (active_[i].share.empty()) continue;
      const double first = priority(active_[i], type);
      if (first == 0 && in_order_of_arrival(options_.policy)) continue;
      keys.emplace_back(-first, -active_[i].owed_s[type], -active_[i].share[type], i);
    }
    std::sort(keys.begin(), keys.end());
    std::vector<std::size_t> order;
    for (const auto& key : keys) order.push_back(std::get<3>(key));
    return order;
  }

  /// Gives workers to the jobs of a type: those that were there keep theirs.
  void assign(std::size_t type, const std::vector<std::size_t>& jobs) {
    std::vector<bool> used(types_[type].count);
    for (const std::size_t i : jobs) {
      if (active_[i].on != type) continue;
      for (const std::size_t worker : active_[i].workers) used[worker] = true;
    }
    std::size_t free = 0;
    for (const std::size_t i : jobs) {
      ActiveJob& one = active_[i];
      if (one.on == type) continue;
      if (one.on) ++result_.moves;
      one.workers.clear();
      while (one.workers.size() < one.job.workers) {
        if (!used[free]) one.workers.push_back(free);
        ++free;
      }
    }
  }

  Round one_round() {
    const auto chosen = choose();
    Round round{now_s_, now_s_, {}};
    std::vector<bool> runs(active_.size());
    for (std::size_t type = 0; type < types_.size(); ++type) {
      assign(type, chosen[type]);
      for (const std::size_t i : chosen[type]) {
        runs[i] = true;
        round.runs.push_back(part_of(active_[i], type));
        round.end_s = std::max(round.end_s, now_s_ + round.runs.back().seconds);
      }
    }
    for (std::size_t i = 0; i < active_.size(); ++i) {
      if (runs[i]) continue;
      if (active_[i].on) ++result_.moves;
      active_[i].on.reset();
    }
    if (round.runs.empty()) round.end_s += options_.round_s;
    return round;
  }

  /// Runs a job until the round's end, or its own.
  RoundRun part_of(ActiveJob& one, std::size_t type) {
    const double rate = one.job.steps_per_s[type];
    const double restart = one.on == type ? 0 : options_.restart_s;
    RoundRun run{one.id, type, one.workers, options_.round_s, 0};
    const double needed = restart + one.steps_left / rate;
    const bool ends = needed <= options_.round_s;
    if (ends) run.seconds = needed;
    run.steps = ends ? one.steps_left : std::max(options_.round_s - restart, 0.0) * rate;
    one.steps_left = ends ? 0 : one.steps_left - run.steps;
    one.on = type;
    one.had_s[type] += run.seconds;
    type_s_[type] += run.seconds;
    busy_s_ += run.seconds * static_cast<double>(one.job.workers);
    if (ends) complete(one, now_s_ + run.seconds);
    return run;
  }

  void complete(const ActiveJob& one, double end_s) {
    if (one.id < options_.first_job || one.id >= options_.end_job) return;
    ++done_;
    result_.average_completion_s += end_s - one.job.arrival_s;
    result_.makespan_s = std::max(result_.makespan_s, end_s);
  }

  void finish(const Round& round) {
    now_s_ = round.end_s;
    ++result_.rounds;
    const auto over = [](const ActiveJob& one) { return one.steps_left <= 0; };
    active_.erase(std::remove_if(active_.begin(), active_.end(), over), active_.end());
  }

  const std::vector<WorkerType>& types_;
  const JobSource& source_;
  const RoundOptions& options_;
  const std::string& name_;
  std::mt19937_64 random_;
  std::vector<std::size_t> order_;  ///< in which types are filled
  std::vector<double> type_s_;      ///< time of a type that jobs had since shares were computed
  std::vector<ActiveJob> active_;   ///< in the order of arrival
  std::optional<TraceJob> next_;
  std::size_t arrived_ = 0, done_ = 0;
  double now_s_ = 0, busy_s_ = 0;
  std::optional<double> shared_s_;  ///< when shares were computed
  RoundsResult result_;
};

}  // namespace

RoundsResult simulate_rounds(const std::vector<WorkerType>& types, const JobSource& source,
                             const RoundOptions& options, const std::string& name,
                             const std::function<void(const Round&)>& observe) {
  return Simulation(types, source, options, name).run(observe);
}

}  // namespace td::job
