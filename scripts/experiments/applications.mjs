/**
 * So many times the waits that the examples are drawn with, and so many times the threads that wait: the same
 * limit, but what a machine's own unrest adds to a wait counts for a fifth.
 */
export const TIMES = 5;

/**
 * concor's three sample applications as the experiments run them. `half` and `limit` are events a second:
 * half of what waiting allows, and all of it (threads of the pool that waits, divided by how long it
 * waits). `waiting` are the pools that wait, `settings` how long they do and on what.
 */
export const APPLICATIONS = [
  {
    name: "mo-flow",
    binary: "mo-server",
    flow: "MoFlow",
    logSetting: "MO_FLOW_LOG",
    waiting: ["database", "http"],
    settings: { MO_FLOW_REPLY_MS: 20 * TIMES, MO_FLOW_QUERY_MS: 2 * TIMES, MO_FLOW_CONNECTIONS: 6 * TIMES },
    half: 800,
    limit: 1600,
    concor: {
      title: "messaging flow, Table 5-4",
      byHand: [1650, 1650, 1660],
      off: [1650, 1650, 1640],
      on: [1640, 1640, 1640],
    },
  },
  {
    name: "ussd",
    binary: "ussd-server",
    flow: "UssdFlow",
    logSetting: "USSD_LOG",
    waiting: ["http"],
    settings: { USSD_REPLY_MS: 10 * TIMES },
    half: 1200,
    limit: 2400,
    concor: {
      title: "USSD, Table 5-5",
      byHand: [2130, 2110, 2120],
      off: [2120, 2110, 2120],
      on: [2090, 2070, 2090],
    },
  },
  {
    name: "mobile-money",
    binary: "money-server",
    flow: "MoneyFlow",
    logSetting: "MONEY_LOG",
    waiting: ["reader", "writer"],
    settings: { MONEY_QUERY_MS: 10 * TIMES, MONEY_CONNECTIONS: 44 * TIMES },
    half: 1000,
    limit: 2000,
    concor: {
      title: "mobile money tracker, Table 5-6",
      byHand: [2130, 2120, 2130],
      off: [2100, 2110, 2100],
      on: [2090, 2090, 2080],
    },
  },
];

/** What an event may be served by; `sampling-on` also has a reader of the live figures, as the canvas is one. */
export const MODES = ["by-hand", "sampling-off", "sampling-on"];

/** Whose memory experiment 3 looks at: half of the limit, a fifth more than all of it, and half of it again. */
export const MEMORY = { application: "mo-flow", modes: ["by-hand", "sampling-on"], overload: 1.2 };

/** Experiment 2 puts a join before this stage, with as many threads as serve it anyway, and takes it out. */
export const JOIN = {
  application: "mo-flow",
  stage: "translateAt",
  threads: 6 * TIMES,
  loads: [
    { load: "1000", perSecond: 1000 },
    { load: "50 %", perSecond: 800 },
  ],
  /** concor's Table 5-8: events a second from the change on. */
  concor: [
    { attempt: 1, operation: "add", perSecond: [1000, 1000, 1001, 999, 1000] },
    { attempt: 1, operation: "remove", perSecond: [996, 1004, 1000, 1000, 1000] },
    { attempt: 2, operation: "add", perSecond: [1000, 999, 1001, 1000, 1000] },
    { attempt: 2, operation: "remove", perSecond: [999, 1001, 1000, 1000, 1000] },
    { attempt: 3, operation: "add", perSecond: [1000, 1000, 1000, 1000, 1000] },
    { attempt: 3, operation: "remove", perSecond: [1000, 1000, 1000, 1000, 1000] },
  ],
};
