// SPDX-License-Identifier: Apache-2.0
// Jobs that arrive at a cluster: read, or drawn as Gavel's evaluation draws them (Narayanan et al.,
// OSDI 2020).
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <map>
#include <random>
#include <string>
#include <utility>
#include <vector>

namespace td::job {

/// Accelerators of one type.
struct WorkerType {
  std::string name;
  std::size_t count = 0;
};

/// A job type with its number of workers.
struct JobKind {
  std::string name;
  std::size_t workers = 1;          ///< accelerators of one type that it takes at once
  std::vector<double> steps_per_s;  ///< of all its workers together, by type; 0: cannot run there
};

/// Which kinds there are, and how fast each is on each type of a cluster.
struct JobKinds {
  std::string source;             ///< for messages: the file
  std::vector<WorkerType> types;  ///< the fastest first: by a kind's rate over its best, on average
  std::vector<JobKind> kinds;
};

/// Reads a table with the columns job_type, scale_factor and TYPE_steps_per_s, of which only those
/// of the cluster's types are used; an empty cell is 0, and so is the rate on a type with fewer
/// accelerators than the kind has workers. Kinds that run on none are left out. Throws UserError.
JobKinds read_job_kinds(const std::string& path, const std::map<std::string, std::size_t>& cluster);

struct TraceJob {
  double arrival_s = 0;
  std::size_t workers = 1;
  std::vector<double> steps_per_s;  ///< as JobKind
  double steps = 1;
};

/// Reads a table with the columns job_type, scale_factor, arrival_s (not falling) and steps.
/// Throws UserError.
std::vector<TraceJob> read_trace(const std::string& path, const JobKinds& kinds);

/// What traces are drawn from.
struct TraceModel {
  double jobs_per_hour = 1;      ///< on average; arrivals are a Poisson process
  bool several_workers = false;  ///< 70 % of the jobs have 1 worker, 10 % 2, 15 % 4, 5 % 8
  std::size_t reference = 0;     ///< type on which a job's steps would take the time that is drawn
};

/// Python's generator of random numbers, seeded by a number: Gavel's traces are drawn by it.
class PythonRandom {
 public:
  explicit PythonRandom(std::uint32_t seed);

  double uniform(double least, double most);
  std::size_t below(std::size_t count);

 private:
  std::mt19937 bits_;
};

/// Draws one job after the other, the very ones of the evaluation for its table of kinds: the
/// logarithm of a job's time on the reference type is uniform, for 80 % of them from 10^1.5 to 10^3
/// minutes, for the others from 10^3 to 10^4; all kinds with its number of workers are equally
/// likely.
class DrawnTrace {
 public:
  /// Throws UserError where no kind has a number of workers that may be drawn.
  DrawnTrace(const JobKinds& kinds, const TraceModel& model, std::uint64_t seed);

  TraceJob next();

 private:
  TraceModel model_;
  std::vector<std::string> names_;  ///< of kinds, in the order of the table
  std::map<std::pair<std::string, std::size_t>, const JobKind*> kinds_;  ///< by name and workers
  PythonRandom jobs_, arrivals_;
  double now_s_ = 0;
};

}  // namespace td::job
