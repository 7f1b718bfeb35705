#pragma once

#include <atomic>
#include <cstdint>
#include <string>
#include <vector>

#include "penstock/app/binding.hpp"
#include "penstock/flow/flow.hpp"
#include "support/parcel.hpp"
#include "support/small_binary.hpp"

/// A flow of trivial stages that keeps itself going: the last one lets the next event in. For all
/// that measures or counts what an event costs.
namespace penstock::testing {

struct Relay : Handler {
  using request_type = Parcel;
  using response_type = Parcel;
  static Parcel handle(const Parcel& parcel) {
    Parcel next = parcel;
    ++next.words[0];
    return next;
  }
};

/// The last stage, on one thread: as long as there are events left it emits another one for each
/// that comes, as a handler of a `service` source does.
struct Finish : Handler {
  using request_type = Parcel;
  using response_type = void;
  static void handle(const Parcel& parcel) {
    sum += parcel.words[0];
    if (left > 0) {
      --left;
      emit();
    } else if (under_way.fetch_sub(1, std::memory_order_acq_rel) == 1) {
      under_way.notify_all();
    }
  }
  static void emit() { flow->push(Parcel{}); }
  static inline flow::Flow* flow = nullptr;
  // Of the last stage's thread; of run() while no event is under way.
  static inline std::int64_t left = 0;
  static inline std::uint64_t sum = 0;
  static inline std::atomic<std::int64_t> under_way{0};
};

class RelayFlow {
 public:
  /// As many stages as `joins`, each behind that join; null: none, it runs fused. `first` is where
  /// events enter without one. One such flow at a time; before the binary starts.
  RelayFlow(SmallBinary& binary, exec::Pool& first, const std::vector<exec::Pool*>& joins) {
    call::Service& relay = binary.service<Relay>("Relay", Kind::simple, first);
    call::Service& finish = binary.service<Finish>("Finish", Kind::simple, first);
    for (std::size_t stage = 0; stage + 1 < joins.size(); ++stage) {
      add<flow::Role::map, Relay>(relay, joins[stage]);
    }
    add<flow::Role::side_effect, Finish>(finish, joins.back());
    binary.enroll(flow_);
    Finish::flow = &flow_;
  }

  /// Before the binary starts: how many go at once is as for stages that take no time, and stays
  /// so.
  void assume_quick(SmallBinary& binary) {
    binary.registry().set_sampling(0);
    for (flow::Stage& stage : flow_.stages()) {
      stage.at_once = defaults::kMostInChunk;
      stage.only_implementation->pace.note(0);
    }
  }

  /// Sends `events` through, `at_once` of them at a time; how often a stage before the last ran.
  std::uint64_t run(std::int64_t events, std::int64_t at_once) {
    const std::int64_t first = events < at_once ? events : at_once;
    Finish::sum = 0;
    Finish::left = events - first;
    Finish::under_way = first;
    for (std::int64_t event = 0; event < first; ++event) Finish::emit();
    for (std::int64_t now = first; now != 0; now = Finish::under_way) Finish::under_way.wait(now);
    return Finish::sum;
  }

 private:
  template <flow::Role role, class H>
  void add(call::Service& service, exec::Pool* join) {
    flow::Stage& stage = flow_.add_stage();
    const std::string id = "s" + std::to_string(stage.index);
    app::StageBinding binding = app::bind_stage<role, H>(id, service.name.str());
    flow_.fit(binding.value_bytes);
    app::set_up(stage, service, std::move(binding));
    stage.join = join;
  }

  flow::Flow flow_{"Relays"};
};

}  // namespace penstock::testing
