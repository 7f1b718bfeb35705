#include "world/thread_locals.hpp"

#include <cxxabi.h>
#include <link.h>

#include <cstdint>
#include <cstring>

#include "world/world.hpp"

namespace penstock::world {

namespace {

/// The program's block of thread-local memory on this thread of the operating system, and what it
/// holds at a thread's start.
struct Block {
  std::byte* place = nullptr;
  std::size_t bytes = 0;
  const std::byte* image = nullptr;
  std::size_t image_bytes = 0;
};

// The first object is the program itself: the runtime is linked into it. Shared libraries, among
// them the sanitizers', keep their own.
int find(dl_phdr_info* object, std::size_t /*size*/, void* found) {
  auto& block = *static_cast<Block*>(found);
  for (int at = 0; at < object->dlpi_phnum; ++at) {
    const auto& header = object->dlpi_phdr[at];
    if (header.p_type != PT_TLS) continue;
    block.place = static_cast<std::byte*>(object->dlpi_tls_data);
    block.bytes = header.p_memsz;
    block.image = reinterpret_cast<const std::byte*>(object->dlpi_addr + header.p_vaddr);
    block.image_bytes = header.p_filesz;
  }
  return 1;
}

const Block& block() {
  static const Block found = [] {
    Block program;
    dl_iterate_phdr(&find, &program);
    return program;
  }();
  return found;
}

// Plain copies: AddressSanitizer knows nothing of this memory.
[[gnu::no_sanitize("address")]] void copy_plainly(std::byte* to, const std::byte* from,
                                                  std::size_t bytes) noexcept {
  std::memcpy(to, from, bytes);
}

}  // namespace

ThreadLocals::ThreadLocals() : held_(std::make_unique<std::byte[]>(block().bytes)) {
  copy_plainly(held_.get(), block().image, block().image_bytes);
}

void ThreadLocals::save() noexcept {
  copy_plainly(held_.get(), block().place, block().bytes);
  std::memcpy(static_cast<void*>(&exceptions_), static_cast<void*>(abi::__cxa_get_globals()),
              sizeof exceptions_);
}

void ThreadLocals::restore() const noexcept {
  copy_plainly(block().place, held_.get(), block().bytes);
  std::memcpy(static_cast<void*>(abi::__cxa_get_globals()), &exceptions_, sizeof exceptions_);
}

void ThreadLocals::end() noexcept {
  while (!at_end_.empty()) {
    const Ending last = at_end_.back();
    at_end_.pop_back();
    last.destroy(last.object);
  }
}

}  // namespace penstock::world

extern "C" {

int __cxa_thread_atexit_impl(void (*destroy)(void*), void* object, void* library);

// The compiler calls it for each thread_local with a destructor; this one stands before the
// language's own.
int __cxa_thread_atexit(void (*destroy)(void*), void* object, void* library) {
  if (auto* const locals = penstock::world::World::own_locals()) {
    locals->at_end(destroy, object);
    return 0;
  }
  return __cxa_thread_atexit_impl(destroy, object, library);
}
}
