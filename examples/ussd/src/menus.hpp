#pragma once

#include <span>
#include <string>
#include <string_view>

namespace ussd {

/// A menu or, without anything to press, what a session ends with.
struct Menu {
  std::string_view id;
  std::string_view text;
  struct Choice {
    std::string_view press;
    std::string_view opens;
  };
  std::span<const Choice> choices = {};
};

/// Shown when a code is unknown or nothing is behind what was pressed.
inline constexpr std::string_view kDefaultMenu = "nothing";

/// The menu that a dialled code begins with.
[[nodiscard]] std::string_view menu_of_code(std::string_view code) noexcept;
/// The menu called `id`; the default one when there is none.
[[nodiscard]] const Menu& menu(std::string_view id) noexcept;
/// What `pressed` opens in a menu.
[[nodiscard]] const Menu& choose(const Menu& from, std::string_view pressed) noexcept;

}  // namespace ussd
