/** Keywords of C++20 (ISO/IEC 14882:2020, lex.key) and its alternative tokens (lex.digraph). */
export const KEYWORDS: ReadonlySet<string> = new Set(
  `alignas alignof and and_eq asm auto bitand bitor bool break case catch char char8_t char16_t char32_t class
  co_await co_return co_yield compl concept const const_cast consteval constexpr constinit continue decltype
  default delete do double dynamic_cast else enum explicit export extern false float for friend goto if inline
  int long mutable namespace new noexcept not not_eq nullptr operator or or_eq private protected public register
  reinterpret_cast requires return short signed sizeof static static_assert static_cast struct switch template
  this thread_local throw true try typedef typeid typename union unsigned using virtual void volatile wchar_t
  while xor xor_eq`.split(/\s+/),
);

/**
 * Words that are keywords in some places or for some compilers, and break a declaration there: module
 * directives at the start of a line, `final` behind a class name, GNU's `typeof`, later standards.
 */
export const CONTEXTUAL_KEYWORDS: ReadonlySet<string> = new Set([
  "final",
  "import",
  "module",
  "override",
  "typeof",
  "typeof_unqual",
  "contract_assert",
]);
