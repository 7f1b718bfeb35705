#include "services/translate.hpp"

#include <charconv>
#include <optional>
#include <string_view>

namespace mobile_money {

namespace {

constexpr std::int64_t kMostCents = 100'000'000;

std::optional<std::int64_t> digits(std::string_view text) {
  std::int64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size() || value < 0) return std::nullopt;
  return value;
}

/// "250" and "250.00" are 25,000 cents.
std::optional<std::int64_t> cents_of(std::string_view amount) {
  const std::size_t point = amount.find('.');
  const auto whole = digits(amount.substr(0, point));
  if (!whole || *whole > kMostCents / 100) return std::nullopt;
  if (point == std::string_view::npos) return *whole * 100;
  const std::string_view rest = amount.substr(point + 1);
  const auto cents = digits(rest);
  if (rest.size() != 2 || !cents) return std::nullopt;
  return *whole * 100 + *cents;
}

}  // namespace

// "PAY 250.00 TO 94770000042"
Transfer Translate::handle(const Order& request) {
  constexpr std::string_view kPay = "PAY ";
  constexpr std::string_view kTo = " TO ";
  const std::string_view text = request.text;
  const std::size_t to = text.find(kTo);
  std::optional<std::int64_t> cents;
  if (text.starts_with(kPay) && to != std::string_view::npos)
    cents = cents_of(text.substr(kPay.size(), to - kPay.size()));
  if (!cents || *cents == 0)
    throw penstock::Error(penstock::ErrorCode::invalid_argument, "not PAY 1.00 TO NUMBER");
  std::string payee(text.substr(to + kTo.size()));
  if (payee == request.sender)
    throw penstock::Error(penstock::ErrorCode::invalid_argument, "nobody pays oneself");
  return {.id = request.id,
          .receivedUs = request.receivedUs,
          .payer = request.sender,
          .payee = std::move(payee),
          .cents = *cents};
}

}  // namespace mobile_money
