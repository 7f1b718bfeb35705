const ABSOLUTE =
  "A time and not a ratio: a virtual processor is not equally fast in every minute, and where it was slow, the best run of " +
  "each contender, the limit's too, lies well above its median (min and max below).";

const ITS_INSTRUCTIONS =
  "With 64 under way a peer sleeps and wakes once for many calls; ours did neither one by one, and costs the same instructions " +
  "(`call-64` in runtime-cpp/guard/ceilings.json). Its way to the worker, the part that could be remembered, is 12 of them " +
  "(decision 0067).";

const DRAWN_BY_THE_PROCESSOR =
  "Headless Chromium draws with the processor alone: while panning more than half of the page's own thread went into painting " +
  "and handing pictures over (Performance.getMetrics), on the bare page still more. Below zoom 0.4 nodes and edges are " +
  "painted on one canvas already, and their elements are empty.";

/** What two threads do with what carries a call, and nothing else. */
const LIMITS = { shm: "limit-memory", unix: "limit-socket", tcp: "limit-socket", tls: "limit-openssl" };

/**
 * What is measured, and what ours should reach, in the order of the page; workloads of a family
 * share a chart. A goal is a ratio to contenders of the same run (`to` names them, `"peers"` are
 * all that are neither ours nor a limit), or what one may cost: `of` divided by the rate. With
 * `against` the figure is a ratio already, to this contender, pair by pair; a goal with `itself` asks so much
 * of a figure that is a ratio within one run; `counted` ones are
 * instructions. `missed` says, where a goal is not reached, why, as far as a profile told. `times`
 * as many runs as usual; `anyLoad` figures are the same whatever else the machine does.
 */
export const WORKLOADS = [
  {
    name: "ping-pong/spin",
    family: "ping-pong",
    unit: "calls/s",
    goals: [{ to: ["limit-mailbox"], atLeast: 0.8 }],
    missed:
      "Two cache lines have to cross between the processors for each call. What is left to us is what runs while neither line " +
      "travels: a profile (callgrind) shows the instructions of runtime-cpp/guard/ceilings.json spread over sending, beginning, " +
      "concluding and taking the answer, none of them with more than a sixth.",
  },
  {
    name: "ping-pong/adaptive",
    family: "ping-pong",
    unit: "calls/s",
    goals: [{ to: ["limit-mailbox"], atLeast: 0.7 }],
    missed:
      "As ping-pong/spin; the limit spins in both, so that looking for a while before sleeping costs only us.",
  },
  {
    name: "ping-pong/park",
    family: "ping-pong",
    unit: "calls/s",
    goals: [{ to: "peers", atLeast: 1.2 }],
  },
  {
    name: "outstanding-64",
    family: "outstanding-64",
    unit: "calls/s",
    goals: [
      { to: ["limit-mailbox"], atLeast: 0.55 },
      { to: ["caf", "caf-one-worker", "asio-poll"], atLeast: 10 },
    ],
    missed:
      "The caller's thread is busy throughout (perf, cpu-clock): it sends and takes the answer, which is more than half of a " +
      "call's instructions, spread evenly; the misses left are those on the answer's line and on the lane's cells. Fetching two, four " +
      "or five jobs ahead changed nothing, taking them in one go 5 %, fewer lines and instructions a call 27 %.",
  },
  {
    name: "fan-out-3",
    family: "fan-out-3",
    unit: "calls/s",
    goals: [{ to: "peers", atLeast: 3 }],
  },
  ...[1, 2, 4].map((producers) => ({
    name: `mpsc/${producers}`,
    family: "mpsc",
    unit: "items/s",
    goals: [
      { to: ["moodycamel-tokens"], atLeast: 1 },
      { to: ["vyukov-malloc"], atLeast: 4 },
    ],
  })),
  {
    name: "inline-call",
    family: "inline-call",
    unit: "calls/s",
    goals: [{ atMost: 5, cost: "ns a call", of: 1e9 }],
    missed:
      "Its instructions (runtime-cpp/guard/ceilings.json has their number) look whether what the site's first calls found " +
      "still holds, count the call when it begins, which also says whether it is a sampled one that reads the clock twice, and " +
      "when it is done; the handler itself takes the fewest.",
  },
  {
    name: "own-mailbox",
    family: "own-mailbox",
    unit: "calls/s",
    goals: [{ atMost: 40, cost: "ns a call", of: 1e9 }],
    missed: ABSOLUTE,
  },
  ...["pool-call", "pool-call-64"].flatMap((name) =>
    [1, 2, 4, 8].map((threads) => ({
      name: `${name}/${threads}`,
      family: name,
      unit: "calls/s",
      goals: [
        { to: "peers", atLeast: 2 },
        ...(name === "pool-call" ? [{ atMost: 200, cost: "ns a call", of: 1e9 }] : []),
      ],
      ...(name === "pool-call-64" ? { missed: ITS_INSTRUCTIONS } : {}),
    })),
  ),
  ...Object.keys(LIMITS).flatMap((kind) => [
    ...["spin", "adaptive", "park"].map((idle) => ({
      name: `remote-call/${kind}/${idle}`,
      family: "remote-call",
      unit: "calls/s",
      goals: [
        { to: [LIMITS[kind]], atLeast: 0.85 },
        ...(kind === "shm" && idle === "spin" ? [{ to: ["iceoryx"], atLeast: 3 }] : []),
      ],
      missed:
        "The limit does nothing but look at its one socket, or number; a worker also looks at lanes, timers and, now and then, at all of its sockets, " +
        "and there is a call with its frame, its coroutine and its counters at both ends of a trip.",
    })),
    {
      name: `remote-call/${kind}-64`,
      family: "remote-call",
      unit: "calls/s",
      goals: [
        { to: [LIMITS[kind]], atLeast: kind === "tls" ? 0.85 : 0.6 },
        ...(kind === "tcp" ? [{ to: ["grpc"], atLeast: 6 }] : []),
        ...(kind === "shm" ? [{ to: ["iceoryx"], atLeast: 3 }] : []),
      ],
      missed:
        "The limit does no work for a message at all; here each one is a call, which is framed, read, counted and run at the other end, " +
        "and its answer resumes a coroutine.",
    },
  ]),
  ...[8, 64, 256].flatMap((megabytes) => [
    {
      name: `buffer/${megabytes}MB/copied`,
      family: "buffer",
      unit: "buffers/s",
      goals: [{ to: ["limit-memcpy"], atLeast: 0.77 }],
      missed:
        "The bytes cross to memory that the thread at the other end has mapped too; the limit copies within one thread's.",
    },
    {
      name: `buffer/${megabytes}MB/handled`,
      family: "buffer",
      unit: "buffers/s",
      goals: [{ to: ["limit-handover"], atLeast: 0.5 }],
      missed:
        "The limit passes a number and a message; here it is a call, whose message says which segment changes its owner, and both ends check " +
        "and note whose it is. What it takes is the same at any size.",
    },
    {
      name: `buffer/${megabytes}MB/read`,
      family: "buffer",
      unit: "buffers/s",
      goals: megabytes === 256 ? [{ to: ["tcp-nodelay"], atLeast: 12 }] : [],
      missed:
        "The goal is that of FORB, which cannot be built here. A plain socket stands for it, and is faster: it neither marshals nor copies " +
        "into messages. Nothing can be faster than the pass over memory that is asked for, `limit-pass`.",
    },
  ]),
  ...[0, 1, 5].flatMap((lost) => [
    {
      name: `reliable-udp/${lost}`,
      family: "reliable-udp",
      unit: "calls/s",
      goals: lost === 0 ? [] : [{ to: ["enet"], atLeast: 100 }],
      missed:
        "With one message under way nothing comes after a lost one that could tell of it: both wait for a timer, ours for a millisecond or two, " +
        "ENet's for longer.",
    },
    {
      name: `reliable-udp-bytes/${lost}`,
      family: "reliable-udp",
      unit: "MB/s",
      goals: lost === 0 ? [] : [{ to: ["enet"], atLeast: 10 }],
      missed:
        "The window of RFC 9002 is halved where datagrams are lost; ENet is not as slow here as the goal takes it to be.",
    },
  ]),
  ...[1, 4, 16, 64].map((nodes) => ({
    name: `streaming/${nodes}`,
    family: "streaming",
    unit: "numbers/s",
    goals: [
      { to: ["limit-socket"], atLeast: 0.4 },
      { to: ["caf"], atLeast: 3 },
    ],
    missed:
      "Numbers go to a node, run there and come back many at a time, in one frame (decisions 0108 and 0110), but each is a call: it is counted at both ends, keeps its place until it is " +
      "answered, and goes through the stages of its flow before and after; to one node each side sleeps while the other works on what is under way. The limit makes no call, and CAF sends " +
      "thousands of numbers in one message and answers once for all of them.",
  })),
  ...["protobuf", "json"].map((form) => ({
    name: `http/${form}`,
    family: "http",
    unit: "calls/s",
    goals: [
      { to: ["twirp"], atLeast: 1.4 },
      { to: ["limit-epoll"], atLeast: 0.7 },
    ],
  })),
  ...[50, 99].flatMap((percent) =>
    ["protobuf", "json"].map((form) => ({
      name: `http-p${percent}/${form}`,
      family: "http-times",
      unit: `p${percent}/s`,
      goals: percent === 99 ? [{ to: ["twirp"], atLeast: 1 }] : [],
    })),
  ),
  ...["write", "read"].map((way) => ({
    name: `codec/${way}`,
    family: "codec",
    unit: "messages/s",
    goals: [{ to: ["limit-by-hand"], atLeast: 0.67 }],
  })),
  ...["write", "read"].map((way) => ({
    name: `codec/json-${way}`,
    family: "codec",
    unit: "messages/s",
    goals: [{ to: ["protobuf"], atLeast: 10 }],
  })),
  ...[2, 4].map((threads) => ({
    name: `pool-spread/${threads}`,
    family: "pool-spread",
    unit: "p99/s",
    goals: [{ to: ["central-queue"], atLeast: 0.67 }],
    missed:
      "A request from outside wakes a thread that has nothing to do, as long as there is one, and waits until that one or another one that " +
      "becomes idle has a processor.",
  })),
  ...[2, 4].map((threads) => ({
    name: `pool-even/${threads}`,
    family: "pool-even",
    unit: "of the busiest",
    goals: [{ atLeast: 0.9, itself: "of the busiest" }],
    missed:
      "Of the idle threads that with the lowest number is given the next request: mostly it is one that was at work just before, so that its caches are " +
      "warm and it may be looking for work still. An even share would wake the one that has slept longest.",
  })),
  {
    name: "coroutine-child",
    family: "coroutine-child",
    unit: "coroutines/s",
    goals: [{ atMost: 6, cost: "ns a coroutine", of: 1e9 }],
    missed: ABSOLUTE,
  },
  ...[2, 6].map((stages) => ({
    name: `flow-fused/${stages}`,
    family: "flow-fused",
    unit: "events/s",
    goals: [{ to: ["limit-virtual"], atLeast: stages === 2 ? 0.8 : 0.6 }],
    missed:
      "Each value is written to and read from a chunk of 64 in the first-level cache once a stage, where the limit passes one event in " +
      "place; what is counted, marked and looked up is so once a chunk and a stage (runtime-cpp/guard/ceilings.json has the " +
      "instructions).",
  })),
  { name: "flow-latency", family: "flow-latency", unit: "events/s", goals: [] },
  ...[2, 6].map((stages) => ({
    name: `flow-joined/${stages}`,
    family: "flow-joined",
    unit: "events/s",
    goals: [
      { to: ["limit-spsc-ring"], atLeast: 0.6 },
      { to: "peers", atLeast: 3 },
    ],
    missed:
      "Values hop in chunks of up to 64 that are formed of what is there: with 64 events under way over all stages they are " +
      "shorter, and both threads wait for each other more often than they work (min and max below).",
  })),
  ...["", "/spin", "/own-mailbox", "/instructions"].map((which) => ({
    name: `metrics-overhead${which}`,
    family: "metrics-overhead",
    unit: "of unmetered",
    against: "penstock-unmetered",
    goals: [
      which === "/instructions"
        ? { atMost: 1.04, cost: "times as many", of: 1 }
        : { atMost: 1.02, cost: "times as long", of: 1 },
    ],
    ...(which === "/instructions"
      ? { counted: true, anyLoad: true }
      : // One per cent is less than two processes differ by chance.
        { times: 3 }),
    missed:
      "A call counts twice, asked along its edge and done, and both of its ends look up what their thread counts in; a sampled " +
      "one reads the clock three times. The less else there is in a call, the more of it that is.",
  })),
  {
    name: "memory-per-service",
    family: "memory-per-service",
    unit: "services/MiB",
    anyLoad: true,
    goals: [{ atMost: 512, cost: "bytes a service", of: 2 ** 20 }],
  },
  ...[4, 64].map((workers) => ({
    name: `idle/${workers}-workers`,
    family: "idle",
    unit: "s/CPU s",
    goals: [{ atMost: 1, cost: "% of a core", of: 100 }],
    anyLoad: true,
  })),
  {
    name: "wake-up",
    family: "wake-up",
    unit: "wake-ups/s",
    goals: [{ to: ["limit-futex"], atLeast: 0.8 }],
  },
  {
    name: "resize-under-load",
    family: "resize-under-load",
    unit: "of steady",
    goals: [{ atMost: 1.5, cost: "times the steady p99", of: 1 }],
  },
  ...[
    { times: 2, atLeast: 0.9 },
    { times: 10, atLeast: 0.8 },
  ].map(({ times, atLeast }) => ({
    name: `overload/${times}x`,
    family: "overload",
    unit: "of capacity",
    goals: [{ atLeast, itself: "of capacity" }],
  })),
  { name: "memory-per-worker", family: "memory-per-worker", unit: "workers/MiB", goals: [], anyLoad: true },
  { name: "memory-per-call", family: "memory-per-call", unit: "calls/MiB", goals: [], anyLoad: true },
  ...[200, 1000].map((nodes) => ({
    name: `designer/open-${nodes}`,
    family: "designer",
    unit: "openings/s",
    goals: [{ atMost: 500, cost: "ms to open", of: 1000 }],
    missed:
      "What is left is mostly loading and starting the page's script; the nodes are painted before they have elements.",
  })),
  ...[200, 1000].map((nodes) => ({
    name: `designer/ready-${nodes}`,
    family: "designer",
    unit: "openings/s",
    goals: [],
  })),
  ...["pan", "zoom", "drag"].map((gesture) => ({
    name: `designer/${gesture}-1000`,
    family: "designer",
    unit: "frames/s",
    goals: [{ atMost: 17, cost: "ms a frame", of: 1000 }],
    missed: DRAWN_BY_THE_PROCESSOR,
  })),
];

/** What each family of workloads is, in their order. */
export const FAMILIES = [
  {
    name: "ping-pong",
    title: "One call at a time between two threads",
    what:
      "A coroutine on one thread asks a service on another one, waits for the answer, asks again. `spin` " +
      "threads never sleep, `adaptive` ones look for a while first, `park` ones sleep once a short look found nothing.",
  },
  {
    name: "outstanding-64",
    title: "64 calls under way",
    what:
      "The same pair of threads with 64 calls under way at any time. Two virtual processors may be nearer to each other " +
      "in one second than in the next: where least and most of the limit lie far apart, the two medians may be of " +
      "different moments, and their ratio says less than the others here.",
  },
  {
    name: "fan-out-3",
    title: "Three calls at once",
    what: "Three services on the other thread are asked at once; one unit is all three answers.",
  },
  {
    name: "mpsc",
    title: "Many producers, one consumer",
    what: "One, two and four producers hand 8-byte items to one consumer, one at a time. `penstock` are threads from outside that post to a worker, `penstock-workers` workers that do, `penstock-mailbox` is the mailbox that posters beyond the 64th share. Intrusive queues send 1024 messages of a cache line again and again, as frames are; the others copy the item.",
  },
  {
    name: "inline-call",
    title: "A call on the same thread, inline",
    what: "A service on the caller's own thread, run on the caller's stack.",
  },
  {
    name: "own-mailbox",
    title: "A call on the same thread, queued",
    what: "A service on the caller's own thread, through its mailbox.",
  },
  {
    name: "pool-call",
    title: "A call within a pool of several threads",
    what: "Caller and callee are drawn in one pool of one, two, four and eight threads that are pinned nowhere; one call at a time.",
  },
  {
    name: "pool-call-64",
    title: "64 calls under way within a pool of several threads",
    what: "The same with 64 calls under way at any time.",
  },
  {
    name: "remote-call",
    title: "A call to another binary of this host",
    what:
      "A coroutine asks a service of another binary through rings in memory, over a Unix socket, TCP on loopback, or TLS over that, each end on a thread of its own: one call at a time, and with 64 " +
      "under way. Both binaries are in one process here, with pools and counters of their own. The limit are two threads that do nothing but pass " +
      "messages of that size; with 64 under way they answer all that came with one write. Under TLS the limit is OpenSSL alone, in memory a number that says how many were written. gRPC and ZeroMQ sleep while nothing comes, and pass bytes on; iceoryx looks for messages, of which it takes 16 at once.",
  },
  {
    name: "buffer",
    title: "A large buffer to another binary of this host",
    what:
      "A `Buffer` of 8, 64 and 256 megabytes goes to a service of another binary and back, one at a time, both ends looking for work: " +
      "as it is (`handled`), after other bytes were copied into it (`copied`), and with an XOR of all its words there (`read`). " +
      "The limits are one memcpy, two threads that pass a message of that kind, and one pass over memory. `tcp-nodelay` sends the bytes " +
      "over loopback as they lie, and stands for FORB, which cannot be built here.",
  },
  {
    name: "reliable-udp",
    title: "Messages over UDP that loses some",
    what:
      "Messages that come once and in order over UDP on loopback, where a third thread between both ends loses 0, 1 and 5 datagrams in a hundred " +
      "each way: one message of 32 bytes and its answer at a time (calls/s), and 32 messages of 16 KiB under way, each answered with 32 bytes (MB/s). " +
      "Ours is the stack of layers alone, without services behind it.",
  },
  {
    name: "streaming",
    title: "A stream of numbers to 1 to 64 nodes",
    what:
      "A flow whose stage runs in another binary with that many processes, over TCP on loopback: numbers that the nodes count, one by one, a " +
      "second, all nodes together. All are in one process here, the source's thread on one processor, a thread for each node on the other one; " +
      "all sleep while nothing comes. 1,024 numbers, what the queue of a pool takes, are under way to a node. `limit-socket` writes numbers alone, up to 64 KiB at once, and answers all that came with one write. CAF has a " +
      "stream to each node, and two threads for each. What is lost from 1 to 64 is to be compared with what the limits lose.",
  },
  {
    name: "http",
    title: "A service over HTTP",
    what:
      "64 clients with a connection each that stays open, and one request under way on each: Twirp's own example, 2 bytes of protobuf or 13 of " +
      "JSON, answered with 15 or 41. They share one thread on the first processor and do no more than write what lies there and count what " +
      "comes; the server has the second processor with all of its threads. A contender that is a limit, or reads no protobuf, reads and writes these messages by hand.",
  },
  {
    name: "http-times",
    title: "How long a call over HTTP takes",
    what:
      "The same, as the times that 50 and 99 of 100 calls take at most, from before the request is written until the answer is there. One unit " +
      "is that time, so that a rate of 1 k is a millisecond.",
  },
  {
    name: "codec",
    title: "Messages as bytes and as text",
    what:
      "A record of ten fields, one of which is a message with two, as 112 bytes of protobuf and 242 of JSON, written and read. The limit is code by hand for this " +
      "record alone.",
  },
  {
    name: "pool-spread",
    title: "A pool under load from outside",
    what:
      "Handlers of ten microseconds in a pool of two and four threads that are pinned nowhere, asked from outside for 80 % of what it " +
      "can do, at intervals as of independent callers. One unit is the time that 99 of 100 requests take from being sent until " +
      "their handler has ended, so that a rate of 5 k is 200 us.",
  },
  {
    name: "pool-even",
    title: "How even the threads of a pool are",
    what: "The same load: what the least busy thread served of what the busiest one did.",
  },
  {
    name: "coroutine-child",
    title: "Child coroutines",
    what: "A handler awaits a child coroutine that does nothing.",
  },
  {
    name: "flow-fused",
    title: "A flow of stages without joins",
    what:
      "Events of 64 bytes through two and six trivial stages on one thread; all stages but the last make a new event of the " +
      "one they get. Ours are emitted by a handler and go in chunks of what is there, each stage counted, 3 in 128 with " +
      "their times; the limit is a loop of virtual calls around one event, with neither queue nor memory.",
  },
  {
    name: "flow-latency",
    title: "One event at a time through a flow",
    what:
      "One event under way: the last of six trivial stages on one thread lets the next one in, which goes through the pool's queue " +
      "as every event that a handler emits.",
  },
  {
    name: "flow-joined",
    title: "A flow of stages with a join before each",
    what:
      "The same with a queue before each stage, so that each event changes threads as often as there are stages, to and fro " +
      "between two. The limit are rings of one producer and one consumer whose indices are passed once in many events.",
  },
  {
    name: "metrics-overhead",
    title: "What metrics cost",
    what:
      "The same program twice, once with the runtime as it is, every call counted and the latency of 3 in 128 taken, and once " +
      "with all of that compiled out, in alternating pairs: the median of what one is of the other, pair by pair. 64 calls " +
      "under way between two threads, one at a time between them, and one at a time within a thread, where there is nothing " +
      "else to wait for. `instructions` are those of the last one, counted by callgrind.",
  },
  {
    name: "idle",
    title: "A binary with nothing to do",
    what: "4 and 64 adaptive workers that have worked before and wait: seconds for each second of processor time.",
  },
  {
    name: "wake-up",
    title: "A thread that sleeps",
    what:
      "From just before a sleeping thread is asked until its first instruction, half a millisecond after it was asked last: one unit " +
      "is a wake-up, so that a rate of 50 k is 20 us.",
  },
  {
    name: "resize-under-load",
    title: "A pool that changes under load",
    what: "16,000 calls a second while the pool they go to is resized from 2 to 4 threads and back and pinned anew every 20 ms: the 99th percentile of a steady load divided by the one meanwhile.",
  },
  {
    name: "overload",
    title: "More requests than can be served",
    what:
      "A worker that takes about ten microseconds a request, with a queue of 64 that rejects, is asked for 2 and 10 times what it " +
      "can do: what it serves of what it serves when it is asked for no more than that, slices of 0.1 s of both by turns. The rest is " +
      "refused with `resource_exhausted`.",
  },
  {
    name: "memory-per-service",
    title: "Memory of a service",
    what: "Idle services that have answered before, by what malloc has given out for them. Ours are made as main() of a generated binary makes them, with a drawn call to each; CAF's are spawned.",
  },
  {
    name: "memory-per-worker",
    title: "Memory of a worker",
    what:
      "64 workers with their threads, by the pages of the process that are in memory: such as have answered once, and such as have " +
      "asked each of the others, so that lanes lie between any two.",
  },
  {
    name: "memory-per-call",
    title: "Memory of a waiting call",
    what: "Calls that wait for their turn, with the futures for their answers.",
  },
  {
    name: "designer",
    title: "Large drawings in the browser",
    what:
      "The page of the designer as its server gives it, with a project of 200 and 1,000 services on disk, all of them on the screen " +
      "(headless Chromium, 1920x1080), beside a page with nothing but React Flow and the same nodes in its own look. `open` is from " +
      "asking for the address until the first picture with nodes, `ready` until they can be pointed at, in a browser that has been there " +
      "before, once it and the server have nothing else to do; `pan`, `zoom` and `drag` " +
      "are sixty steps of the mouse, and the rate that of the 95th percentile of the times from picture to picture.",
  },
];
