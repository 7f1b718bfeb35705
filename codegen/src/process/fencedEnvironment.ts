/**
 * What fenced programs may see of our environment: what compilers, CMake and C++ programs are steered by, TLS too. Tokens,
 * passwords and the addresses of other programs' sockets are in none of these.
 */
const NAMES: ReadonlySet<string> = new Set(
  `PATH HOME USER LOGNAME SHELL TERM LANG LANGUAGE TZ TMPDIR SOURCE_DATE_EPOCH
  CC CXX CPP CFLAGS CXXFLAGS CPPFLAGS LDFLAGS CPATH C_INCLUDE_PATH CPLUS_INCLUDE_PATH LIBRARY_PATH
  LD_LIBRARY_PATH SSL_CERT_FILE PKG_CONFIG PKG_CONFIG_PATH PKG_CONFIG_LIBDIR PKG_CONFIG_SYSROOT_DIR
  NINJA_STATUS CLICOLOR_FORCE GCC_COLORS
  CCACHE_DIR CCACHE_BASEDIR CCACHE_CONFIGPATH CCACHE_DISABLE CCACHE_MAXSIZE CCACHE_SLOPPINESS
  ASAN_OPTIONS LSAN_OPTIONS MSAN_OPTIONS TSAN_OPTIONS UBSAN_OPTIONS
  GTest_ROOT GTest_DIR benchmark_ROOT benchmark_DIR penstock_ROOT penstock_DIR PENSTOCK_LEFT_FILE`.split(
    /\s+/,
  ),
);
const FAMILIES = /^(LC|CMAKE)_/;

/** The names in PENSTOCK_SANDBOX_ENV, by which the user lets more through. */
const allowedByUser = (env: NodeJS.ProcessEnv): string[] =>
  (env["PENSTOCK_SANDBOX_ENV"] ?? "").split(",").map((name) => name.trim());

/** The part of an environment that a fenced program gets. */
export function fencedEnvironment(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const more = new Set(allowedByUser(env));
  return Object.fromEntries(
    Object.entries(env).filter(([name]) => NAMES.has(name) || FAMILIES.test(name) || more.has(name)),
  );
}
