#include "penstock/base/name.hpp"

#include <cstring>
#include <memory>
#include <mutex>
#include <vector>

namespace penstock {

namespace {

// Pages that are filled one after another and never given back.
struct Table {
  static constexpr std::size_t kPage = 4096;

  std::mutex mutex;
  std::vector<std::unique_ptr<char[]>> pages;
  char* next = nullptr;
  std::size_t left = 0;

  char* take(std::size_t bytes) {
    const std::lock_guard hold(mutex);
    if (bytes > left) {
      const std::size_t page = bytes > kPage ? bytes : kPage;
      pages.push_back(std::make_unique<char[]>(page));
      next = pages.back().get();
      left = page;
    }
    char* const taken = next;
    next += bytes;
    left -= bytes;
    return taken;
  }
};

Table& table() {
  static auto* const all = new Table;  // never destroyed: threads may outlive static objects
  return *all;
}

}  // namespace

const char* Name::keep(std::string_view text) {
  if (text.empty()) return "";
  char* const kept = table().take(text.size() + 1);
  std::memcpy(kept, text.data(), text.size());
  kept[text.size()] = '\0';
  return kept;
}

}  // namespace penstock
