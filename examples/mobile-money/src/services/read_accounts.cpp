#include "services/read_accounts.hpp"

namespace mobile_money {

Accounts ReadAccounts::handle(const Transfer& request) { return shared->ledger->read(request); }

}  // namespace mobile_money
