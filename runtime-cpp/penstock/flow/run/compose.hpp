#pragma once

#include <array>
#include <cstddef>
#include <memory>
#include <new>
#include <tuple>
#include <type_traits>
#include <utility>

#include "penstock/base/defaults.hpp"
#include "penstock/flow/run/run_stage.hpp"

/// Stages of which the compiler knows all, as one function: a value goes through them without being
/// stored between, and handlers that the compiler sees are inlined.
namespace penstock::flow {

/// A handler class, and what it does in a flow.
template <class H, Role its_role>
struct As {
  using Handler = H;
  using Request = typename H::request_type;
  using Response = typename H::response_type;
  using Given = call::Outcome<H>;
  static constexpr Role kRole = its_role;
  static constexpr bool kKeeps = stays_in_place<H, its_role>;
  static constexpr bool kIsPlain = is_step<H, its_role>;
  static constexpr Stage::Run kRun = &run_stage<H, its_role>;
};

/// A chain of them: each takes what the one before it leaves.
template <class... Stages>
class Composition {
  static constexpr std::size_t kCount = sizeof...(Stages);
  template <std::size_t at>
  using At = std::tuple_element_t<at, std::tuple<Stages...>>;
  /// At stack or heap; the latter is where the row has it.
  enum class Place : std::uint8_t { local, row };
  /// Whether somebody wants the values behind the chain.
  enum class Goes : std::uint8_t { on, nowhere };

 public:
  static_assert(kCount >= 2 && kCount <= defaults::kMostStepsAtOnce);

  /// What a chain is, for Stage::composed of its first stage; nothing where a handler in it is a
  /// coroutine, or a value of it may throw when it is moved.
  [[nodiscard]] static constexpr Stage::Composed composed() {
    if constexpr ((Stages::kIsPlain && ...)) {
      return {&run<Goes::on>, &run<Goes::nowhere>, kCount, (Stages::kKeeps && ...)};
    } else {
      return {};
    }
  }
  /// How its stages run by themselves, which tells whether a flow's stages are these.
  [[nodiscard]] static constexpr std::array<Stage::Run, kCount> runs() { return {Stages::kRun...}; }

 private:
  /// One value on its way.
  struct Way {
    Chain& chain;
    const std::array<void*, kCount>& handlers;
    const call::Implementation* const* implementations;
    std::byte* in;
    std::byte* out;
  };

  template <Goes goes>
  static void run(Chain& chain, Row& row) {
    std::array<void*, kCount> handlers;
    for (std::size_t at = 0; at < kCount; ++at) handlers[at] = chain.handlers[at];
    std::uint32_t taken = row.taken;
    std::uint32_t made = row.made;
    const std::size_t stride = row.stride;
    Way way{chain, handlers, chain.implementations, row.in + taken * stride,
            row.out + made * stride};
    bool goes_on = true;
    try {
      // A handler may lower the count.
      for (; taken < row.count; ++taken, way.in += stride) {
        auto& value = *std::launder(reinterpret_cast<typename At<0>::Request*>(way.in));
        goes_on = go<0, Place::row, goes>(way, value);
        if (!goes_on) continue;
        way.out += stride;
        ++made;
      }
    } catch (...) {
      row.taken = taken;
      row.made = made;
      throw;
    }
    row.taken = taken;
    row.made = made;
    row.goes_on = goes == Goes::on && goes_on;
  }

  /// Through the stages from `at` on; whether the value came to their end, where it is at `out` or,
  /// where it goes nowhere, no more.
  template <std::size_t at, Place place, Goes goes, class Value>
  static bool go(Way& way, Value& value) {
    if constexpr (at == kCount) {
      leave<place, goes>(way, value);
      return true;
    } else if constexpr (At<at>::kKeeps) {
      if constexpr (std::is_same_v<typename At<at>::Given, Verdict>) {
        if (ask<at, place>(way, value) == Verdict::end) return end<at, place>(way, value);
      } else if constexpr (call::may_end<typename At<at>::Handler>) {
        if (!ask<at, place>(way, value)) return end<at, place>(way, value);
      } else {
        static_cast<void>(ask<at, place>(way, value));
      }
      return go<at + 1, place, goes>(way, value);
    } else if constexpr (call::may_end<typename At<at>::Handler>) {
      auto given = ask<at, place>(way, value);
      if (!given) return end<at, place>(way, value);
      if constexpr (place == Place::row) std::destroy_at(&value);
      return go<at + 1, Place::local, goes>(way, *given);
    } else if constexpr (at + 1 == kCount) {
      if constexpr (goes == Goes::on) {
        ::new (way.out) typename At<at>::Response(ask<at, place>(way, value));
      } else {
        static_cast<void>(ask<at, place>(way, value));
      }
      if constexpr (place == Place::row) std::destroy_at(&value);
      return true;
    } else {
      typename At<at>::Response next = ask<at, place>(way, value);
      if constexpr (place == Place::row) std::destroy_at(&value);
      return go<at + 1, Place::local, goes>(way, next);
    }
  }

  template <std::size_t at, Place place, class Value>
  static decltype(auto) ask(Way& way, Value& value) {
    using Handler = typename At<at>::Handler;
    static_assert(std::is_same_v<Value, typename At<at>::Request>,
                  "a stage of a chain takes what the one before it leaves");
    call::Activating::turns_to(*way.implementations[at]);
    try {
      return static_cast<Handler*>(way.handlers[at])->handle(call::hand_over<Handler>(value));
    } catch (...) {
      // The value waits in the row, as it came to this stage.
      if constexpr (place == Place::local) ::new (way.in) Value(std::move(value));
      way.chain.failed_at = at;
      ++way.chain.threw[at];
      throw;
    }
  }

  template <std::size_t at, Place place, class Value>
  static bool end(Way& way, Value& value) {
    ++way.chain.ended[at];
    if constexpr (place == Place::row) std::destroy_at(&value);
    return false;
  }

  template <Place place, Goes goes, class Value>
  static void leave(Way& way, Value& value) {
    if constexpr (goes == Goes::nowhere) {
      if constexpr (place == Place::row) std::destroy_at(&value);
    } else if constexpr (place == Place::local) {
      ::new (way.out) Value(std::move(value));
    } else if (way.out != way.in) {
      move_value<Value>(way.in, way.out);
    }
  }
};

}  // namespace penstock::flow
