#include "services/measure.hpp"

#include <algorithm>
#include <chrono>
#include <cstring>
#include <vector>

#include "words.hpp"

namespace buffers {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::size_t kMegabyte = 1'000'000;

double microseconds_since(Clock::time_point begin) {
  return std::chrono::duration<double, std::micro>(Clock::now() - begin).count();
}

}  // namespace

penstock::Task<Times> Measure::handle(const Job& request) {
  const int rounds = std::max(request.rounds, 1);
  if (request.megabytes < 1 || request.megabytes > 256 || rounds > 1000)
    throw penstock::Error(penstock::ErrorCode::invalid_argument,
                          "megabytes has to be 1 to 256, rounds at most 1000");
  const std::size_t size = static_cast<std::size_t>(request.megabytes) * kMegabyte;
  const Way way = request.way;
  Parcel parcel{.data = penstock::Buffer::make(size), .combine = way == Way::READ};
  fill(parcel.data.writable());
  std::vector<std::byte> own;
  if (way == Way::COPIED) own.assign(parcel.data.bytes().begin(), parcel.data.bytes().end());

  std::vector<double> times;
  // The first round hands the memory itself over, which stays there.
  for (int round = -1; round < rounds; ++round) {
    const Clock::time_point begin = Clock::now();
    if (way == Way::COPIED) std::memcpy(parcel.data.writable().data(), own.data(), size);
    parcel = co_await calls.Turn(std::move(parcel));
    if (round >= 0) times.push_back(microseconds_since(begin));
    if (parcel.data.size() != size)
      throw penstock::Error(penstock::ErrorCode::data_loss, "another buffer came back");
  }
  std::ranges::sort(times);
  co_return Times{
      .medianUs = times[times.size() / 2], .slowestUs = times.back(), .combined = parcel.combined};
}

}  // namespace buffers
