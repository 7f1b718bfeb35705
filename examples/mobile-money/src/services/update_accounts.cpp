#include "services/update_accounts.hpp"

namespace mobile_money {

Receipt UpdateAccounts::handle(const Booking& request) { return shared->ledger->write(request); }

}  // namespace mobile_money
