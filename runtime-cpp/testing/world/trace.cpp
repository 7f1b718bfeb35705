#include "world/trace.hpp"

#include <dlfcn.h>

#include <algorithm>
#include <cstdio>
#include <sstream>
#include <string>
#include <vector>

namespace penstock::world {

namespace {

const char* to_string(Why why) {
  switch (why) {
    case Why::step:
      return "step";
    case Why::pause:
      return "pause";
    case Why::waits:
      return "waits";
    case Why::stall:
      return "stall";
    case Why::ended:
      return "ended";
  }
  return "";
}

// What stands between the code under test and a switch.
bool is_of_the_world(const std::string& place) {
  for (const char* const file : {" step.hpp:", " atomic.hpp:", " mutex.hpp:", " thread.hpp:"}) {
    if (place.find(file) != std::string::npos) return true;
  }
  return false;
}

// The function and the line of each address of this program; empty where nobody knows.
std::vector<std::string> places_of(const std::vector<const void*>& addresses) {
  std::vector<std::string> places(addresses.size());
  std::ostringstream command;
  Dl_info own{};
  static const char kHere = 0;
  if (dladdr(&kHere, &own) == 0) return places;
  command << "addr2line -Cfpsiae '" << own.dli_fname << "'";
  for (const void* address : addresses) {
    const auto offset =
        reinterpret_cast<std::uintptr_t>(address) - reinterpret_cast<std::uintptr_t>(own.dli_fbase);
    // The instruction before the one that it returns to.
    command << " 0x" << std::hex << (address == nullptr ? 0 : offset - 1);
  }
  command << " 2>/dev/null";
  std::FILE* const found = popen(command.str().c_str(), "r");
  if (found == nullptr) return places;
  std::array<char, 4096> line{};
  std::size_t at = addresses.size();
  // `0x1f: inner at file:3`, then a line ` (inlined by) outer at file:7` for each caller.
  while (std::fgets(line.data(), static_cast<int>(line.size()), found) != nullptr) {
    std::string place = line.data();
    place.erase(std::remove(place.begin(), place.end(), '\n'), place.end());
    const bool begins = place.compare(0, 2, "0x") == 0;
    if (begins) at = at == addresses.size() ? 0 : at + 1;
    if (at >= places.size()) break;
    place.erase(0, begins ? place.find(' ') + 1 : place.find(')') + 2);
    if (begins || is_of_the_world(places[at])) places[at] = place;
  }
  pclose(found);
  return places;
}

}  // namespace

std::string Trace::text(std::int64_t since) const {
  std::vector<Entry> last;
  std::vector<const void*> addresses;
  const std::uint64_t size = entries_.size();
  for (std::uint64_t at = count_ > size ? count_ - size : 0; at < count_; ++at) {
    last.push_back(entries_[at % size]);
    addresses.push_back(last.back().where);
  }
  const std::vector<std::string> places = places_of(addresses);
  std::ostringstream text;
  for (std::size_t at = 0; at < last.size(); ++at) {
    const Entry& entry = last[at];
    text << "  " << static_cast<double>(entry.at - since) / 1e3 << " us, thread " << entry.thread
         << ", " << to_string(entry.why) << ": " << places[at] << "\n";
  }
  return text.str();
}

}  // namespace penstock::world
