#include "services/calculate.hpp"

#include "booking.hpp"

namespace mobile_money {

Booking Calculate::handle(const Accounts& request) { return book(request); }

}  // namespace mobile_money
