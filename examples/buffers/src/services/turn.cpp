#include "services/turn.hpp"

#include "words.hpp"

namespace buffers {

// What is given back is what came: its owner changes twice, and its bytes stay where they are.
Parcel Turn::handle(Parcel& request) {
  if (request.combine) request.combined = combined(request.data.bytes());
  return std::move(request);
}

}  // namespace buffers
