#include "world/fiber.hpp"

#include <sys/mman.h>
#include <unistd.h>

#include <cstdint>
#include <cstdlib>
#include <new>
#include <vector>

#if defined(__SANITIZE_ADDRESS__)
#include <sanitizer/asan_interface.h>
#include <sanitizer/common_interface_defs.h>
#endif

// Pushes what a function must keep, leaves the stack pointer in *from and takes the other one. A
// switch by swapcontext(3) costs two system calls, more than all the rest of a step.
#if defined(__x86_64__)
asm(R"(
.text
.type penstock_world_switch,@function
penstock_world_switch:
  pushq %rbp
  pushq %rbx
  pushq %r12
  pushq %r13
  pushq %r14
  pushq %r15
  movq %rsp, (%rdi)
  movq %rsi, %rsp
  popq %r15
  popq %r14
  popq %r13
  popq %r12
  popq %rbx
  popq %rbp
  ret
.size penstock_world_switch,.-penstock_world_switch
)");
#elif defined(__aarch64__)
asm(R"(
.text
.type penstock_world_switch,%function
penstock_world_switch:
  sub sp, sp, #176
  stp x19, x20, [sp, #0]
  stp x21, x22, [sp, #16]
  stp x23, x24, [sp, #32]
  stp x25, x26, [sp, #48]
  stp x27, x28, [sp, #64]
  stp x29, x30, [sp, #80]
  stp d8, d9, [sp, #96]
  stp d10, d11, [sp, #112]
  stp d12, d13, [sp, #128]
  stp d14, d15, [sp, #144]
  mov x2, sp
  str x2, [x0]
  mov sp, x1
  ldp x19, x20, [sp, #0]
  ldp x21, x22, [sp, #16]
  ldp x23, x24, [sp, #32]
  ldp x25, x26, [sp, #48]
  ldp x27, x28, [sp, #64]
  ldp x29, x30, [sp, #80]
  ldp d8, d9, [sp, #96]
  ldp d10, d11, [sp, #112]
  ldp d12, d13, [sp, #128]
  ldp d14, d15, [sp, #144]
  add sp, sp, #176
  ret
.size penstock_world_switch,.-penstock_world_switch
)");
#else
#error "the world switches stacks on x86-64 and AArch64"
#endif
extern "C" void penstock_world_switch(void** from, void* to) noexcept;

namespace penstock::world {

namespace {

// One operating system's thread.
std::vector<char*>& kept_stacks() {
  static std::vector<char*> kept;
  return kept;
}

std::size_t page() { return static_cast<std::size_t>(sysconf(_SC_PAGESIZE)); }

#if defined(__SANITIZE_ADDRESS__)
// Who switched away last: the one that is entered writes down where its stack is.
const void** g_left_bottom = nullptr;
std::size_t* g_left_bytes = nullptr;
#endif

}  // namespace

Stack::Stack() {
  if (!kept_stacks().empty()) {
    bottom_ = kept_stacks().back();
    kept_stacks().pop_back();
#if defined(__SANITIZE_ADDRESS__)
    // Whoever ran here last never returned from its last functions.
    __asan_unpoison_memory_region(bottom_, kBytes);
#endif
    return;
  }
  void* const memory = mmap(nullptr, kBytes + page(), PROT_READ | PROT_WRITE,
                            MAP_PRIVATE | MAP_ANONYMOUS | MAP_STACK, -1, 0);
  if (memory == MAP_FAILED) throw std::bad_alloc();
  mprotect(memory, page(), PROT_NONE);
  bottom_ = static_cast<char*>(memory) + page();
}

Stack::~Stack() { kept_stacks().push_back(bottom_); }

Fiber::Fiber(const Stack& stack, void (*entry)()) : bottom_(stack.bottom()), bytes_(Stack::kBytes) {
  auto* words = reinterpret_cast<void**>(stack.top());
#if defined(__x86_64__)
  *--words = nullptr;  // a return address that nobody returns to
  *--words = reinterpret_cast<void*>(entry);
  for (int kept = 0; kept < 6; ++kept) *--words = nullptr;
#else
  for (int kept = 0; kept < 22; ++kept) *--words = nullptr;
  words[11] = reinterpret_cast<void*>(entry);  // the link register
#endif
  stack_pointer_ = words;
}

void Fiber::switch_to(Fiber& other) noexcept {
#if defined(__SANITIZE_ADDRESS__)
  g_left_bottom = &bottom_;
  g_left_bytes = &bytes_;
  __sanitizer_start_switch_fiber(&fake_stack_, other.bottom_, other.bytes_);
#endif
  penstock_world_switch(&stack_pointer_, other.stack_pointer_);
#if defined(__SANITIZE_ADDRESS__)
  __sanitizer_finish_switch_fiber(fake_stack_, g_left_bottom, g_left_bytes);
#endif
}

void Fiber::end_in(Fiber& other) noexcept {
#if defined(__SANITIZE_ADDRESS__)
  g_left_bottom = &bottom_;
  g_left_bytes = &bytes_;
  __sanitizer_start_switch_fiber(nullptr, other.bottom_, other.bytes_);
#endif
  penstock_world_switch(&stack_pointer_, other.stack_pointer_);
  std::abort();
}

void Fiber::entered() noexcept {
#if defined(__SANITIZE_ADDRESS__)
  __sanitizer_finish_switch_fiber(nullptr, g_left_bottom, g_left_bytes);
#endif
}

}  // namespace penstock::world
