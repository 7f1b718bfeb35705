#pragma once

#include <cstdint>
#include <optional>

namespace penstock::call {

/// A function of the running executable and where in it an address is.
struct OwnFunction {
  const char* name;  ///< as the linker knows it; lives as long as the process
  std::uint64_t offset;
};

/// Maps the executable's own symbol table, for the life of the process; without one (a stripped
/// binary) nothing is found later. Any thread; own_function_at() does it by itself.
void load_own_symbols() noexcept;

/// The function that holds the code at `address`. Unlike dladdr() it knows functions that are not
/// exported, static ones too, so that binaries need not be linked with -rdynamic. None outside of
/// the executable (libraries, which dladdr() knows). Linear in the functions of the binary. Any
/// thread, allocates nothing; async-signal-safe after load_own_symbols(), as far as dladdr() is.
[[nodiscard]] std::optional<OwnFunction> own_function_at(const void* address) noexcept;

}  // namespace penstock::call
