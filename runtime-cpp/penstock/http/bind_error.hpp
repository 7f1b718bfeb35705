#pragma once

#include <stdexcept>

namespace penstock::http {

/// An address cannot be listened on; what() names it and the reason.
class BindError final : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

}  // namespace penstock::http
