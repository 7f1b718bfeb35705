import type { CatalogueEntry } from "./entry.js";

/** 75x: a running binary refuses a command; 99x: the command line. */
export const COMMANDS = {
  PS750: {
    severity: "error",
    title: "No such pool in the running binary",
    explanation: "A command names a pool of the binary as it was built and started.",
    help: "Use one of its pools, or build and run the drawing again.",
  },
  PS751: {
    severity: "error",
    title: "No such flow in the running binary",
    explanation: "A command names a flow of the binary as it was built and started.",
    help: "Use one of its flows, or build and run the drawing again.",
  },
  PS752: {
    severity: "error",
    title: "Sampling out of range",
    explanation: "Of 128 calls, 0 (off) to 128 (all) are measured.",
    help: "Use a number in that range.",
  },
  PS753: {
    severity: "error",
    title: "The machine has no such CPU",
    explanation: "The binary runs on a machine (or in a container) without the CPU that the pin names.",
    help: "Pin the thread to a CPU that is there, or run with `--relax-pins`.",
  },
  PS754: {
    severity: "error",
    title: "The binary could not carry the command out",
    explanation: "The system refused what the command needs, such as another thread; the old setting stays.",
    help: "See the log of the binary for the reason.",
  },
  PS755: {
    severity: "error",
    title: "Too many commands wait already",
    explanation: "Commands are carried out one after the other, and only so many may wait.",
    help: "Ask again in a moment.",
  },
  PS756: {
    severity: "error",
    title: "No such stage in the running flow",
    explanation: "A command names a stage that the flow of the running binary does not have.",
    help: "Build and run again if the stage is new.",
  },
  PS757: {
    severity: "error",
    title: "No such service in the running binary",
    explanation: "A call names a service that the running binary does not serve.",
    help: "Build and run again if the service is new, or ask the binary that serves it.",
  },
  PS758: {
    severity: "error",
    title: "Not the request of the service",
    explanation: "A service was asked with JSON that is not the message it takes.",
    help: "Use the fields of its request; the message says which one is wrong, and where.",
  },
  PS759: {
    severity: "error",
    title: "The running binary cannot ask its services",
    explanation: "It was generated or built before services could be asked from outside.",
    help: "Generate and build the project again, then restart it.",
  },
  PS760: {
    severity: "error",
    title: "Time for an answer out of range",
    explanation: "A call from outside waits 1 to 60000 ms for its answer.",
    help: "Use a whole number of milliseconds in that range.",
  },
  PS761: {
    severity: "error",
    title: "A pool without bounds",
    explanation: "Threads come and go between two bounds, and the pool has none in the running binary.",
    help: "Give it bounds: `penstock set pool.adapt POOL 2-32`.",
  },
  PS762: {
    severity: "error",
    title: "No such rule in the running binary",
    explanation:
      "A rule is named by the flow or service that it watches, and the running binary has none of that.",
    help: "The message names those it has; after drawing one, start the binary again.",
  },
  PS989: {
    severity: "error",
    title: "Drawn meanwhile",
    explanation:
      "topology.json was changed, in the designer or by hand, while a command made its own change of what it had read.",
    help: "Run the same command again.",
  },
  PS990: {
    severity: "error",
    title: "Internal error",
    explanation: "A bug in Penstock: it should have said something more exact.",
    help: "Report what you did together with the message.",
  },
  PS991: {
    severity: "error",
    title: "Wrong usage",
    explanation: "The command line does not have this verb, option or value.",
    help: "See `penstock --help`.",
  },
  PS992: {
    severity: "error",
    title: "The environment is in the way",
    explanation: "A tool is missing, a port is taken, the disk is full, or a file cannot be read or written.",
    help: "Do what the message says; `penstock doctor` shows what the machine lacks.",
  },
  PS993: {
    severity: "error",
    title: "Nothing of the project is running",
    explanation: "The command is for a running binary.",
    help: "Start it with `penstock run`.",
  },
  PS994: {
    severity: "error",
    title: "The binary cannot be reached",
    explanation: "It refused the command or did not answer.",
    help: "See its state with `penstock monitor`, or start it again.",
  },
  PS995: {
    severity: "error",
    title: "The project is not trusted yet",
    explanation: "It was not made here, and building and running it executes its code on this machine.",
    help: "Look at what it holds. Then say yes on a terminal, give --trust, or trust it in the designer.",
  },
  PS996: {
    severity: "error",
    title: "The certificate authority cannot be used",
    explanation:
      "A file of it in keys/ is damaged, missing or too old, or a binary has its name. It is never replaced by itself: all binaries that run trust it.",
    help: "Put the right file back; or remove keys/ca.crt and keys/ca.key, and bring the new files to all hosts.",
  },
  PS997: {
    severity: "error",
    title: "Keys are made already",
    explanation: "Another process makes keys of the same project at this moment.",
    help: "Try again when it has finished.",
  },
  PS998: {
    severity: "warning",
    title: "Keys to look after",
    explanation:
      "The certificate authority ends soon, or other users of the machine could read a private key.",
    help: "Do what the message says; `penstock keys --renew` makes new keys of all binaries.",
  },
  PS999: {
    severity: "error",
    title: "No registry",
    explanation:
      'A registry is FORB\'s: JSON with a list `"objects"`, of which each has a `name`, `module`, `class`, `ip` and `port`.',
    help: "`penstock registry` prints one.",
  },
} as const satisfies Record<string, CatalogueEntry>;
