#include "penstock/app/process/command_line.hpp"

#include <string_view>

#include "penstock/version.hpp"

namespace penstock::app {

namespace {

std::string usage(const std::string& binary, const std::string& config) {
  return "Usage: " + binary +
         " [--config FILE] [--relax-pins] [--version] [--help]\n\n"
         "  --config FILE  pools, pins, joins, addresses (default: " +
         config +
         ")\n"
         "  --relax-pins   run threads anywhere when their CPU is not there\n"
         "  --version      name, topology and runtime version\n"
         "  --help         this text\n\n"
         "PENSTOCK_CONTROL_TOKEN in the environment is the bearer token of the control address,\n"
         "PENSTOCK_HTTP_TOKEN that of the HTTP address where it asks for one.\n"
         "SIGTERM and SIGINT drain and exit 0. Exit 78: the configuration cannot be used.\n";
}

}  // namespace

CommandLine parse_command_line(int argc, char** argv, const std::string& binary,
                               const std::string& topology_hash,
                               const std::string& default_config) {
  CommandLine line;
  line.config = default_config;
  for (int index = 1; index < argc; ++index) {
    const std::string_view argument = argv[index];
    if (argument == "--relax-pins") {
      line.relax_pins = true;
    } else if (argument == "--config" && index + 1 < argc) {
      line.config = argv[++index];
    } else if (argument.starts_with("--config=")) {
      line.config = argument.substr(9);
    } else if (argument == "--version") {
      return {CommandLine::Action::print_and_exit,
              std::string(binary)
                  .append(" ")
                  .append(topology_hash)
                  .append(" penstock " PENSTOCK_VERSION_TEXT "\n"),
              {},
              false};
    } else if (argument == "--help" || argument == "-h") {
      return {CommandLine::Action::print_and_exit, usage(binary, default_config), {}, false};
    } else {
      return {CommandLine::Action::wrong,
              binary + ": " +
                  (argument == "--config" ? std::string("--config needs a file")
                                          : "unknown argument " + std::string(argument)) +
                  "\n\n" + usage(binary, default_config),
              {},
              false};
    }
  }
  return line;
}

}  // namespace penstock::app
