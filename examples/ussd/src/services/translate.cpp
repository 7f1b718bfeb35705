#include "services/translate.hpp"

namespace ussd {

// "*100#" dials; anything else answers the menu that the phone shows.
Request Translate::handle(const Ussd& request) {
  const std::string& text = request.text;
  if (text.empty())
    throw penstock::Error(penstock::ErrorCode::invalid_argument, "nothing was pressed");
  const bool dialled = text.size() > 2 && text.front() == '*' && text.back() == '#';
  return {.id = request.id,
          .receivedUs = request.receivedUs,
          .msisdn = request.msisdn,
          .code = dialled ? text : "",
          .input = dialled ? "" : text};
}

}  // namespace ussd
