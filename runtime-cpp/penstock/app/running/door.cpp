#include "penstock/app/running/door.hpp"

#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <vector>

#include "penstock/app/peers/keys_folder.hpp"
#include "penstock/base/error.hpp"
#include "penstock/http/bearer.hpp"
#include "penstock/http/secured.hpp"
#include "penstock/net/socket/security.hpp"

namespace penstock::app {
namespace {

constexpr std::size_t kShortestToken = 16;
constexpr std::size_t kMostTokens = 64;

// Said so that whoever started it knows that the drawing is right (run/start/configRefusal.ts).
[[noreturn]] void refuse(const std::string& why) {
  throw StartError("/http/auth: no token: " + why);
}

/// As with a key, but for what is mounted for everybody in a container: it is root's.
void check_token_file(const std::string& file) {
  struct stat about {};
  if (stat(file.c_str(), &about) != 0) return;  // as reading it will say
  const auto refuse_file = [&file](const char* why) {
    refuse(file + " (PENSTOCK_HTTP_TOKEN_FILE) " + why);
  };
  if (about.st_uid != geteuid() && about.st_uid != 0) refuse_file("is another user's");
  if ((about.st_mode & (S_IWGRP | S_IWOTH)) != 0)
    refuse_file("may be written by others: `chmod 600` it");
  if (about.st_uid != 0 && (about.st_mode & (S_IRGRP | S_IROTH)) != 0)
    refuse_file("may be read by others: `chmod 600` it, and take another token");
}

/// What the environment names, or has: one a line, so that a client may change from one to another.
std::vector<std::string> read_tokens(const std::string& given) {
  std::vector<std::string> tokens;
  // NOLINTNEXTLINE(concurrency-mt-unsafe): nobody here changes the environment
  const char* const file = std::getenv("PENSTOCK_HTTP_TOKEN_FILE");
  const bool has_file = file != nullptr && *file != '\0';
  const std::string from = has_file ? file : "PENSTOCK_HTTP_TOKEN";
  if (has_file) {
    check_token_file(from);
    std::ifstream lines(from);
    if (!lines) refuse(from + " (PENSTOCK_HTTP_TOKEN_FILE) cannot be read");
    for (std::string line; tokens.size() <= kMostTokens && std::getline(lines, line);) {
      if (!line.empty()) tokens.push_back(std::move(line));
    }
    if (tokens.empty()) refuse(from + " (PENSTOCK_HTTP_TOKEN_FILE) has none: write one a line");
    if (tokens.size() > kMostTokens)
      refuse(from + " has more than " + std::to_string(kMostTokens) + " of them");
  } else if (!given.empty()) {
    tokens.push_back(given);
  } else {
    refuse(
        "PENSTOCK_HTTP_TOKEN is not set, nor PENSTOCK_HTTP_TOKEN_FILE, which names a file with one "
        "a line");
  }
  for (const std::string& token : tokens) {
    if (!http::is_token(token) || token.size() < kShortestToken)
      refuse(from + " has one that is shorter than " + std::to_string(kShortestToken) +
             " characters, or has a blank or what is not ASCII: use 32 random bytes in hex");
  }
  return tokens;
}

std::shared_ptr<const http::Security> secure(const Model& model, const config::Door& door,
                                             const std::string& config_file) {
  const AppOptions& options = model.options();
  if (options.http_security == nullptr) {
    throw StartError(
        "/http/tls: this binary was built without TLS: generate and build it for this drawing");
  }
  try {
    return options.http_security({options.project, options.binary}, folder_of_keys(config_file),
                                 {door.certificate, door.key});
  } catch (const Error& error) {
    throw StartError("/http/tls: no keys: " + error.message());
  }
}

}  // namespace

std::optional<edge::ServerOptions> door_of(const Model& model, const config::Config& config,
                                           const std::string& config_file,
                                           const std::string& token) {
  if (!config.http) return std::nullopt;
  const config::Door& door = *config.http;
  edge::ServerOptions options{.host = door.host,
                              .port = door.port,
                              .beyond = door.beyond,
                              .exposed = model.exposed(config)};
  if (door.bearer) options.tokens = read_tokens(token);
  if (door.tls != config::Door::Tls::off) options.security = secure(model, door, config_file);
  return options;
}

}  // namespace penstock::app
