// SPDX-License-Identifier: Apache-2.0
#include "sim/system/checkfreq/failures.hpp"

#include <algorithm>
#include <cmath>
#include <random>

namespace td::job {
namespace {

class Run {
 public:
  Run(const FailingJob& job, const NextFailure& next_failure)
      : job_(job), next_failure_(next_failure), failure_s_(next_failure(0)) {
    result_.interval = job.plan.interval;
  }

  FailingRun run() {
    while (done_ < job_.iterations) {
      if (!iterate()) continue;
      if (++since_ == result_.interval) checkpoint();
    }
    result_.seconds = now_s_;
    settle();
    const auto mean = [](double sum, std::int64_t count) {
      return count == 0 ? 0 : sum / static_cast<double>(count);
    };
    result_.mean_lost_s = mean(result_.mean_lost_s, result_.failures);
    result_.mean_recovery_s = mean(result_.mean_recovery_s, recoveries_);
    result_.overhead_percent = 100 * result_.stalled_s / result_.iterations_s;
    const double late_s = result_.iterations_s - half_iterations_s_;
    result_.late_overhead_percent = 100 * (result_.stalled_s - half_stalled_s_) / late_s;
    return result_;
  }

 private:
  /// Lets time pass; false, and the job restarts, where a failure strikes before.
  bool pass(double seconds) {
    if (failure_s_ >= now_s_ + seconds) {
      now_s_ += seconds;
      return true;
    }
    result_.cut_s += failure_s_ - now_s_;
    fail();
    return false;
  }

  void fail() {
    now_s_ = failure_s_;
    settle();
    ++result_.failures;
    const double lost_s = now_s_ - saved_s_;
    result_.worst_lost_s = std::max(result_.worst_lost_s, lost_s);
    result_.mean_lost_s += lost_s;
    if (!behind_) failed_s_ = now_s_;
    behind_ = std::max(behind_.value_or(0), done_);
    done_ = saved_;
    since_ = 0;
    on_way_.reset();
    failure_s_ = next_failure_(now_s_);
    restart();
    saved_s_ = now_s_;  // what is lost next is lost since now
    catch_up();
  }

  /// Failures in a restart begin it again.
  void restart() {
    const double begun_s = now_s_;
    while (failure_s_ < now_s_ + job_.restart_s) {
      now_s_ = failure_s_;
      ++result_.failures;
      failure_s_ = next_failure_(now_s_);
    }
    now_s_ += job_.restart_s;
    result_.restarts_s += now_s_ - begun_s;
  }

  /// Ends a recovery when the iterations that were lost are done again.
  void catch_up() {
    if (!behind_ || done_ < *behind_) return;
    result_.mean_recovery_s += now_s_ - failed_s_;
    ++recoveries_;
    behind_.reset();
  }

  bool iterate() {
    const double seconds = job_.profile.iteration_s;
    if (!pass(seconds)) return false;
    result_.iterations_s += seconds;
    if (behind_ && done_ < *behind_) ++result_.redone;
    ++done_;
    if (2 * done_ <= job_.iterations) {
      half_iterations_s_ = result_.iterations_s;
      half_stalled_s_ = result_.stalled_s;
    }
    catch_up();
    return true;
  }

  double slowed(double seconds) const {
    return now_s_ >= job_.slow_from_s ? seconds * job_.slow_factor : seconds;
  }

  /// The same, in which training does nothing.
  bool stall(double seconds) {
    if (!pass(seconds)) return false;
    result_.stalled_s += seconds;
    return true;
  }

  /// Waits for the disk, takes a snapshot, and sends it on its way.
  void checkpoint() {
    since_ = 0;
    const double before_s = result_.stalled_s;
    if (on_way_ && !stall(std::max(on_way_->end_s - now_s_, 0.0))) return;
    settle();
    const double state_s = now_s_;
    if (!stall(slowed(job_.plan.overhead_s))) return;
    const double rest_s = std::max(job_.profile.full_s - job_.plan.overhead_s, 0.0);
    on_way_ = {done_, state_s, now_s_ + slowed(rest_s)};
    if (!job_.limit_percent) return;
    const double between_s = static_cast<double>(result_.interval) * job_.profile.iteration_s;
    const double measured = 100 * (result_.stalled_s - before_s) / between_s;
    result_.interval = adapted_interval(result_.interval, measured, *job_.limit_percent);
  }

  /// A checkpoint that has reached the disk is what a failure goes back to.
  void settle() {
    if (!on_way_ || on_way_->end_s > now_s_) return;
    saved_ = on_way_->iterations;
    saved_s_ = on_way_->state_s;
    ++result_.checkpoints;
    on_way_.reset();
  }

  struct OnWay {
    std::int64_t iterations;
    double state_s;  ///< when training stood there
    double end_s;    ///< on the disk
  };

  const FailingJob& job_;
  const NextFailure& next_failure_;
  double failure_s_;
  double now_s_ = 0, saved_s_ = 0, failed_s_ = 0;
  double half_iterations_s_ = 0, half_stalled_s_ = 0;
  std::int64_t done_ = 0, since_ = 0, saved_ = 0, recoveries_ = 0;
  std::optional<std::int64_t> behind_;  ///< iterations that a failure took back
  std::optional<OnWay> on_way_;
  FailingRun result_;
};

}  // namespace

NextFailure drawn_failures(double mean_s, std::uint64_t seed) {
  return [mean_s, random = std::mt19937_64(seed)](double now_s) mutable {
    constexpr double scale = 0x1p-53;
    constexpr int unused_bits = 11;
    return now_s - mean_s * std::log(1 - static_cast<double>(random() >> unused_bits) * scale);
  };
}

FailingRun run_failing_job(const FailingJob& job, const NextFailure& next_failure) {
  return Run(job, next_failure).run();
}

}  // namespace td::job
