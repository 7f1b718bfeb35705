#pragma once

#include <atomic>
#include <cstdint>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "penstock/app.hpp"
#include "penstock/flow/graph/flow.hpp"
#include "support/parcel.hpp"
#include "support/small_binary.hpp"

/// A flow of trivial stages that keeps itself going: the last one lets the next event in. For all
/// that measures or counts what an event costs.
namespace penstock::testing {

/// Whether the compiler sees what a handler does where it is asked.
enum class Seen : std::uint8_t { yes, no };

template <Seen seen>
struct Relay : Handler {
  using request_type = Parcel;
  using response_type = Parcel;
  static Parcel handle(const Parcel& parcel) {
    if constexpr (seen == Seen::yes) return relayed(parcel);
    return relayed_elsewhere(parcel);
  }
  static Parcel relayed(const Parcel& parcel) {
    Parcel next = parcel;
    ++next.words[0];
    return next;
  }
  [[gnu::noipa]] static Parcel relayed_elsewhere(const Parcel& parcel) { return relayed(parcel); }
};

/// What the last stage has seen, and what is left.
struct Finished {
  static void take(const Parcel& parcel) {
    sum += parcel.words[0];
    if (left > 0) {
      --left;
      emit(left);
    } else if (under_way.fetch_sub(1, std::memory_order_acq_rel) == 1) {
      under_way.notify_all();
    }
  }
  static void emit(std::int64_t number) {
    Parcel parcel;
    parcel.words[1] = static_cast<std::uint64_t>(number);
    flow->push(parcel);
  }
  static inline flow::Flow* flow = nullptr;
  // Of the last stage's thread; of run() while no event is under way.
  static inline std::int64_t left = 0;
  static inline std::uint64_t sum = 0;
  static inline std::atomic<std::int64_t> under_way{0};
};

/// The last stage, on one thread: as long as there are events left it emits another one for each
/// that comes, as a handler of a `service` source does.
template <Seen seen>
struct Finish : Handler {
  using request_type = Parcel;
  using response_type = void;
  static void handle(const Parcel& parcel) {
    if constexpr (seen == Seen::yes) {
      Finished::take(parcel);
    } else {
      take_elsewhere(parcel);
    }
  }
  [[gnu::noipa]] static void take_elsewhere(const Parcel& parcel) { Finished::take(parcel); }
};

/// A last stage that lets nobody in, beside one that does.
struct Watch : Handler {
  using request_type = Parcel;
  using response_type = void;
  static void handle(const Parcel& parcel) { seen += parcel.words[0]; }
  static inline std::uint64_t seen = 0;  // of one thread
};

template <Seen seen = Seen::yes>
class RelayFlow {
 public:
  using Relay = testing::Relay<seen>;
  using Finish = testing::Finish<seen>;

  /// Where events end: in the last stage, every second one in another one beside it, or all in
  /// both.
  enum class Ends : std::uint8_t { in_one, in_two, in_both };

  /// As many stages as `joins`, each behind that join; null: none, it runs fused. `first` is where
  /// events enter without one. One such flow at a time; before the binary starts.
  RelayFlow(SmallBinary& binary, exec::Pool& first, const std::vector<exec::Pool*>& joins,
            Ends ends = Ends::in_one)
      : first_(first) {
    call::Service& relay = binary.service<Relay>("Relay", Kind::simple, first);
    call::Service& finish = binary.service<Finish>("Finish", Kind::simple, first);
    for (std::size_t stage = 0; stage + 1 < joins.size(); ++stage) {
      add<flow::Role::map, Relay>(relay, joins[stage]);
    }
    add<flow::Role::side_effect, Finish>(finish, joins.back());
    const std::vector<std::uint32_t> after = flow_.stages().back().after;
    if (ends == Ends::in_both) {
      call::Service& watch = binary.service<Watch>("Watch", Kind::simple, first);
      add<flow::Role::side_effect, Watch>(watch, joins.back());
      flow_.stages().back().after = after;
    }
    if (ends == Ends::in_two) {
      flow_.stages().back().when = {.of = &is_odd, .values = {0}};
      add<flow::Role::side_effect, Finish>(finish, joins.back());
      flow_.stages().back().after = after;
      flow_.stages().back().when = {.of = &is_odd, .values = {1}};
    }
    binary.enroll(flow_);
    Finished::flow = &flow_;
  }

  /// Before the binary starts: all `stages` are one function, as a generated main() has them.
  template <std::size_t stages>
  void compose() {
    flow_.stages().front().composed = composed(std::make_index_sequence<stages - 1>());
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
    Finished::sum = 0;
    Finished::left = events - first;
    Finished::under_way = first;
    // By a job where they enter: none of them goes round while others are still to come, which each
    // costs more alone.
    Begin begin;
    begin.events = first;
    first_.worker(0).post(begin);
    for (std::int64_t now = first; now != 0; now = Finished::under_way) {
      Finished::under_way.wait(now);
    }
    return Finished::sum;
  }

 private:
  struct Begin : exec::Job {
    std::int64_t events = 0;
    Begin() {
      run = [](exec::Job& job) noexcept {
        const std::int64_t many = static_cast<Begin&>(job).events;
        for (std::int64_t event = 0; event < many; ++event) Finished::emit(event);
      };
    }
  };
  static std::int64_t is_odd(const void* parcel) {
    return static_cast<std::int64_t>(static_cast<const Parcel*>(parcel)->words[1] % 2);
  }
  template <std::size_t... at>
  [[nodiscard]] static flow::Stage::Composed composed(std::index_sequence<at...> /*relays*/) {
    return flow::Composition<std::conditional_t<true, Map<Relay>, char[at + 1]>...,
                             SideEffect<Finish>>::composed();
  }
  template <flow::Role role, class H>
  void add(call::Service& service, exec::Pool* join) {
    flow::Stage& stage = flow_.add_stage();
    const std::string id = "s" + std::to_string(stage.index);
    app::StageBinding binding = app::bind_stage<role, H>(id, service.name.str());
    flow_.fit(binding.value_bytes);
    app::set_up(stage, service, std::move(binding));
    stage.join = join;
  }

  exec::Pool& first_;
  flow::Flow flow_{"Relays"};
};

}  // namespace penstock::testing
