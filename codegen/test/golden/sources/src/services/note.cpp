// Yours: Penstock wrote this start and never touches the file once you have edited it.
#include "services/note.hpp"

namespace sources {

void Note::handle(const Receipt& request) {
  static_cast<void>(request);
  penstock::throw_unimplemented("Note");
}

}  // namespace sources
