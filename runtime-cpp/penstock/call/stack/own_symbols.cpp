#include "penstock/call/stack/own_symbols.hpp"

#include <dlfcn.h>
#include <elf.h>
#include <fcntl.h>
#include <link.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstddef>
#include <cstring>
#include <span>

namespace penstock::call {

namespace {

using Header = ElfW(Ehdr);
using Section = ElfW(Shdr);
using Symbol = ElfW(Sym);

// The file that runs, even if another one has its name by now.
std::span<const std::byte> map_executable() noexcept {
  const int file = open("/proc/self/exe", O_RDONLY | O_CLOEXEC);
  if (file < 0) return {};
  struct stat about {};
  void* mapped = MAP_FAILED;
  if (fstat(file, &about) == 0 && about.st_size > 0) {
    mapped =
        mmap(nullptr, static_cast<std::size_t>(about.st_size), PROT_READ, MAP_PRIVATE, file, 0);
  }
  close(file);
  if (mapped == MAP_FAILED) return {};
  return {static_cast<const std::byte*>(mapped), static_cast<std::size_t>(about.st_size)};
}

// `count` things of a file at an offset; none where they are not all inside of it.
template <class T>
std::span<const T> inside(std::span<const std::byte> file, std::uint64_t at, std::uint64_t count) {
  if (at > file.size() || count > (file.size() - at) / sizeof(T) || at % alignof(T) != 0) return {};
  return {reinterpret_cast<const T*>(file.data() + at), static_cast<std::size_t>(count)};
}

struct Table {
  std::span<const Symbol> symbols;
  std::span<const char> names;  // ends with a zero
};

Table read_table(std::span<const std::byte> file) noexcept {
  const auto header = inside<Header>(file, 0, 1);
  if (header.empty() || std::memcmp(header[0].e_ident, ELFMAG, SELFMAG) != 0 ||
      header[0].e_shentsize != sizeof(Section)) {
    return {};
  }
  const auto sections = inside<Section>(file, header[0].e_shoff, header[0].e_shnum);
  for (const Section& section : sections) {
    if (section.sh_type != SHT_SYMTAB || section.sh_entsize != sizeof(Symbol) ||
        section.sh_link >= sections.size()) {
      continue;
    }
    const Section& texts = sections[section.sh_link];
    const auto names = inside<char>(file, texts.sh_offset, texts.sh_size);
    if (names.empty() || names.back() != '\0') continue;
    return {inside<Symbol>(file, section.sh_offset, section.sh_size / sizeof(Symbol)), names};
  }
  return {};
}

const Table& own_table() noexcept {
  static const Table table = read_table(map_executable());
  return table;
}

}  // namespace

void load_own_symbols() noexcept { static_cast<void>(own_table()); }

std::optional<OwnFunction> own_function_at(const void* address) noexcept {
  Dl_info info{};
  void* extra = nullptr;
  if (dladdr1(address, &info, &extra, RTLD_DL_LINKMAP) == 0 || extra == nullptr) return {};
  const auto* const map = static_cast<const link_map*>(extra);
  // The executable alone has no name here.
  if (map->l_name != nullptr && map->l_name[0] != '\0') return {};
  const std::uint64_t wanted = reinterpret_cast<std::uintptr_t>(address) - map->l_addr;
  const Table& table = own_table();
  for (const Symbol& symbol : table.symbols) {
    // One macro for both sizes: the type is in the same bits.
    if (ELF64_ST_TYPE(symbol.st_info) != STT_FUNC || wanted < symbol.st_value ||
        wanted - symbol.st_value >= symbol.st_size || symbol.st_name >= table.names.size()) {
      continue;
    }
    return OwnFunction{&table.names[symbol.st_name], wanted - symbol.st_value};
  }
  return {};
}

}  // namespace penstock::call
