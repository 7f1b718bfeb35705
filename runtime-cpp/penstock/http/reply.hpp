#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace penstock::http {

/// What a request is answered with.
struct Reply {
  int status = 200;
  std::string type = "application/json";
  std::string body;
  /// `Allow`, `Retry-After` and the like.
  std::vector<std::pair<std::string, std::string>> fields = {};
  /// Instead of `body`: what lies in the program itself, sent without a copy.
  std::string_view constant = {};
};

}  // namespace penstock::http
