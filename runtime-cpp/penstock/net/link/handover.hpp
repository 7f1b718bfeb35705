#pragma once

#include <cstdint>

#include "penstock/message/buffer.hpp"
#include "penstock/net/wire/buffers.hpp"

namespace penstock::net {

/// How buffers change owner over a link without their bytes, where both ends have memory in common.
/// On the link's thread. Throws std::bad_alloc, and has changed nothing then.
class Handover {
 public:
  Handover() = default;
  Handover(const Handover&) = delete;
  Handover& operator=(const Handover&) = delete;

  /// The other end has it as soon as it is told of `part`; `buffer` is empty then, but with `keep`,
  /// where the other end has a copy. False: it cannot be handed over, and nothing has happened.
  [[nodiscard]] virtual bool hand(Buffer& buffer, bool keep, wire::BufferPart& part) = 0;

  enum class Taken : std::uint8_t {
    yes,
    no_memory,  ///< there is none to have it with
    malformed,  ///< nothing was handed over like that
  };
  /// What the other end says that this one has now.
  [[nodiscard]] virtual Taken take(const wire::BufferPart& part, Buffer& to) = 0;

 protected:
  ~Handover() = default;
};

}  // namespace penstock::net
