#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "penstock/base/error.hpp"
#include "penstock/net/link/pieces.hpp"
#include "penstock/net/wire/frame.hpp"

namespace penstock::net {

class SentCall;

/// How a call over a link ended.
struct CallEnd {
  enum class Kind : std::uint8_t {
    answer,  ///< `bytes` are the response's
    error,   ///< the service's own: `code`, and `bytes` are its text
    lost,    ///< the link broke: the call may have been run, or not
  };
  Kind kind = Kind::lost;
  ErrorCode code = ErrorCode::ok;
  std::string_view bytes;  ///< as long as the function is called
  /// The large buffers of an answer, likewise, to be taken; null: it has none.
  std::vector<Buffer>* buffers = nullptr;
};

/// What a link does with a call that it was given: all on the link's thread.
struct SentCallType {
  std::size_t (*size)(const SentCall& call);  ///< bytes of the request
  void (*write)(const SentCall& call, char* at);
  wire::CallEnvelope (*envelope)(const SentCall& call, Nanos now) noexcept;
  void (*ended)(SentCall& call, const CallEnd& end) noexcept;  ///< once, unless it was cancelled
  /// Of calls with buffers: writes the request with the large ones beside it.
  void (*part)(const SentCall& call, PartedMessage& to) = nullptr;
};

/// A call on its way over a link; who makes it keeps it until it has ended.
class SentCall {
 public:
  explicit SentCall(const SentCallType& its_type, bool with_buffers = false) noexcept
      : type(its_type), has_buffers(with_buffers) {}
  SentCall(const SentCall&) = delete;
  SentCall& operator=(const SentCall&) = delete;

  const SentCallType& type;
  const bool has_buffers;

 protected:
  ~SentCall() = default;

 private:
  friend class SentCalls;
  static constexpr std::uint64_t kNotSent = ~std::uint64_t{0};
  std::uint64_t number_ = kNotSent;
};

/// The calls of one link whose end is still to come, by the number that they have on the wire: a
/// place, and how often that was used before, so that an answer that comes late finds nobody.
class SentCalls {
 public:
  /// Throws std::bad_alloc.
  std::uint64_t add(SentCall& call) {
    if (free_.empty()) {
      free_.reserve(places_.size() + 1);
      places_.emplace_back();
      free_.push_back(static_cast<std::uint32_t>(places_.size() - 1));
    }
    const std::uint32_t place = free_.back();
    free_.pop_back();
    places_[place].call = &call;
    call.number_ = (std::uint64_t{places_[place].uses & kMostUses} << 32U) | place;
    return call.number_;
  }
  /// Null: there is none of this number, or no more.
  SentCall* take(std::uint64_t number) noexcept {
    const auto place = static_cast<std::uint32_t>(number);
    if (place >= places_.size()) return nullptr;
    Place& at = places_[place];
    if (at.call == nullptr || at.call->number_ != number) return nullptr;
    ++at.uses;
    free_.push_back(place);
    SentCall* const call = std::exchange(at.call, nullptr);
    call->number_ = SentCall::kNotSent;
    return call;
  }
  /// There is one of this number.
  [[nodiscard]] bool has(std::uint64_t number) const noexcept {
    const auto place = static_cast<std::uint32_t>(number);
    return place < places_.size() && places_[place].call != nullptr &&
           places_[place].call->number_ == number;
  }
  [[nodiscard]] static std::uint64_t number_of(const SentCall& call) noexcept {
    return call.number_;
  }
  [[nodiscard]] std::size_t size() const noexcept { return places_.size() - free_.size(); }
  /// Any of them; null: there are none.
  SentCall* take_any() noexcept {
    for (std::size_t place = places_.size(); size() != 0 && place-- > 0;) {
      if (SentCall* const call = places_[place].call) return take(call->number_);
    }
    return nullptr;
  }

 private:
  struct Place {
    SentCall* call = nullptr;
    std::uint32_t uses = 0;
  };
  static constexpr std::uint32_t kMostUses = 0x7FFFFFFF;  // the highest bit is that of rows
  std::vector<Place> places_;
  std::vector<std::uint32_t> free_;
};

}  // namespace penstock::net
