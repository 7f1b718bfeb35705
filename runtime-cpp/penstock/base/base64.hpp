#pragma once

#include <string>
#include <string_view>

namespace penstock {

/// Appends RFC 4648's base64, padded.
void append_base64(std::string& out, std::string_view bytes);

/// Appends what the text stands for: either alphabet (`+/` or `-_`), padded or not; false where it
/// is no base64.
[[nodiscard]] bool from_base64(std::string_view text, std::string& out);

}  // namespace penstock
