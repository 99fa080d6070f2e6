// SPDX-License-Identifier: Apache-2.0
// Linear programs, and those with integers, solved by COIN-OR's CLP and CBC.
#pragma once

#include <cstddef>
#include <limits>
#include <string>
#include <vector>

namespace td::job {

inline constexpr double kUnbounded = std::numeric_limits<double>::infinity();

/// One summand of a row: coefficient times variable.
struct Term {
  std::size_t variable;
  double coefficient;
};

/// Minimises or maximises Σ cost·x, with least ≤ x ≤ most of each variable and of each row.
class LinearProgram {
 public:
  /// Returns the variable's index.
  std::size_t add_variable(double cost, double least = 0, double most = kUnbounded,
                           bool integer = false);

  /// least ≤ Σ terms ≤ most. Terms of the same variable add up.
  void add_row(std::vector<Term> terms, double least, double most);

  void maximise() { maximised_ = true; }

  enum class Status { optimal, infeasible, unbounded };
  struct Solution {
    Status status = Status::infeasible;
    double objective = 0;        ///< of the optimum
    std::vector<double> values;  ///< of each variable in one optimum, of which there may be many
  };

  /// By simplex, or by branch and cut where a variable is an integer. Throws std::runtime_error
  /// where the library gives up.
  Solution solve() const;

  /// The same; throws UserError naming `file` and `field` unless there is an optimum.
  Solution optimum(const std::string& file, const std::string& field) const;

 private:
  struct Bounds {
    double least;
    double most;
  };
  struct Matrix;

  Matrix matrix() const;
  Solution solve_continuous() const;
  Solution solve_integer() const;

  std::vector<double> costs_;
  std::vector<Bounds> variables_;
  std::vector<bool> integer_;
  std::vector<Bounds> rows_;
  std::vector<std::vector<Term>> columns_;  ///< of each variable; Term::variable is the row here
  bool maximised_ = false;
};

}  // namespace td::job
