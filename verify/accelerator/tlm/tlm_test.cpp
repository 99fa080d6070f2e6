// SPDX-License-Identifier: Apache-2.0
// The accelerator in a virtual platform: bytes are the functional model's, clocks the timeline's,
// and its registers refuse what they should.
#include <fmt/format.h>

#include <deque>
#include <memory>
#include <optional>
#include <random>
#include <stdexcept>
#include <string>

#include "base/support/error.hpp"
#include "sim/accelerator/driver/driver.hpp"
#include "sim/accelerator/registers.hpp"
#include "sim/accelerator/tlm/tlm_accelerator.hpp"
#include "sim/accelerator/tlm/tlm_port.hpp"
#include "verify/accelerator/tlm/tlm_memory.hpp"
#include "verify/unit/accelerator/operation_case.hpp"

namespace td::verify {
namespace {

using sc_core::sc_time;
using sim::registers::Field;

constexpr sim::MemoryTiming kTiming = {20, 64};
constexpr std::uint64_t kListBytes = 1 << 20;
const sc_time kPeriod(7, sc_core::SC_NS);

int checks = 0, wrong = 0;

void check(bool right, const std::string& where, const char* what) {
  ++checks;
  if (right) return;
  ++wrong;
  fmt::print("{}: {}\n", where, what);
}

/// An accelerator, a memory, and a host with something to do.
class Platform : public sc_core::sc_module {
 public:
  Platform(const sc_core::sc_module_name& name, const Config& design, sim::MemoryImage image,
           bool direct)
      : sc_module(name),
        config(design),
        memory(std::move(image)),
        target("target", memory, direct),
        accelerator("accelerator", config, kPeriod, kTiming),
        port("port") {
    accelerator.bus.socket.bind(target.socket);
    port.bus.socket.bind(target.socket);
    port.registers.bind(accelerator.registers);
    accelerator.interrupt.bind(line_);
    port.interrupt.bind(line_);
    SC_THREAD(run);
  }
  virtual void host() = 0;

  bool done = false;

 protected:
  SC_HAS_PROCESS(Platform);

  Config config;
  sim::MemoryImage memory;
  TlmMemory target;
  sim::TlmAccelerator accelerator;
  sim::TlmPort port;

 private:
  void run() {
    host();
    done = true;
  }
  sc_core::sc_signal<bool> line_;
};

sim::MemoryImage with_list(sim::MemoryImage image) {
  image.bytes.resize((image.bytes.size() + 63) / 64 * 64 + kListBytes);
  return image;
}

/// An operation through the driver.
class Operation : public Platform {
 public:
  Operation(const sc_core::sc_module_name& name, const unit::OperationCase& what,
            unit::OperationRun run, bool direct)
      : Platform(name, what.config, with_list(run.memory), direct),
        direct_(direct),
        run_(std::move(run)),
        timeline_(what.config, kTiming) {}

  void host() override {
    const sim::JobEnd expected = run_.run(config, 0, &timeline_);
    const std::string where = name();
    sim::Driver driver(port, run_.geometry);
    const std::uint64_t end = memory.base + memory.bytes.size();
    driver.set_window({memory.base, end});
    const std::uint64_t writes = target.transactions();
    const sc_time begin = sc_core::sc_time_stamp();
    const sim::JobsEnd found = driver.run(run_.jobs, {end - kListBytes, end});
    const sc_time took = sc_core::sc_time_stamp() - begin;
    check(expected.error == sim::ErrorCode::none && found.error == expected.error, where, "error");
    check(std::equal(run_.memory.bytes.begin(), run_.memory.bytes.end(), memory.bytes.begin()),
          where, "bytes are not the model's");
    namespace at = sim::registers;
    const auto clocks = static_cast<std::uint64_t>(timeline_.clocks());
    check(driver.read_wide(at::cycles_busy_low) == clocks, where, "clocks are not the timeline's");
    check(took >= kPeriod * static_cast<double>(clocks), where, "time is shorter than its clocks");
    const auto accesses = static_cast<double>(20 + 20 * run_.jobs.size());
    check(took <= kPeriod * (static_cast<double>(clocks) + accesses), where, "time is longer");
    check(driver.read_wide(at::bytes_written_low) ==
              static_cast<std::uint64_t>(run_.counts.bytes_stored),
          where, "bytes written");
    check((target.transactions() - writes <= 2 + run_.jobs.size()) == direct_, where,
          "transactions where memory may be read directly, or none where it may not");
  }

 private:
  bool direct_;
  unit::OperationRun run_;
  sim::Timeline timeline_;
};

std::uint32_t bit(const Field& field) { return 1U << field.bit; }

/// What a host does wrong, jobs that wait, and a reset while one runs.
class Registers : public Platform {
 public:
  Registers(const sc_core::sc_module_name& name, const Config& design)
      : Platform(name, design, sim::MemoryImage(0x1000, std::vector<std::uint8_t>(0x1000)), true) {}

  void host() override {
    refused();
    port.write_register(sim::registers::interrupt_enable, 3);
    port.write_register(sim::registers::window_begin_low, 0x1000);
    port.write_register(sim::registers::window_end_low, 0x2000);
    put_loads();
    queue();
    reset();
    error();
  }

 private:
  tlm::tlm_response_status answer(std::uint64_t offset, unsigned bytes, bool enables) {
    std::uint8_t data[8] = {};
    std::uint8_t mask[8] = {0xff, 0xff, 0xff, 0xff};
    tlm::tlm_generic_payload what;
    what.set_read();
    what.set_address(offset);
    what.set_data_ptr(data);
    what.set_data_length(bytes);
    what.set_streaming_width(bytes);
    if (enables) what.set_byte_enable_ptr(mask);
    sc_time delay;
    port.registers->b_transport(what, delay);
    return what.get_response_status();
  }

  void refused() {
    const std::string where = "refused";
    check(answer(0, 4, false) == tlm::TLM_OK_RESPONSE, where, "a register");
    check(answer(0x0fc, 4, false) == tlm::TLM_ADDRESS_ERROR_RESPONSE, where, "no register");
    check(answer(2, 4, false) == tlm::TLM_ADDRESS_ERROR_RESPONSE, where, "half of two");
    check(answer(std::uint64_t{1} << 32, 4, false) == tlm::TLM_ADDRESS_ERROR_RESPONSE, where,
          "beyond");
    check(answer(0, 8, false) == tlm::TLM_BURST_ERROR_RESPONSE, where, "two at once");
    check(answer(0, 4, true) == tlm::TLM_BYTE_ENABLE_ERROR_RESPONSE, where, "a part of one");
    check(!port.write_register(sim::registers::id, 1), where, "a write that changes nothing");
    std::uint32_t value = 0;
    tlm::tlm_generic_payload look;
    look.set_read();
    look.set_data_ptr(reinterpret_cast<unsigned char*>(&value));
    look.set_data_length(4);
    check(port.registers->transport_dbg(look) == 4 && value == sim::registers::id_value, where,
          "a debugger reads");
    look.set_write();
    check(port.registers->transport_dbg(look) == 0, where, "a debugger does not write");
    try {
      port.read_register(0x0fc);
      check(false, where, "the host hears of it");
    } catch (const std::runtime_error&) {
      check(true, where, "");
    }
  }

  /// A job of one load at the memory's begin.
  void put_loads() {
    sim::LoadDescriptor load;
    load.memory.address = 0x1800;
    std::vector<std::uint32_t> words;
    sim::encode(load, words);
    port.write_memory(0x1000, reinterpret_cast<const std::uint8_t*>(words.data()),
                      4 * words.size());
    port.write_register(sim::registers::job_address_low, 0x1000);
  }

  void queue() {
    namespace at = sim::registers;
    const std::string where = "queue";
    for (int i = 0; i < 5; ++i) check(port.write_register(at::job_descriptors, 1), where, "taken");
    check(!port.write_register(at::job_descriptors, 1), where, "a sixth is not");
    const std::uint32_t status = port.read_register(at::status);
    check(status == (bit(at::status_busy) | bit(at::status_queue_full) | 4 << 8), where, "status");
    check(!port.write_register(at::window_end_low, 0), where, "the window, while one runs");
    port.wait_for_interrupt();
    const sc_time first = sc_core::sc_time_stamp();
    check(port.read_register(at::jobs_done) == 1, where, "one is done");
    port.write_register(at::interrupt, 1);
    port.wait_for_interrupt();  // it may be the old one, for a moment
    while (port.read_register(at::jobs_done) < 5) continue;
    const std::uint64_t busy = port.read_register(at::cycles_busy_low);
    const double clocks = (sc_core::sc_time_stamp() - first) / kPeriod;
    check(busy % 5 == 0 && clocks >= static_cast<double>(busy) / 5 * 4 &&
              clocks <= static_cast<double>(busy) / 5 * 4 + 2,
          where, "jobs follow each other");
    port.write_register(at::status, bit(at::status_queue_full));
    port.write_register(at::interrupt, 3);
    check(port.read_register(at::status) == 0, where, "idle");
  }

  void reset() {
    namespace at = sim::registers;
    const std::string where = "reset";
    check(port.read_register(at::stop_timeout) == 0, where, "it waits for ever");
    check(port.write_register(at::stop_timeout, 1000), where, "or so many clocks");
    port.write_register(at::job_descriptors, 1);
    port.write_register(at::job_descriptors, 1);
    port.write_register(at::control, bit(at::control_soft_reset));
    sc_core::wait(kPeriod * 1000.0);
    check(port.read_register(at::status) == 0 && !port.interrupt.read(), where, "nothing happens");
    check(port.read_register(at::jobs_done) == 0, where, "none is done");
    check(port.read_register(at::cycles_busy_low) == 0, where, "counters begin again");
    check(port.read_register(at::stop_timeout) == 1000, where, "the time-out stays");
    port.write_register(at::job_descriptors, 1);
    port.wait_for_interrupt();
    check(port.read_register(at::jobs_done) == 1, where, "jobs run again");
    port.write_register(at::interrupt, 3);
  }

  void error() {
    namespace at = sim::registers;
    const std::string where = "error";
    const std::uint32_t before = port.read_register(at::cycles_busy_low);
    port.write_register(at::job_descriptors, 2);  // the second is all zeros
    port.wait_for_interrupt();
    check(port.read_register(at::interrupt) == bit(at::interrupt_error), where, "its interrupt");
    check(port.read_register(at::error_code) == at::error_kind, where, "its code");
    check(port.read_register(at::error_descriptor) == 1, where, "its descriptor");
    check(port.read_register(at::cycles_busy_low) > before, where, "clocks of what came before it");
    check(!port.write_register(at::job_descriptors, 1), where, "no job is taken");
    port.write_register(at::interrupt, 3);
    port.write_register(at::control, bit(at::control_clear_error));
    check(port.write_register(at::job_descriptors, 1), where, "one is again");
  }
};

std::unique_ptr<Operation> random_operation(std::mt19937& random, const std::string& name,
                                            bool direct) {
  for (;;) {
    const auto what = unit::random_case(random, unit::random_accelerator(random));
    try {
      unit::OperationRun run(what);
      return std::make_unique<Operation>(name.c_str(), what, std::move(run), direct);
    } catch (const UserError&) {
      continue;  // it does not fit
    }
  }
}

bool run_all() {
  std::mt19937 random(31);
  std::vector<std::unique_ptr<Platform>> platforms;
  for (int i = 0; i < 40; ++i) {
    platforms.push_back(random_operation(random, fmt::format("operation_{}", i), i % 2 == 0));
  }
  platforms.push_back(std::make_unique<Registers>("registers", unit::random_accelerator(random)));
  sc_core::sc_start(1, sc_core::SC_SEC);  // all are done long before, or wait for ever
  for (const auto& platform : platforms) check(platform->done, platform->name(), "not done");
  fmt::print("{} platforms, {} checks, {} wrong\n", platforms.size(), checks, wrong);
  return wrong == 0;
}

}  // namespace
}  // namespace td::verify

int sc_main(int, char**) { return td::verify::run_all() ? 0 : 1; }
