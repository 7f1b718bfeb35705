#include "services/route.hpp"

namespace mo_flow {

// A short code of an application's own is its alone; on the shared one the keyword decides.
Routed Route::handle(const Turn& request) {
  const auto& short_code = request.command.shortCode;
  const auto& keyword = request.command.keyword;
  const auto application = [&]() -> std::string {
    if (short_code == "7070") return "vote";
    if (keyword == "QUIZ") return "quiz";
    if (keyword == "WEATHER") return "weather";
    if (keyword == "HELP" || keyword == "STOP") return "help";
    throw penstock::Error(penstock::ErrorCode::not_found, "no application takes " + keyword);
  }();
  return {.turn = request, .application = application};
}

}  // namespace mo_flow
