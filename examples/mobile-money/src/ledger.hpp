#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <string>

#include "messages.hpp"
#include "shared/database.hpp"

namespace mobile_money {

/// All accounts, in a database whose connections all threads share. Blocks; any thread. Throws
/// penstock::Error: unavailable when the database cannot be asked, not_found without an account.
class Ledger {
 public:
  /// Phones with an account each.
  static constexpr std::uint64_t kPhones = 5'000;
  static constexpr std::int64_t kFirstCents = 1'000'000;
  /// How often a transfer is calculated anew because others changed its accounts.
  static constexpr std::uint32_t kMostAttempts = 10;

  Ledger(int connections, std::chrono::milliseconds round_trip, const std::string& database = "");

  /// The one of this process while somebody holds it, as the environment says: MONEY_DATABASE (see
  /// Database::open; left out, one in memory), MONEY_CONNECTIONS (44), MONEY_QUERY_MS (10: what the
  /// way to an embedded one and back takes).
  static std::shared_ptr<Ledger> open();

  /// The number of the account `index`, below kPhones.
  [[nodiscard]] static std::string phone(std::uint64_t index);

  /// A transfer's accounts as they are now.
  [[nodiscard]] Accounts read(const Transfer& transfer);
  /// Writes new balances, all or nothing. Accounts that somebody changed since they were read are
  /// read again and the balances calculated anew. Aborted when that never ends.
  Receipt write(const Booking& booking);
  /// Money in all accounts and all fees: always the same.
  [[nodiscard]] std::int64_t total_cents();

 private:
  static Accounts read(sample::Connection& connection, const Transfer& transfer);
  static bool write(sample::Connection& connection, const Booking& booking);
  void make_accounts();

  sample::ConnectionPool connections_;
};

}  // namespace mobile_money
