// SPDX-License-Identifier: Apache-2.0
#include "sim/system/linear/linear.hpp"

#include <Cbc_C_Interface.h>
#include <Clp_C_Interface.h>

#include <memory>
#include <stdexcept>
#include <utility>

#include "base/support/error.hpp"

namespace td::job {
namespace {

/// What a row of an optimum may be beyond its bounds.
constexpr double kFeasible = 1e-10;
/// By how much a variable's cost may still fall.
constexpr double kOptimal = 1e-12;

}  // namespace

/// The problem as both libraries take it: columns, compressed.
struct LinearProgram::Matrix {
  std::vector<CoinBigIndex> begin = {0};
  std::vector<int> rows;
  std::vector<double> coefficients;
  std::vector<double> least;
  std::vector<double> most;
  std::vector<double> row_least;
  std::vector<double> row_most;
};

std::size_t LinearProgram::add_variable(double cost, double least, double most, bool integer) {
  costs_.push_back(cost);
  variables_.push_back({least, most});
  integer_.push_back(integer);
  columns_.emplace_back();
  return costs_.size() - 1;
}

void LinearProgram::add_row(std::vector<Term> terms, double least, double most) {
  for (const Term& term : terms) {
    std::vector<Term>& column = columns_.at(term.variable);
    if (!column.empty() && column.back().variable == rows_.size()) {
      column.back().coefficient += term.coefficient;
    } else {
      column.push_back({rows_.size(), term.coefficient});
    }
  }
  rows_.push_back({least, most});
}

LinearProgram::Matrix LinearProgram::matrix() const {
  Matrix matrix;
  for (const std::vector<Term>& column : columns_) {
    for (const Term& term : column) {
      matrix.rows.push_back(static_cast<int>(term.variable));
      matrix.coefficients.push_back(term.coefficient);
    }
    matrix.begin.push_back(static_cast<CoinBigIndex>(matrix.rows.size()));
  }
  for (const Bounds& bounds : variables_) {
    matrix.least.push_back(bounds.least);
    matrix.most.push_back(bounds.most);
  }
  for (const Bounds& bounds : rows_) {
    matrix.row_least.push_back(bounds.least);
    matrix.row_most.push_back(bounds.most);
  }
  return matrix;
}

LinearProgram::Solution LinearProgram::solve() const {
  for (const bool integer : integer_) {
    if (integer) return solve_integer();
  }
  return solve_continuous();
}

LinearProgram::Solution LinearProgram::optimum(const std::string& file,
                                               const std::string& field) const {
  Solution solution = solve();
  if (solution.status == Status::infeasible) {
    throw UserError(file, field, "infeasible", "constraints that can all hold at once");
  }
  if (solution.status == Status::unbounded) {
    throw UserError(file, field, "unbounded", "an objective that constraints bound");
  }
  return solution;
}

LinearProgram::Solution LinearProgram::solve_continuous() const {
  const std::unique_ptr<Clp_Simplex, void (*)(Clp_Simplex*)> model(Clp_newModel(), Clp_deleteModel);
  const Matrix m = matrix();
  Clp_setLogLevel(model.get(), 0);
  Clp_loadProblem(model.get(), static_cast<int>(costs_.size()), static_cast<int>(rows_.size()),
                  m.begin.data(), m.rows.data(), m.coefficients.data(), m.least.data(),
                  m.most.data(), costs_.data(), m.row_least.data(), m.row_most.data());
  Clp_setObjSense(model.get(), maximised_ ? -1 : 1);
  Clp_setPrimalTolerance(model.get(), kFeasible);
  Clp_setDualTolerance(model.get(), kOptimal);
  // Without presolve, which takes longer than small programs do; the second mends what the first,
  // whose numbers are scaled, leaves beyond bounds.
  Clp_dual(model.get(), 0);
  Clp_primal(model.get(), 0);
  Solution solution;
  if (Clp_isProvenPrimalInfeasible(model.get()) != 0) return solution;
  if (Clp_isProvenDualInfeasible(model.get()) != 0) {
    solution.status = Status::unbounded;
    return solution;
  }
  if (Clp_isProvenOptimal(model.get()) == 0) throw std::runtime_error("CLP: no answer");
  solution.status = Status::optimal;
  solution.objective = Clp_getObjValue(model.get());
  const double* values = Clp_getColSolution(model.get());
  solution.values.assign(values, values + costs_.size());
  return solution;
}

LinearProgram::Solution LinearProgram::solve_integer() const {
  const std::unique_ptr<Cbc_Model, void (*)(Cbc_Model*)> model(Cbc_newModel(), Cbc_deleteModel);
  const Matrix m = matrix();
  Cbc_setParameter(model.get(), "log", "0");
  Cbc_loadProblem(model.get(), static_cast<int>(costs_.size()), static_cast<int>(rows_.size()),
                  m.begin.data(), m.rows.data(), m.coefficients.data(), m.least.data(),
                  m.most.data(), costs_.data(), m.row_least.data(), m.row_most.data());
  for (std::size_t i = 0; i < integer_.size(); ++i) {
    if (integer_[i]) Cbc_setInteger(model.get(), static_cast<int>(i));
  }
  Cbc_setObjSense(model.get(), maximised_ ? -1 : 1);
  Cbc_solve(model.get());
  Solution solution;
  if (Cbc_isProvenInfeasible(model.get()) != 0) return solution;
  if (Cbc_isContinuousUnbounded(model.get()) != 0) {
    solution.status = Status::unbounded;
    return solution;
  }
  if (Cbc_isProvenOptimal(model.get()) == 0) throw std::runtime_error("CBC: no answer");
  solution.status = Status::optimal;
  solution.objective = Cbc_getObjValue(model.get());
  const double* values = Cbc_getColSolution(model.get());
  solution.values.assign(values, values + costs_.size());
  return solution;
}

}  // namespace td::job
