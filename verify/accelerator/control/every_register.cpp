// SPDX-License-Identifier: Apache-2.0
#include <Vregisters.h>

#include <map>
#include <memory>

#include "sim/accelerator/registers.hpp"
#include "verify/accelerator/control/scenarios.hpp"
#include "verify/accelerator/power_on.hpp"

namespace td::verify {
namespace {

using namespace sim::registers;

// Offset -> what is read there.
using Values = std::map<unsigned, std::uint32_t>;

// A port of a register that takes a number: all of its bits.
template <class Port>
void drive(Port& port, std::uint64_t value, unsigned offset, Values& values) {
  port = static_cast<Port>(value);
  values[offset] = static_cast<std::uint32_t>(value);
  if (sizeof(Port) == 8) values[offset + 4] = static_cast<std::uint32_t>(value >> 32);
}

// Random numbers in all registers that the hardware has.
Values drive_all(Vregisters& v, Random& random) {
  Values values{{id, id_value}, {version, version_value}};
  drive(v.shape_i, random(), shape, values);
  drive(v.sizes_i, random(), sizes, values);
  drive(v.operand_rows_i, random(), operand_rows, values);
  drive(v.result_words_i, random(), result_words, values);
  drive(v.bank_rows_i, random(), bank_rows, values);
  drive(v.bus_i, random() & 0xff, bus, values);
  drive(v.status_i, random() & 0x7ff, status, values);
  drive(v.interrupt_i, random() & 3, interrupt, values);
  drive(v.error_code_i, random() & 15, error_code, values);
  drive(v.error_descriptor_i, random(), error_descriptor, values);
  drive(v.error_job_i, random(), error_job, values);
  drive(v.jobs_done_i, random(), jobs_done, values);
  drive(v.cycles_busy_i, random(), cycles_busy_low, values);
  drive(v.cycles_load_i, random(), cycles_load_low, values);
  drive(v.cycles_compute_i, random(), cycles_compute_low, values);
  drive(v.cycles_store_i, random(), cycles_store_low, values);
  drive(v.cycles_stepped_i, random(), cycles_stepped_low, values);
  drive(v.cycles_waiting_i, random(), cycles_waiting_low, values);
  drive(v.bytes_read_i, random(), bytes_read_low, values);
  drive(v.bytes_written_i, random(), bytes_written_low, values);
  drive(v.results_i, random(), results_low, values);
  drive(v.zero_results_i, random(), zero_results_low, values);
  drive(v.nonfinite_results_i, random(), nonfinite_results_low, values);
  drive(v.cycles_filling_i, random(), cycles_filling_low, values);
  drive(v.cycles_spanned_i, random(), cycles_spanned_low, values);
  return values;
}

}  // namespace

void every_register(Checks& check, Random& random) {
  const auto v = std::make_unique<Vregisters>();
  power_on(*v);
  for (int round = 0; round < 20; ++round) {
    const Values values = drive_all(*v, random);
    for (unsigned offset = 0; offset < bytes; ++offset) {
      v->read_offset_i = offset & 0xfff;
      v->eval();
      const auto found = values.find(offset);
      if (found != values.end())
        check(v->read_known_o && v->read_data_o == found->second,
              fmt::format("what register {:#x} reads as", offset));
      else
        check(v->read_data_o == 0, fmt::format("offset {:#x} reads as something", offset));
    }
  }
}

}  // namespace td::verify
