#pragma once

#include <algorithm>
#include <penstock/service.hpp>

#include "messages.hpp"

namespace mobile_money {

/// One per cent, at least a cent.
inline std::int64_t fee_of(std::int64_t cents) noexcept {
  return std::max<std::int64_t>(1, cents / 100);
}

/// New balances from those that were read. Throws penstock::Error (failed_precondition) when the
/// payer has too little.
inline Booking book(const Accounts& accounts) {
  const std::int64_t cents = accounts.transfer.cents;
  const std::int64_t fee = fee_of(cents);
  if (accounts.payer.cents < cents + fee)
    throw penstock::Error(penstock::ErrorCode::failed_precondition,
                          accounts.payer.number + " has too little");
  return {.accounts = accounts,
          .payerCents = accounts.payer.cents - cents - fee,
          .payeeCents = accounts.payee.cents + cents,
          .feeCents = fee};
}

}  // namespace mobile_money
