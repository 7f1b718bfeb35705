#include "shared/database.hpp"

#include <penstock/service.hpp>
#include <thread>

namespace sample {

// sqlite.cpp and mariadb.cpp
std::unique_ptr<Database> open_sqlite(const std::string& file);
std::unique_ptr<Database> open_mariadb(const std::string& address);

std::unique_ptr<Database> Database::open(const std::string& address) {
  if (!address.starts_with("mariadb://")) return open_sqlite(address);
#ifdef SAMPLE_WITH_MARIADB
  return open_mariadb(address);
#else
  throw penstock::Error(penstock::ErrorCode::unavailable,
                        "this was built without libmariadb-dev and knows no MariaDB");
#endif
}

ConnectionPool::ConnectionPool(const std::string& address, int connections,
                               std::chrono::microseconds round_trip)
    : database_(Database::open(address)),
      round_trip_(database_->embedded() ? round_trip : std::chrono::microseconds(0)) {
  for (int index = 0; index < connections; ++index) {
    all_.push_back(database_->connect());
    free_.push_back(all_.back().get());
  }
}

ConnectionPool::Lease ConnectionPool::take() {
  Lease lease(nullptr, {this});
  {
    std::unique_lock lock(mutex_);
    freed_.wait(lock, [this] { return !free_.empty(); });
    lease.reset(free_.back());
    free_.pop_back();
  }
  // A connection is taken for the whole of a round trip.
  if (round_trip_.count() > 0) std::this_thread::sleep_for(round_trip_);
  return lease;
}

void ConnectionPool::give(Connection* connection) {
  {
    const std::lock_guard lock(mutex_);
    free_.push_back(connection);
  }
  freed_.notify_one();
}

}  // namespace sample
