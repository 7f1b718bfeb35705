#pragma once

#include <string_view>

#include "penstock/flow/event/event.hpp"
#include "penstock/json/error.hpp"

namespace penstock::flow {

/// Puts the message that a JSON text is into an event; false: it is none, for the reason in
/// `error`. Throws std::bad_alloc.
using ReadJson = bool (*)(std::string_view text, Event& event, JsonError& error);

template <class Message>
bool read_json(std::string_view text, Event& event, JsonError& error) {
  Message message;
  if (!decode_json(text, message, error)) return false;
  event.set_value(std::move(message));
  return true;
}

}  // namespace penstock::flow
