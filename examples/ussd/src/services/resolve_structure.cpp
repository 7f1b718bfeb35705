#include "services/resolve_structure.hpp"

#include "menus.hpp"

namespace ussd {

Placed ResolveStructure::handle(const Turn& request) {
  return {.turn = request, .menu = std::string(menu_of_code(request.code))};
}

}  // namespace ussd
