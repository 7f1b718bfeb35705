#pragma once

#include <string_view>

namespace penstock::edge {

/// A file of the page that shows the exposed services of a binary and asks them.
struct PageFile {
  std::string_view path;  ///< `/page/page.js`
  std::string_view type;
  std::string_view text;  ///< in the program itself
};

/// Null: there is none at this path. Any thread.
[[nodiscard]] const PageFile* find_page_file(std::string_view path) noexcept;

}  // namespace penstock::edge
