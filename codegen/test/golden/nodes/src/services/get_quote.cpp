// Yours: Penstock wrote this start and never touches the file once you have edited it.
#include "services/get_quote.hpp"

namespace nodes {

Quote GetQuote::handle(const Order& request) {
  static_cast<void>(request);
  penstock::throw_unimplemented("GetQuote");
}

}  // namespace nodes
