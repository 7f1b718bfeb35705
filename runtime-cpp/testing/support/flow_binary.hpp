#pragma once

#include <string>
#include <vector>

#include "penstock/app/model/model.hpp"
#include "penstock/app/running/running.hpp"
#include "support/small_binary.hpp"

/// A binary as a generated main() makes it, without process and control port.
namespace penstock::testing {

class FlowBinary {
 public:
  FlowBinary() { config_.binary = "b"; }
  FlowBinary(const FlowBinary&) = delete;
  FlowBinary& operator=(const FlowBinary&) = delete;
  ~FlowBinary() { stop(); }

  // --- before start() ---

  template <class... H>
  void service(std::string name, Kind kind, ServiceOptions options = {}) {
    model_.add_service(std::move(name), kind, std::move(options), {app::bind_handler<H>()...});
  }
  /// A drawn call.
  template <class Calls, class Request, class Response>
  void call(std::string from, std::string to, Stub<Request, Response> Calls::*member) {
    model_.add_call(app::bind_call(std::move(from), std::move(to), member));
  }
  /// Its source makes nothing by itself.
  template <class Source>
  FlowBuilder flow(const std::string& name) {
    config_.flows.push_back({name, {}, {}});
    return {model_, model_.add_flow(name, app::bind_rate_source<Source>())};
  }
  void pool(std::string name, std::size_t threads, std::uint32_t queue = 1024,
            config::Overflow overflow = config::Overflow::block) {
    config::Pool pool;
    pool.name = std::move(name);
    pool.threads.resize(threads);
    pool.queue = queue;
    pool.overflow = overflow;
    config_.pools.push_back(std::move(pool));
  }
  void place(std::string service, std::string pool) {
    config::Service placed;
    placed.name = std::move(service);
    placed.pool = std::move(pool);
    config_.services.push_back(std::move(placed));
  }
  /// Of the flow added last.
  void join(config::Join join) { config_.flows.back().joins.push_back(std::move(join)); }
  [[nodiscard]] config::Config& config() noexcept { return config_; }

  void start() {
    model_.configure(config_);
    std::vector<std::string> warnings;
    for (const auto& pool : model_.pools()) {
      const std::string reason = pool->start(true, warnings);
      if (!reason.empty()) throw std::runtime_error(reason);
    }
    model_.joins().start();
  }

  // --- running ---

  template <class T>
  void emit(T value) {
    flow::Flow& flow = *model_.flows().front();
    static const std::atomic<bool> never{false};
    flow.wait_for_room(never);
    flow::Event& event = flow.make_event();
    event.set_value(std::move(value));
    flow.emit(event);
  }
  [[nodiscard]] bool idle() {
    return eventually([this] { return model_.quiet(); });
  }
  [[nodiscard]] app::Model& model() noexcept { return model_; }
  [[nodiscard]] app::Running& host() noexcept { return running_; }
  [[nodiscard]] exec::Pool& pool_of(const std::string& name) {
    for (const auto& pool : model_.pools()) {
      if (pool->name() == name) return *pool;
    }
    throw std::runtime_error("no pool " + name);
  }
  [[nodiscard]] std::uint64_t count(std::uint32_t counter) {
    return model_.registry().count(counter);
  }
  [[nodiscard]] const flow::Flow& first_flow() { return *model_.flows().front(); }
  [[nodiscard]] std::uint64_t completed() { return count(first_flow().counters().completed); }
  [[nodiscard]] std::uint64_t failed() { return count(first_flow().counters().failed); }
  [[nodiscard]] std::uint64_t dropped() { return count(first_flow().counters().dropped); }

  void stop() {
    for (const auto& pool : model_.pools()) pool->stop(far_from_now());
  }

 private:
  app::Model model_{{.binary = "b", .project = "p", .topology_hash = "", .config = ""}};
  config::Config config_;
  // A trace is shown until the test has looked.
  app::Running running_{model_, std::chrono::nanoseconds(kFar).count()};
};

}  // namespace penstock::testing
