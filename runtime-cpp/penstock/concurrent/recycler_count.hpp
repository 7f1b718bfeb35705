#pragma once

#include <cstddef>

namespace penstock::concurrent {

/// How many of the recycler's blocks somebody has, or a thread's list: what malloc gave and did not
/// get back, without what lies between the threads. Counted where malloc is called, so that nothing
/// else costs anything; blocks that are too large for a list are left out. Any thread.
[[nodiscard]] std::size_t blocks_out() noexcept;

/// Of those, what lies in the calling thread's own lists. A thread that ends gives them back.
[[nodiscard]] std::size_t blocks_kept_here() noexcept;

}  // namespace penstock::concurrent
