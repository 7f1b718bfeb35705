#include "penstock/call/service/partition.hpp"

namespace penstock::call {

void Partitions::make(std::uint32_t count) {
  set_ = std::make_unique<Set>();
  set_->places = std::make_unique<Partition[]>(count);
  set_->mask = count - 1;
  if (count == 1) return;
  set_->crowd = std::make_unique<concurrent::Padded<exec::Strand::Crowd>>();
  std::uint32_t index = 0;
  for (Partition& place : all()) {
    place.index = index++;
    place.share_limit(set_->crowd->value);
  }
}

}  // namespace penstock::call
