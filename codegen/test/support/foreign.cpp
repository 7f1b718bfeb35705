// Writes one message of `foreign.proto` (`write`), or says whether the bytes read are that message
// (`check`).
#include <limits>
#include <string>

#include "messages.hpp"
#include "round_trip.hpp"

namespace {

using namespace trips;

Trip trip() {
  Trip all;
  all.stops.resize(3);
  all.stops[0] = {.place = "gr\u00fcn", .delay = -5, .states = {TripState::LATE, TripState::LOST}};
  all.stops[2] = {.place = "", .delay = 0, .states = {TripState::UNKNOWN}};
  all.last = TripStop{};
  all.stops_by_name["north"].states = {TripState::LOST, TripState::UNKNOWN};
  all.cents = -1;
  all.counts = {1, -1, 0, 300};
  all.steps = {-1, 0, std::numeric_limits<std::int64_t>::min()};
  all.codes = {0, 7};
  all.times = {-2, 0};
  all.prices = {0.5F, 0};
  all.lengths = {-1.5};
  all.doors = {true, false, true};
  all.packed_numbers = {1, 0, 300};
  all.notes = {"", "two"};
  all.tickets = {std::string("\0\xff", 2)};
  all.state = TripState::LOST;
  all.balance = -300;
  all.id = 1;
  all.seats = 0;
  all.older = Older{.sizes = {-1, 5}, .marks = {1, -2}, .rest = {0}, .empty = 0, .name = {}};
  return all;
}

}  // namespace

int main(int argc, char** argv) { return round_trip(argc, argv, trip()); }
