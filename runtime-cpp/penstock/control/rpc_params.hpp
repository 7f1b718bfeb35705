#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "penstock/control/rpc.hpp"
#include "penstock/json/document.hpp"

/// How the parts of a command are read. Private to the decoding of commands.
namespace penstock::control {

/// Carries the first thing wrong out of the decoding functions, never further.
struct Rejected {
  RpcFailure failure;
};

[[noreturn]] void reject(RpcCode code, std::string message, const char* problem = "",
                         std::string help = "");
[[noreturn]] void reject_params(std::string message, const char* problem, std::string help);

/// A text as JSON writes it, shortened where it is long.
[[nodiscard]] std::string in_quotes(std::string_view text);

/// Reads the members of `params`; refuses those nobody asked for.
class Params {
 public:
  /// `path`: the key of params that `params` is the object of; empty: params itself.
  Params(const json::Json& params, std::string_view method, std::vector<std::string_view> known,
         std::string_view path = "");

  [[nodiscard]] bool has(std::string_view key) const;
  /// The key is there and is exactly this text.
  [[nodiscard]] bool is_text(std::string_view key, std::string_view text) const;
  /// Whatever it is; refused where it is missing.
  [[nodiscard]] const json::Json& member(std::string_view key) const;
  [[nodiscard]] std::string text(std::string_view key) const;
  [[nodiscard]] int integer(std::string_view key, int low, int high, const char* problem,
                            std::string_view unit) const;
  [[nodiscard]] double number(std::string_view key, double low, double high, const char* problem,
                              std::string_view help) const;
  [[nodiscard]] bool boolean(std::string_view key) const;
  /// One of a few words.
  [[nodiscard]] std::string choice(std::string_view key,
                                   const std::vector<std::string_view>& words) const;
  [[nodiscard]] std::vector<int> cpus(std::string_view key) const;

  [[noreturn]] void wrong(std::string_view key, const char* problem, std::string help) const;

 private:
  [[nodiscard]] int integer_value(std::string_view key, const json::Json& value, int low, int high,
                                  const char* problem, std::string_view unit) const;

  const json::Json& params_;
  std::string method_;
  std::string path_;  // "join." or nothing
};

}  // namespace penstock::control
