#include "flows/money_flow.hpp"

#include <string>

#include "ledger.hpp"
#include "shared/clock.hpp"

namespace mobile_money {

// Everybody pays somebody else a few coins.
Order MoneyFlow::event(std::uint64_t sequence) {
  const std::uint64_t payer = sequence * 7'919 % Ledger::kPhones;
  const std::uint64_t payee = (payer + 1 + sequence % 97) % Ledger::kPhones;
  return {.id = sequence,
          .receivedUs = sample::now_us(),
          .sender = Ledger::phone(payer),
          .text = "PAY 0." + std::to_string(10 + sequence % 90) + " TO " + Ledger::phone(payee)};
}

}  // namespace mobile_money
