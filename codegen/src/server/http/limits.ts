/** All limits of the server in one place; times in milliseconds, sizes in bytes. */
export const LIMITS = {
  headersTimeoutMs: 10_000,
  requestTimeoutMs: 30_000,
  /** How often Node looks at the two timeouts above; without it they mean little. */
  connectionsCheckingIntervalMs: 1_000,
  keepAliveTimeoutMs: 5_000,
  headerBytes: 16_384,
  bodyBytes: 100_000,
  bodyDepth: 32,

  /** Connections that have not shown the token. */
  strangers: 256,

  codeLifetimeMs: 600_000,
  wrongCodesPerMinute: 10,

  /** By then the server has ended, whatever does not: who waits for it kills it after 5 s or 10. */
  stopWithinMs: 4_000,

  sockets: 100,
  socketMessageBytes: 65_536,
  /** Of a message, and of what has come of one: however small they are, each keeps what it came in. */
  socketFragments: 16,
  socketChunks: 1_024,
  socketMessagesPerSecond: 100,
  /** Who goes on sending so much after being told to go is cut off. */
  socketMessagesTooMany: 100,
  pingEveryMs: 15_000,
  pongWithinMs: 45_000,
  /** Over this much unsent, samples are skipped ... */
  unsentSkipBytes: 1_048_576,
  /** ... over this much, or over the first for this long, the socket is closed. */
  unsentCloseBytes: 8_388_608,
  unsentCloseMs: 10_000,
  sampleEveryMs: 100,
  hiddenSampleEveryMs: 1_000,

  auditBytes: 5_000_000,
  auditRefusalsPerMinute: 60,
} as const;
