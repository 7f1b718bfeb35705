// Services whose messages are not the same at both ends: what these mean is asked, and compared.
#include <algorithm>
#include <utility>

#include "penstock/net/link/link.hpp"

namespace penstock::net {

namespace {

std::string digits_of(std::uint64_t schema) {
  std::string digits(2 * sizeof(schema), '0');
  for (std::size_t at = digits.size(); at-- > 0; schema >>= 4U)
    digits[at] = "0123456789abcdef"[schema & 15U];
  return digits;
}

/// The request, or the answer, of a service.
struct Half {
  const char* what;
  std::uint64_t here;
  std::uint64_t there;
  [[nodiscard]] bool differs() const noexcept { return here != there; }
  [[nodiscard]] std::string text(const std::string& service) const {
    return std::string(what) + " of " + service + " has another definition there (" +
           digits_of(there) + ", here " + digits_of(here) + ")";
  }
};

Half request_of(const Wanted& wanted, const wire::OfferedService& offered) noexcept {
  return {"the request", wanted.request_schema, offered.request_schema};
}
Half answer_of(const Wanted& wanted, const wire::OfferedService& offered) noexcept {
  return {"the answer", wanted.answer_schema, offered.answer_schema};
}

/// Each end defines an answer, or none does.
bool both_answer(const Half& answer) noexcept { return (answer.here == 0) == (answer.there == 0); }

}  // namespace

void Link::settle(std::size_t wanted, const wire::OfferedService& offered) {
  const Wanted& here = self_.wanted[wanted];
  Outlet& outlet = outlets_[wanted];
  const Half request = request_of(here, offered);
  const Half answer = answer_of(here, offered);
  outlet.number = static_cast<std::uint16_t>(offered.number);
  if (request.differs() || answer.differs()) {
    outlet.why = (request.differs() ? request : answer).text(here.name);
    const bool may_ask = (self_.hello.features & peer_.features & wire::kTellsDefinitions) != 0;
    if (!may_ask || here.definitions.request.empty() || !both_answer(answer)) return;
    compared_.push_back({.wanted = wanted});
    static_cast<void>(begin_frame({0, wire::FrameKind::definitions, 0, outlet.number, 0}));
  }
  outlet.offered = true;
  wanted_of_[outlet.number] = static_cast<std::uint32_t>(wanted + 1);
}

Link::Compared* Link::compared(std::size_t wanted) noexcept {
  const auto found = std::find_if(compared_.begin(), compared_.end(),
                                  [wanted](const Compared& each) { return each.wanted == wanted; });
  return found != compared_.end() ? &*found : nullptr;
}

// Without a body it is a question.
void Link::take_definitions(const wire::FrameRead& frame) {
  const std::uint16_t number = frame.head.service;
  if (frame.body.empty()) return tell_definitions(number);
  if (number >= wanted_of_.size() || wanted_of_[number] == 0) return;
  const std::size_t wanted = wanted_of_[number] - 1;
  const Compared* const asked = compared(wanted);
  if (asked == nullptr) return;
  wire::Definitions there;
  if (!wire::read_definitions(frame.body, there)) return malformed("its definitions are broken");
  const auto offered =
      std::find_if(peer_.services.begin(), peer_.services.end(),
                   [number](const auto& service) { return service.number == number; });
  const Wanted& here = self_.wanted[wanted];
  const Half request = request_of(here, *offered);
  const Half answer = answer_of(here, *offered);
  std::string why;
  const auto compare = [&](const Half& half, const wire::BothDefinitions& both) {
    if (!half.differs() || !why.empty()) return;
    why = wire::why_unreadable(both);
    if (!why.empty()) why = half.text(here.name) + ": " + why;
  };
  compare(request, {here.definitions.request, there.request, wire::Writer::here});
  compare(answer,
          {here.definitions.answer, there.answer, wire::Writer::there, here.answer_is_kept});
  const std::uint32_t credits = asked->credits;
  compared_.erase(compared_.begin() + (asked - compared_.data()));
  Outlet& outlet = outlets_[wanted];
  outlet.why = std::move(why);
  if (!outlet.why.empty()) {
    outlet.offered = false;
    wanted_of_[number] = 0;
    return user_.not_offered(*this, wanted);
  }
  outlet.credits = credits;
  if (credits != 0 && !peer_drains_) user_.has_credit(*this, wanted);
}

void Link::tell_definitions(std::uint16_t service) {
  if (service >= inlets_.size())
    return malformed("it asks for the definitions of a service that is not here");
  if (std::exchange(inlets_[service].is_told, true))
    return malformed("it asks for the same definitions twice");
  static const wire::Definitions none;
  const bool is_known = service < self_.definitions.size();
  const wire::Definitions* said = is_known ? &self_.definitions[service] : &none;
  if (wire::size(*said) > peer_.largest_body) said = &none;
  const auto bytes = static_cast<std::uint32_t>(wire::size(*said));
  wire::write(begin_frame({bytes, wire::FrameKind::definitions, 0, service, 0}), *said);
}

}  // namespace penstock::net
