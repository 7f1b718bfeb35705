import { DEFAULT_PREFIX } from "./http.js";
import {
  DEFAULT_HOLD_S,
  DEFAULT_LIVENESS,
  DEFAULT_WATCH_MS,
  FIRST_NICE,
  LAST_NICE,
  LAST_TAG,
  LONGEST_ARRAY,
  LONGEST_HOLD_S,
  LONGEST_QUEUE,
  MOST_REPLICAS,
  MOST_THREADS,
} from "./limits.js";

/**
 * What each key is for, in a sentence: hover texts of editors (by the JSON Schema) and hints of forms.
 * List indexes and map keys are written as `*`.
 */
export const KEY_TEXTS: Readonly<Record<string, string>> = {
  penstock: "Format version; 1 is the present one.",
  name: "C++ namespace and project name, in lower case.",
  messages: "Typed structs that travel: requests, responses and events.",
  "messages.*.fields.*.type":
    "A scalar (bool, int32, ... string, bytes, buffer), or an enum or message by name.",
  "messages.*.fields.*.tag": `Number of the field on the wire, 1 to ${LAST_TAG}, never given to another one.`,
  "messages.*.fields.*.repeated": "A list of any length.",
  "messages.*.fields.*.optional": "May be absent.",
  "messages.*.fields.*.length": `A fixed array of this many elements, 1 to ${LONGEST_ARRAY}.`,
  "messages.*.fields.*.encoding":
    "zigzag: short for small negative numbers (sint32); fixed: always 4 or 8 bytes (fixed32, sfixed32).",
  "messages.*.fields.*.packed":
    "false: each element of a list of numbers has a tag of its own on the wire, as in proto2.",
  "messages.*.fields.*.key": "Makes a list a map with keys of this type.",
  "messages.*.fields.*.oneof": "Of optionals with the same name here at most one has a value.",
  "messages.*.fields.*.jsonName": "Its name in JSON, where that is not its own in lowerCamelCase.",
  "messages.*.reserved": "Tags and names of fields that are gone, which no field gets again.",
  "messages.*.reserved.numbers": "Tags, or [first, last] of a range.",
  "enums.*.reserved": "Numbers and names of values that are gone, which no value gets again.",
  "enums.*.reserved.numbers": "Numbers, or [first, last] of a range.",
  "enums.*.values.*.protoName": "Its name in protobuf and JSON, where that is not ENUM_VALUE.",
  enums: "Named numbers; the first value is 0 and the default.",
  services: "Nanoservices: one handler each, request in, response out.",
  "services.*.request": "The message it is asked with.",
  "services.*.response": "The message it answers with; without one it gives nothing back.",
  "services.*.kind":
    "simple: may run in parallel; single-threaded: never twice at once; sync-remote: blocks its thread while it waits; async-remote: continues later.",
  "services.*.calls": "The services it may ask, by name.",
  "services.*.implementations": "Several handlers, of which a binary picks one or splits by weight.",
  "services.*.deadlineMs": "Milliseconds within which a call has to be answered.",
  "services.*.partitionBy":
    "Field of the request: a single-threaded service then runs one at a time for each value.",
  "services.*.idempotent":
    "It may be asked twice with one request: a call from another binary is sent again when the link broke under it.",
  "services.*.node": "A standard node: its handler is generated, nobody writes C++ for it.",
  "services.*.node.type": "A type of `penstock nodes`, or of the project's own folder nodes/.",
  "services.*.node.settings": "What the type's manifest describes.",
  flows: "Events from a source through stages.",
  "flows.*.event": "The message that the source makes.",
  "flows.*.source": "Where events come from.",
  "flows.*.stages": "What happens to an event, in order.",
  "flows.*.stages.*.id": "Name of the stage within its flow.",
  "flows.*.stages.*.service": "The service that holds the stage.",
  "flows.*.stages.*.role":
    "map: gives its response on; side-effect: sees the event and passes it on; catch: takes the failures of the stages before it.",
  "flows.*.stages.*.join":
    "Queue and threads put before the stage; without it the stage runs where the one before it ran.",
  "flows.*.stages.*.after": "Earlier stages that it follows instead of the one before it.",
  "flows.*.stages.*.when": "Values of the enum field behind the stage before for which this branch is taken.",
  bundles: "Services and flows that are deployed together.",
  binaries: "Processes: the bundles each serves, its threads, where it listens.",
  "binaries.*.pools": "Sets of worker threads.",
  "binaries.*.pools.*.threads":
    "How many, a list of them (one object for each, or for several alike), or bounds between which the binary chooses.",
  "binaries.*.pools.*.threads.from": `So many at the start, and never fewer; 1 to ${MOST_THREADS}.`,
  "binaries.*.pools.*.threads.to": `Never more than these, ${MOST_THREADS} at most.`,
  "binaries.*.pools.*.threads.cpus": "Refused: threads that come and go have no pins.",
  "binaries.*.pools.*.threads.*.count": `So many threads alike, 1 to ${MOST_THREADS}. Default 1.`,
  "binaries.*.pools.*.threads.*.cpus": "The CPUs it may run on; none: anywhere.",
  "binaries.*.pools.*.idle": "What an idle thread does: spin, park or adaptive (spin a little, then park).",
  "binaries.*.pools.*.priority": `Nice level, ${FIRST_NICE} (first) to ${LAST_NICE} (last).`,
  "binaries.*.pools.*.queue": `Events that may wait, 1 to ${LONGEST_QUEUE}.`,
  "binaries.*.pools.*.overflow": "What happens when the queue is full.",
  "binaries.*.pools.*.steal": "Without effect: idle threads of every pool take what waits for busy ones.",
  "binaries.*.placement": "Where calls to a service run, by service; others run on the pool default.",
  "binaries.*.placement.*.pool": "A pool of this binary, or default.",
  "binaries.*.placement.*.thread": "The one thread of the pool that serves it, from 0.",
  "binaries.*.placement.*.implementation": "The one implementation to run, or whole weights by name.",
  "binaries.*.listen":
    "Where other binaries reach it, over TCP or UDP: tcp://127.0.0.1:7400, udp://127.0.0.1:7400; beyond this host with keys, over TLS or in sealed datagrams: tcp://10.0.0.5:7400, udp://10.0.0.5:7400. None: they find it on their host by themselves.",
  "binaries.*.discovery":
    "nats://HOST:PORT of a NATS server that its processes announce where they listen at; or file:PATH of a JSON file that lists under its name the host:port of each of its processes, read again when it changes; PATH is absolute, or in the folder that the callers run in, which penstock run makes the project's.",
  "binaries.*.allow":
    "any-project-binary: every binary of the project may call it. Without it only those that are drawn to.",
  "binaries.*.http":
    "host:port at which it takes HTTP requests, on this machine; port 0 is any free one. Or an object, with more to say.",
  "binaries.*.http.address":
    "host:port, as above; with auth and tls also of other machines: 0.0.0.0 or [::] for all addresses of its host, or the number of one.",
  "binaries.*.http.auth":
    "bearer: who asks has a token that stands in the binary's environment, PENSTOCK_HTTP_TOKEN. none: everybody may ask who reaches it.",
  "binaries.*.http.tls":
    "keys: TLS with the binary's keys of penstock keys. off: none. Or an object: with a certificate of your own.",
  "binaries.*.http.tls.cert": "PEM file of the certificate, and of those behind it, in the folder of keys.",
  "binaries.*.http.tls.key": "PEM file of its private key, in the folder of keys.",
  "binaries.*.http.hosts":
    "With tls keys: names or numbers by which clients know its host, api.shop.example; its certificate is for them, too.",
  "binaries.*.http.accepted":
    "Why it is right that other machines ask without a token, or in the clear: behind an ingress that asks who they are. With it there is no warning.",
  "binaries.*.http.prefix": `What the routes of exposed services begin with. Default ${DEFAULT_PREFIX}.`,
  "binaries.*.http.origins":
    "Origins of web pages that may ask exposed services: https://shop.example. None: pages are refused.",
  "binaries.*.expose": "Services that it runs and that anybody who reaches its http address may ask.",
  "binaries.*.control": "host:port for metrics and commands; port 0 is any free one.",
  "binaries.*.replicas": `Processes of it that a run starts, 1 to ${MOST_REPLICAS}. Default 1.`,
  "binaries.*.presets": "Sizes of pools and joins under a name, applied at start or on the running binary.",
  "binaries.*.presets.*.pools": "Pools with their threads; those that are not listed stay as they are.",
  "binaries.*.presets.*.joins": "Slots with their join; one without a join runs fused.",
  "binaries.*.rules":
    "Rules that bring one of two presets into force by themselves, as a rate falls and rises.",
  "binaries.*.rules.*.of": "The flow or service whose rate is watched.",
  "binaries.*.rules.*.below": "What is brought into force when the rate has stayed below this one.",
  "binaries.*.rules.*.below.perSecond": "Events or requests a second; less than that of above.",
  "binaries.*.rules.*.below.preset": "A preset of this binary.",
  "binaries.*.rules.*.above": "What is brought into force when the rate has stayed above this one.",
  "binaries.*.rules.*.above.perSecond": "Events or requests a second; between the two nothing changes.",
  "binaries.*.rules.*.above.preset": "A preset of this binary.",
  "binaries.*.rules.*.forSeconds": `So long a rate has to hold, 1 to ${LONGEST_HOLD_S}. Default ${DEFAULT_HOLD_S}.`,
  "binaries.*.watchdogMs": `A handler that keeps its thread busy for longer is reported; 0: none is. Default ${DEFAULT_WATCH_MS}.`,
  "binaries.*.liveness": "When a link to or from another binary is taken for lost.",
  "binaries.*.liveness.pingMs": `Milliseconds after which the other end is asked whether it is there, and how far away. Default ${DEFAULT_LIVENESS.pingMs}.`,
  "binaries.*.liveness.lostMs": `Milliseconds of silence after which a link without a call under way is lost; at least two times pingMs. Default ${DEFAULT_LIVENESS.lostMs}.`,
  "binaries.*.liveness.hostLostMs": `Milliseconds in which another host acknowledges, or takes, nothing of what was sent, after which a link is lost, and the calls on it; over UDP, where the process acknowledges, more than its longest handler takes. Default ${DEFAULT_LIVENESS.hostLostMs}.`,
};

/** The text of a key, by its path with `*` for list indexes and map keys. */
export const keyText = (path: readonly string[]): string | undefined => KEY_TEXTS[path.join(".")];
