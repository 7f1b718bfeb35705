#include "services/resolve_menu.hpp"

#include "menus.hpp"

namespace ussd {

Screen ResolveMenu::handle(const Placed& request) {
  const Turn& turn = request.turn;
  const Menu* shown = &menu(request.menu);
  for (const std::string& input : turn.inputs) shown = &choose(*shown, input);
  return {.id = turn.request.id,
          .receivedUs = turn.request.receivedUs,
          .msisdn = turn.request.msisdn,
          .session = turn.session,
          .text = std::string(shown->text),
          .ends = shown->choices.empty()};
}

}  // namespace ussd
