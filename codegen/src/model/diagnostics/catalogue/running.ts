import type { CatalogueEntry } from "./entry.js";

/** 872-899: running a binary, a benchmark or a load. */
export const RUNNING = {
  PS871: {
    severity: "error",
    title: "Not as it was before the load",
    explanation:
      "The binary did not answer when the load was over, so that its source still makes events at the rate of the load.",
    help: "Set the rate once it answers (`penstock set BINARY source.set FLOW RATE`), or start it again.",
  },
  PS872: {
    severity: "warning",
    title: "Certificate for fewer hosts",
    explanation:
      "The certificate of a binary is not for all names and numbers by which the drawing says that clients know its host (`address` and `hosts` of `http`): those who use the others refuse it.",
    help: "Run `penstock keys` in the project's folder, which makes a certificate for all of them, and start the binary again.",
  },
  PS873: {
    severity: "error",
    title: "Nothing done under load",
    explanation:
      "Nothing of what the load sent was done: it failed, or nobody answered. What was measured is not what the target can do.",
    help: "Send one request by hand, and see what it is answered: the path, the headers or the body may be others, or it wants a token.",
  },
  PS874: {
    severity: "error",
    title: "No token to ask for",
    explanation:
      "The HTTP address of a binary is drawn with `auth` `bearer`, and its environment has no token that is good. It ended with 78, or was not started at all, and what runs goes on.",
    help: "Where it is started from (the designer's server, or `penstock run`), set `PENSTOCK_HTTP_TOKEN` to 32 random bytes in hex (`openssl rand -hex 32`), or `PENSTOCK_HTTP_TOKEN_FILE` to a file with one a line.",
  },
  PS875: {
    severity: "error",
    title: "Bad configuration",
    explanation: "The binary refused its configuration and ended with 78; it is not started again.",
    help: "Correct the place named in the drawing and generate again.",
  },
  PS876: {
    severity: "error",
    title: "Address in use",
    explanation: "Another process listens where this binary is to listen.",
    help: "Give it another port; `http` and `control` may also have 0, any free one.",
  },
  PS877: {
    severity: "error",
    title: "Crash loop",
    explanation: "A binary that crashes three times within 30 seconds is not started again.",
    help: "Read its last log lines, correct the handler, and run again.",
  },
  PS878: {
    severity: "error",
    title: "Not built yet",
    explanation: "There is no good build of this binary.",
    help: "Build the project.",
  },
  PS879: {
    severity: "error",
    title: "Cannot be started",
    explanation: "The system refused to start the program.",
    help: "Read the reason named.",
  },
  PS880: {
    severity: "error",
    title: "Not ready in time",
    explanation: "The binary did not say within 60 seconds that it is ready.",
    help: "Read its log: it may wait for something in the construction of a handler's state.",
  },
  PS881: {
    severity: "warning",
    title: "Not measured: not written yet",
    explanation: "A handler that answers unimplemented has no figure; the others are measured.",
    help: "Write its handler, then measure again.",
  },
  PS882: {
    severity: "error",
    title: "Benchmark failed",
    explanation: "The benchmark ended with an error, crashed or took too long; the others are measured.",
    help: "Look at its file in bench/: the request it asks with and the answers of its fakes are yours.",
  },
  PS883: {
    severity: "error",
    title: "Nothing to measure",
    explanation: "No benchmark was found in bench/, or none of the service that was named.",
    help: "Generate the project: each service gets a first benchmark in bench/.",
  },
  PS884: {
    severity: "error",
    title: "This flow cannot be loaded",
    explanation:
      "A load steers the rate of a flow's source; this flow is not there, or its source has no rate: it makes events as they come, or reads them no faster than at one.",
    help: "Name a flow whose source has a rate (one of a project's own may be given one: `penstock set source.set FLOW RATE`), or load the HTTP address that feeds the flow.",
  },
  PS885: {
    severity: "error",
    title: "Nobody answers at the address to load",
    explanation: "No connection could be made before the load began, so there was nothing to measure.",
    help: "Start what is to be loaded, and check the address.",
  },
  PS886: {
    severity: "error",
    title: "Gone under load",
    explanation:
      "The binary ended, was started anew or fell silent while the load went on; its figures end there.",
    help: "Read its log: a crash names its signal, service and thread.",
  },
  PS887: {
    severity: "warning",
    title: "The simulator was at its own limit",
    explanation: "It had hardly time left to send and to measure, so the breaking point may be its own.",
    help: "Give it a CPU of its own, or load the target from another machine.",
  },
  PS888: {
    severity: "error",
    title: "Too many processes",
    explanation:
      "The binary and what its handlers started were more than 256 processes at once: all of them were killed, and it is not started again.",
    help: "Let handlers start fewer programs at once and wait for their end; a handler that forks must end the child.",
  },
  PS889: {
    severity: "warning",
    title: "Left behind: a hint at a leak",
    explanation:
      "Once all calls of a benchmark were answered and its threads had nothing left to do, call frames, coroutine frames or messages were still there.",
    help: "Look for a coroutine that was started and never ends, and for answers and futures that are kept for ever.",
  },
  PS890: {
    severity: "error",
    title: "No control address of this host",
    explanation:
      "A binary takes commands on loopback alone, and under its own port. One on another host, or in a container, is reached over a port of this host that is forwarded to it.",
    help: "It is one such as 127.0.0.1:9901; on another host forward it: ssh -N -L 9901:127.0.0.1:9901 HOST.",
  },
  PS891: {
    severity: "error",
    title: "Nobody answers at the control address",
    explanation: "No process listens there, or it says nothing. Nothing was attached.",
    help: "Check the port in the ready line of the binary (`control`), and the forwarding where it runs elsewhere.",
  },
  PS892: {
    severity: "error",
    title: "The control token is refused",
    explanation: "A binary takes commands of those alone who know the token that it was started with.",
    help: "Give the PENSTOCK_CONTROL_TOKEN that it was started with; without one it made its own, which nobody knows: start it again with one.",
  },
  PS893: {
    severity: "error",
    title: "No Penstock binary",
    explanation: "Something else answers at that address.",
    help: "Check the port in the ready line of the binary: `control`, not `http`.",
  },
  PS894: {
    severity: "error",
    title: "Not a binary of this project",
    explanation: "The process that answers is of another project, or its binary is not drawn here any more.",
    help: "Attach it in its own project; after a rename build it and start it again.",
  },
  PS895: {
    severity: "error",
    title: "It is there already",
    explanation: "Penstock started this process itself, or it is attached already.",
    help: "`penstock monitor` shows it; `penstock detach` takes one that is attached out again.",
  },
  PS896: {
    severity: "warning",
    title: "Attached, but of another drawing",
    explanation:
      "The process was made from an earlier or later drawing: figures are shown of what both have, and a change of what it does not have is refused by it.",
    help: "Build this drawing and start it there, or draw what runs.",
  },
  PS897: {
    severity: "error",
    title: "No keys that can be used",
    explanation:
      "A binary that calls or is called beyond its host, or speaks TLS at its HTTP address, needs its certificate, its key and the authority's certificate (or those that `http` names), and others may not read the key. It ended with 78, or was not started at all, and what runs goes on.",
    help: "Run `penstock keys` in the project's folder; on another host copy the three files there. A certificate of your own and its key, which `http` names, you put into that folder yourself.",
  },
  PS898: {
    severity: "warning",
    title: "Nothing to be seen in the recording",
    explanation: "The binary slept all the time that it was recorded: no function of it was on a CPU.",
    help: "Give it something to do, or record for longer.",
  },
  PS899: {
    severity: "error",
    title: "Not recorded",
    explanation: "`penstock profile` records with perf, which is missing, may not record here, or failed.",
    help: "`penstock doctor` says whether perf is there; the message says what the kernel refused.",
  },
} as const satisfies Record<string, CatalogueEntry>;
