#include "menus.hpp"

#include <algorithm>
#include <array>

namespace ussd {

namespace {

using Choice = Menu::Choice;

constexpr std::array kAccount = {Choice{"1", "balance"}, Choice{"2", "bundles"}};
constexpr std::array kBundles = {Choice{"1", "day"}, Choice{"2", "week"}};
constexpr std::array kBank = {Choice{"1", "statement"}, Choice{"2", "cards"}};

constexpr std::array kMenus = {
    Menu{kDefaultMenu, "There is nothing here. Dial *100# or *200#."},
    Menu{"account", "1 Balance\n2 Bundles", kAccount},
    Menu{"balance", "You have 250.00."},
    Menu{"bundles", "1 One day\n2 One week", kBundles},
    Menu{"day", "1 GB until midnight is yours."},
    Menu{"week", "5 GB for a week are yours."},
    Menu{"bank", "1 Statement\n2 Cards", kBank},
    Menu{"statement", "The statement is on its way."},
    Menu{"cards", "One card, valid."},
};

}  // namespace

std::string_view menu_of_code(std::string_view code) noexcept {
  if (code == "*100#") return "account";
  if (code == "*200#") return "bank";
  return kDefaultMenu;
}

const Menu& menu(std::string_view id) noexcept {
  const auto found = std::ranges::find(kMenus, id, &Menu::id);
  return found == kMenus.end() ? kMenus.front() : *found;
}

const Menu& choose(const Menu& from, std::string_view pressed) noexcept {
  const auto found = std::ranges::find(from.choices, pressed, &Choice::press);
  return menu(found == from.choices.end() ? kDefaultMenu : found->opens);
}

}  // namespace ussd
