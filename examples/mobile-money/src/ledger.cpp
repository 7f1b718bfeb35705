#include "ledger.hpp"

#include <charconv>
#include <mutex>

#include "booking.hpp"
#include "shared/settings.hpp"

namespace mobile_money {

namespace {

std::int64_t number(const std::string& text) {
  std::int64_t value = 0;
  std::from_chars(text.data(), text.data() + text.size(), value);
  return value;
}

Account account_of(const sample::Row& row) {
  return {.number = row[0], .cents = number(row[1]), .version = number(row[2])};
}

}  // namespace

Ledger::Ledger(int connections, std::chrono::milliseconds round_trip, const std::string& database)
    : connections_(database, connections, round_trip) {
  make_accounts();
}

std::shared_ptr<Ledger> Ledger::open() {
  static std::mutex mutex;
  static std::weak_ptr<Ledger> opened;
  const std::lock_guard lock(mutex);
  auto ledger = opened.lock();
  if (ledger == nullptr) {
    ledger =
        std::make_shared<Ledger>(sample::setting("MONEY_CONNECTIONS", 44),
                                 std::chrono::milliseconds(sample::setting("MONEY_QUERY_MS", 10)),
                                 sample::setting("MONEY_DATABASE", std::string()));
    opened = ledger;
  }
  return ledger;
}

std::string Ledger::phone(std::uint64_t index) { return std::to_string(94'770'000'000 + index); }

void Ledger::make_accounts() {
  const auto connection = connections_.take();
  connection->run(
      "CREATE TABLE IF NOT EXISTS account (number VARCHAR(16) PRIMARY KEY,"
      " cents BIGINT NOT NULL, version BIGINT NOT NULL)");
  connection->run(
      "CREATE TABLE IF NOT EXISTS transfer (id BIGINT NOT NULL, payer VARCHAR(16) NOT NULL,"
      " payee VARCHAR(16) NOT NULL, cents BIGINT NOT NULL, fee BIGINT NOT NULL)");
  if (!connection->run("SELECT number FROM account LIMIT 1").empty()) return;
  sample::Transaction transaction(*connection);
  constexpr std::uint64_t kAtOnce = 500;
  for (std::uint64_t index = 0; index < kPhones; index += kAtOnce) {
    std::string rows;
    for (std::uint64_t one = index; one < index + kAtOnce; ++one)
      rows += (rows.empty() ? "('" : ", ('") + phone(one) + "', " + std::to_string(kFirstCents) +
              ", 0)";
    connection->run("INSERT INTO account VALUES " + rows);
  }
  transaction.commit();
}

Accounts Ledger::read(sample::Connection& connection, const Transfer& transfer) {
  const auto rows =
      connection.run("SELECT number, cents, version FROM account WHERE number IN (?, ?)",
                     {transfer.payer, transfer.payee});
  if (rows.size() != 2)
    throw penstock::Error(penstock::ErrorCode::not_found,
                          transfer.payer + " or " + transfer.payee + " has no account");
  const bool payer_first = rows[0][0] == transfer.payer;
  return {.transfer = transfer,
          .payer = account_of(rows[payer_first ? 0 : 1]),
          .payee = account_of(rows[payer_first ? 1 : 0])};
}

Accounts Ledger::read(const Transfer& transfer) { return read(*connections_.take(), transfer); }

/// False when somebody changed one of the accounts since it was read.
bool Ledger::write(sample::Connection& connection, const Booking& booking) {
  const auto& [transfer, payer, payee] = booking.accounts;
  sample::Transaction transaction(connection);
  struct Change {
    const Account* account;
    std::int64_t cents;
  };
  Change first{.account = &payer, .cents = booking.payerCents};
  Change second{.account = &payee, .cents = booking.payeeCents};
  // Rows are locked in one order by everybody, so that no two wait for each other.
  if (second.account->number < first.account->number) std::swap(first, second);
  for (const auto& [account, cents] : {first, second}) {
    connection.run(
        "UPDATE account SET cents = ?, version = version + 1 WHERE number = ? AND version = ?",
        {cents, account->number, account->version});
    if (connection.changed() != 1) return false;
  }
  connection.run("INSERT INTO transfer VALUES (?, ?, ?, ?, ?)",
                 {static_cast<std::int64_t>(transfer.id), transfer.payer, transfer.payee,
                  transfer.cents, booking.feeCents});
  transaction.commit();
  return true;
}

Receipt Ledger::write(const Booking& booking) {
  const auto connection = connections_.take();
  Booking now = booking;
  for (std::uint32_t attempt = 1; attempt <= kMostAttempts; ++attempt) {
    const Transfer& transfer = now.accounts.transfer;
    if (write(*connection, now))
      return {.id = transfer.id,
              .receivedUs = transfer.receivedUs,
              .payerCents = now.payerCents,
              .attempts = attempt};
    now = book(read(*connection, transfer));
  }
  throw penstock::Error(penstock::ErrorCode::aborted, "its accounts change all the time");
}

std::int64_t Ledger::total_cents() {
  const auto connection = connections_.take();
  return number(connection->run("SELECT SUM(cents) FROM account")[0][0]) +
         number(connection->run("SELECT COALESCE(SUM(fee), 0) FROM transfer")[0][0]);
}

}  // namespace mobile_money
