#include "services/translate.hpp"

#include <algorithm>
#include <cctype>

namespace mo_flow {

namespace {

bool is_space(char sign) { return std::isspace(static_cast<unsigned char>(sign)) != 0; }

}  // namespace

// "  Quiz  b and c " asks QUIZ for "b and c".
Command Translate::handle(const Mo& request) {
  const auto& text = request.text;
  const auto word = std::find_if_not(text.begin(), text.end(), is_space);
  const auto end = std::find_if(word, text.end(), is_space);
  const auto rest = std::find_if_not(end, text.end(), is_space);
  if (word == text.end())
    throw penstock::Error(penstock::ErrorCode::invalid_argument, "the text is empty");
  std::string keyword(word, end);
  std::transform(keyword.begin(), keyword.end(), keyword.begin(), [](char sign) {
    return static_cast<char>(std::toupper(static_cast<unsigned char>(sign)));
  });
  std::string arguments(rest, text.end());
  while (!arguments.empty() && is_space(arguments.back())) arguments.pop_back();
  return {.id = request.id,
          .receivedUs = request.receivedUs,
          .sender = request.sender,
          .shortCode = request.shortCode,
          .keyword = std::move(keyword),
          .arguments = std::move(arguments)};
}

}  // namespace mo_flow
