#pragma once

#include <chrono>
#include <functional>
#include <initializer_list>
#include <memory>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "penstock/app/binding.hpp"
#include "penstock/call/watch/watchdog.hpp"
#include "penstock/service.hpp"

/// Pools and services without configuration file and process, for the tests of call and flow.
namespace penstock::testing {

/// Nothing that comes at all takes longer, whoever else uses the machine: no test is judged by how
/// soon something came. Below the 900 s after which the runner gives a test up.
inline constexpr std::chrono::seconds kFar{300};
[[nodiscard]] inline Nanos far_from_now() noexcept {
  return after(now_ns(), std::chrono::nanoseconds(kFar).count());
}

[[nodiscard]] inline exec::PoolSettings pool_settings(
    std::string name, std::size_t threads, std::uint32_t queue = 1024,
    exec::Overflow overflow = exec::Overflow::block) {
  exec::PoolSettings settings;
  settings.name = std::move(name);
  settings.threads.resize(threads);
  settings.queue = queue;
  settings.overflow = overflow;
  return settings;
}

class SmallBinary {
 public:
  SmallBinary() = default;
  SmallBinary(const SmallBinary&) = delete;
  SmallBinary& operator=(const SmallBinary&) = delete;
  ~SmallBinary() {
    stop();
    if (watchdog_) watchdog_->stop();
  }

  /// Before start(): a watchdog over all pools, with every wait listed. It looks from start() on,
  /// or once the test starts it.
  enum class Looks : std::uint8_t { from_start, later };
  call::Watchdog& watch(call::Watchdog::Settings settings, Looks looks = Looks::from_start) {
    watchdog_ = std::make_unique<call::Watchdog>(std::move(settings));
    looks_ = looks;
    return *watchdog_;
  }

  exec::Pool& pool(exec::PoolSettings settings) {
    pools_.push_back(std::make_unique<exec::Pool>(std::move(settings)));
    return *pools_.back();
  }

  template <class... H>
  call::Service& service(std::string name, Kind kind, exec::Pool& pool) {
    return service(std::move(name), kind, pool, {&call::type_of<H>()...});
  }
  call::Service& service(std::string name, Kind kind, exec::Pool& pool,
                         std::initializer_list<const call::Implementation::Type*> types) {
    services_.push_back(std::make_unique<call::Service>());
    call::Service& service = *services_.back();
    service.name = std::move(name);
    service.kind = kind;
    service.pool = &pool;
    for (const call::Implementation::Type* const type : types) service.implementations.add(*type);
    call::enroll(service, registry_, slots_);
    for (const call::Partition& partition : service.partitions.all()) pool.add_strand(partition);
    if (kind == Kind::sync_remote) pool.expect_blocking();
    return service;
  }

  /// A place that each worker keeps something at.
  [[nodiscard]] std::uint32_t take_slot() noexcept { return slots_++; }

  /// A flow of such services, once it has its stages.
  void enroll(flow::Flow& flow) { flow.enroll(registry_, slots_); }

  /// A call from outside, or from a service through `member`.
  const call::CallSite& site(call::Service& callee) {
    sites_.push_back(std::make_unique<call::CallSite>());
    sites_.back()->callee = &callee;
    call::enroll(*sites_.back(), registry_);
    return *sites_.back();
  }
  template <class H, class Request, class Response>
  void connect(call::Service& caller, call::Service& callee,
               Stub<Request, Response> H::calls_type::*member) {
    const call::CallSite& target = site(callee);
    for (call::Implementation* const implementation : caller.implementations) {
      implementation->give_extras().wiring.push_back(call::wire_to(member, &target));
    }
  }

  void start() {
    registry_.start();
    if (watchdog_) {
      for (const auto& service : services_) service->listed = true;
      if (looks_ == Looks::from_start) watchdog_->start();
    }
    for (const auto& pool : pools_) {
      pool->set_hooks({.started =
                           [this](exec::Worker& worker) {
                             registry_.enter();
                             if (watchdog_) watchdog_->enter(worker);
                           },
                       .stopping =
                           [this](exec::Worker&) {
                             if (watchdog_) watchdog_->leave();
                             registry_.leave();
                           }});
      std::vector<std::string> warnings;
      const std::string reason = pool->start(true, warnings);
      if (!reason.empty()) throw std::runtime_error(reason);
    }
  }
  void stop() {
    for (const auto& pool : pools_) pool->stop(far_from_now());
  }

  [[nodiscard]] metrics::Registry& registry() noexcept { return registry_; }
  [[nodiscard]] const auto& services() const noexcept { return services_; }
  [[nodiscard]] const auto& pools() const noexcept { return pools_; }
  [[nodiscard]] std::uint64_t done(const call::Service& service) const {
    return service.done_count();
  }

 private:
  metrics::Registry registry_;
  std::unique_ptr<call::Watchdog> watchdog_;
  Looks looks_ = Looks::from_start;
  std::uint32_t slots_ = 0;
  std::vector<std::unique_ptr<call::Service>> services_;
  std::vector<std::unique_ptr<call::CallSite>> sites_;
  std::vector<std::unique_ptr<exec::Pool>> pools_;
};

/// Waits until `condition` holds, at most so long. A limit is a verdict: for soaks.
template <class Condition>
[[nodiscard]] bool eventually_within(std::chrono::nanoseconds limit, Condition condition) {
  const Nanos deadline = after(now_ns(), limit.count());
  while (!condition()) {
    if (now_ns() > deadline) return false;
    std::this_thread::sleep_for(std::chrono::microseconds(200));
  }
  return true;
}

/// Waits until `condition` holds.
template <class Condition>
[[nodiscard]] bool eventually(Condition condition) {
  return eventually_within(kFar, condition);
}

}  // namespace penstock::testing
