import process from "node:process";

/**
 * Debian and Ubuntu packages by what they are for; docs/dependencies.md says why each is there.
 * Nothing here may pull in the distribution's own `nodejs`, which is too old.
 */
export const PACKAGES = {
  compiler: ["g++", "make", "cmake", "ninja-build", "pkg-config", "ca-certificates"],
  runtime: ["libboost-dev", "nlohmann-json3-dev", "libprotozero-dev", "libcurl4-openssl-dev", "libssl-dev"],
  /** What the nodes for databases link, and the examples. */
  databases: ["libsqlite3-dev", "libmariadb-dev"],
  /** What examples ask with --real: a database elsewhere, and Java for the WireMock that set-up fetches. */
  real: ["mariadb-server", "openjdk-17-jre-headless"],
  /**
   * Not needed, but without them builds are slower, an untrusted project cannot be fenced in, and binaries of several
   * hosts get no keys.
   */
  comfort: ["ccache", "mold", "bubblewrap", "clangd-16", "openssl"],
  tests: [
    "libgtest-dev",
    "libgmock-dev",
    "libbenchmark-dev",
    "protobuf-compiler",
    "prometheus",
    "sqlite3",
    "nats-server",
    "curl",
  ],
  analysis: ["clang-16", "clang-format-16", "clang-tidy-16", "libclang-rt-16-dev", "valgrind"],
  browser: ["chromium", "fonts-dejavu-core"],
  /** What benchmarks compare us with (Boost is there already). */
  peers: [
    ...[
      "libacl1-dev",
      "libcaf-dev",
      "libconcurrentqueue-dev",
      "libcpp-httplib-dev",
      "libenet-dev",
      "libgrpc++-dev",
      "libiceoryx-posh-dev",
      "libprotobuf-dev",
      "libtbb-dev",
      "libzmq3-dev",
    ],
    "protobuf-compiler",
  ],
};

/**
 * The smallest list that builds and runs projects; `test` adds what the checks need, `bench` the
 * peers to compare with, a browser and what counts instructions, `real` what examples ask with --real.
 */
export function packagesFor(purpose) {
  const start = [
    ...PACKAGES.compiler,
    ...PACKAGES.runtime,
    ...PACKAGES.databases,
    ...PACKAGES.tests.slice(0, 3),
    ...PACKAGES.comfort,
  ];
  // Another browser may be named, where this one is not to be had: Ubuntu's is a snap.
  const browser = PACKAGES.browser.filter((name) => name !== "chromium" || !process.env.PENSTOCK_CHROMIUM);
  if (purpose === "bench") return [...start, ...PACKAGES.peers, ...browser, "valgrind"];
  if (purpose === "real") return [...start, ...PACKAGES.real];
  if (purpose !== "test") return start;
  return [...start, ...PACKAGES.real, ...PACKAGES.tests.slice(3), ...PACKAGES.analysis, ...browser];
}

/** What other systems call the same things, for the text they are shown. */
export const OTHER_SYSTEMS = {
  fedora:
    "sudo dnf install gcc-c++ make cmake ninja-build pkgconf ca-certificates boost-devel json-devel libcurl-devel openssl-devel sqlite-devel mariadb-connector-c-devel " +
    "protozero-devel gtest-devel gmock-devel google-benchmark-devel ccache mold bubblewrap clang-tools-extra openssl",
  arch:
    "sudo pacman -S --needed gcc make cmake ninja pkgconf ca-certificates boost nlohmann-json protozero curl sqlite mariadb-libs gtest benchmark " +
    "ccache mold bubblewrap clang openssl",
  opensuse:
    "sudo zypper install gcc-c++ make cmake ninja pkg-config ca-certificates libboost_headers-devel " +
    "nlohmann_json-devel protozero-devel libcurl-devel libopenssl-devel sqlite3-devel libmariadb-devel gtest gmock benchmark-devel ccache mold bubblewrap clang-tools openssl",
  alpine:
    "doas apk add g++ make cmake ninja-build samurai pkgconf ca-certificates boost-dev nlohmann-json protozero-dev curl-dev openssl-dev sqlite-dev mariadb-connector-c-dev " +
    "gtest-dev benchmark-dev ccache mold bubblewrap clang-extra-tools openssl",
  darwin:
    "brew install cmake ninja pkg-config boost nlohmann-json protozero curl sqlite mariadb-connector-c googletest google-benchmark ccache openssl@3",
};
