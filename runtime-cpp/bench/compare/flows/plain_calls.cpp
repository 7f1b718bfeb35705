// What nothing that keeps stages apart can beat: one virtual call a stage, on one thread.
#include <memory>
#include <vector>

#include "flows/parcels.hpp"

namespace compare {
namespace {

/// Changes the event in place, which a stage that must not see another one's cannot.
struct InPlace {
  InPlace() = default;
  InPlace(const InPlace&) = delete;
  InPlace& operator=(const InPlace&) = delete;
  virtual ~InPlace() = default;
  [[gnu::noinline]] virtual void handle(Parcel& parcel) noexcept { ++parcel.words[0]; }
};

/// Makes a new event of the one it gets, as ours.
struct ByValue {
  ByValue() = default;
  ByValue(const ByValue&) = delete;
  ByValue& operator=(const ByValue&) = delete;
  virtual ~ByValue() = default;
  [[gnu::noinline]] virtual Parcel handle(const Parcel& parcel) noexcept { return relayed(parcel); }
};

/// Else the compiler would see that there is but one class, and call it directly.
template <class Stage, unsigned number>
struct Another final : Stage {};

template <class Stage>
std::vector<std::unique_ptr<Stage>> made(unsigned stages) {
  std::vector<std::unique_ptr<Stage>> all;
  for (unsigned stage = 0; stage < stages; ++stage) {
    if (stage % 3 == 0) all.push_back(std::make_unique<Another<Stage, 0>>());
    if (stage % 3 == 1) all.push_back(std::make_unique<Another<Stage, 1>>());
    if (stage % 3 == 2) all.push_back(std::make_unique<Another<Stage, 2>>());
  }
  keep(all.data());
  return all;
}

template <unsigned stages>
struct CallsInPlace {
  static double rate() {
    pin(0);
    const auto all = made<InPlace>(stages);
    return rate_of([&all](std::uint64_t count) {
      for (std::uint64_t event = 0; event < count; ++event) {
        Parcel parcel{};
        for (const auto& stage : all) stage->handle(parcel);
        keep(parcel);
      }
    });
  }
};

template <unsigned stages>
struct CallsByValue {
  static double rate() {
    pin(0);
    const auto all = made<ByValue>(stages);
    return rate_of([&all](std::uint64_t count) {
      for (std::uint64_t event = 0; event < count; ++event) {
        Parcel parcel{};
        for (const auto& stage : all) parcel = stage->handle(parcel);
        keep(parcel);
      }
    });
  }
};

const EnterFlow<CallsInPlace> kInPlace(false, "limit-virtual",
                                       "virtual calls that change one event in place");
const EnterFlow<CallsByValue> kByValue(false, "limit-virtual-values",
                                       "virtual calls that make a new event each");

const Enter kLatency({"flow-latency", "limit-virtual",
                      "virtual calls that change one event in place", CallsInPlace<6>::rate});

}  // namespace
}  // namespace compare
