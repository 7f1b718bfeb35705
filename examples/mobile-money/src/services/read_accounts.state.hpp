#pragma once

#include <memory>
#include <penstock/service.hpp>

#include "ledger.hpp"

template <>
struct penstock::Shared<mobile_money::ReadAccounts> {
  std::shared_ptr<mobile_money::Ledger> ledger = mobile_money::Ledger::open();
};
