import type { HttpDoor, Liveness, NodeRef, StageRole } from "../model/topology/index.js";
import type { ProtoServicesPlan } from "./planProtoServices.js";

/**
 * Everything a generated project is, decided, without a line of its text: the only thing that
 * templates read. Names are as drawn unless the field says otherwise; `doc` is the user's text as
 * typed and reaches a file only through the escaping helper of that file's language.
 */
export interface ProjectPlan {
  /** Version of Penstock that generates; stamped into each generated file. */
  version: string;
  /** First two numbers of `version`: what the runtime must be, checked by the compiler. */
  runtimeMajor: number;
  runtimeMinor: number;
  /** Project name: CMake project and C++ namespace. */
  project: string;
  doc: string;
  topologyHash: string;
  enums: EnumPlan[];
  /** In an order in which each struct's members are complete. */
  messages: MessagePlan[];
  /** Messages that are used before they are defined. */
  forwardDeclared: string[];
  /** The built-in `Failure` is the type of a field, request or event. */
  usesFailure: boolean;
  needs: { vector: boolean; map: boolean; optional: boolean; array: boolean; json: boolean };
  services: ServicePlan[];
  protoServices: ProtoServicesPlan;
  flows: FlowPlan[];
  binaries: BinaryPlan[];
  sources: SourcePlan[];
  /** Kinds of the project's own that flows have, each once, sorted. */
  ownSources: OwnSourcePlan[];
  /** CMake packages of its nodes and sources, with the targets to link. */
  packages: { package: string; target: string }[];
  /** Debian packages that its binaries need where they run, sorted. */
  runtimePackages: string[];
  /** So many handlers that making a precompiled header first is quicker. */
  precompiled: boolean;
}

export interface EnumPlan {
  name: string;
  doc: string;
  values: { name: string; number: number; protoName: string; doc: string }[];
  /** What stands behind `reserved` in the `.proto`: a statement each. */
  reserved: string[];
}

export interface MessagePlan {
  name: string;
  doc: string;
  /** It has a field of type `buffer`, itself or deeper. */
  holdsBuffers: boolean;
  /** What stands for its definition where two binaries compare theirs: a C++ literal. */
  schema: string;
  /** What they compare where those differ (docs/wire.md). */
  definitions: string;
  reserved: string[];
  /** In the user's order. */
  fields: FieldPlan[];
}

export interface FieldPlan {
  name: string;
  doc: string;
  tag: number;
  /** The name that protobuf gives it in JSON. */
  jsonName: string;
  /** As drawn: a scalar of the format, or the name of an enum or message. */
  type: string;
  /** Of a map: the type of its key as protobuf names it, else "". */
  key: string;
  isRepeated: boolean;
  /** Nothing is a value of it; members of oneofs are. */
  isOptional: boolean;
  /** Base64 in JSON, although C++ has a string. */
  isBytes: boolean;
  cppType: string;
  /** Text after the name: " = 0", "{}" or "". */
  initializer: string;
  protoType: string;
  /** "repeated ", "optional " or "". */
  protoLabel: string;
  /** Elements of a fixed array; 0 when it is none. */
  length: number;
  isMap: boolean;
  /** Each of its elements has a key of its own on the wire, where protobuf would pack them. */
  isUnpacked: boolean;
  /** Template arguments of the codec's functions, "" as usual. */
  codecArguments: string;
  /** Of a member of a oneof: its name, else "". */
  oneof: string;
  /** Of that: the other members, and those that are drawn behind it. */
  others: string[];
  later: string[];
  /** Its name in the `.proto`, and its oneof's. */
  protoName: string;
  protoOneof: string;
  /** Text behind the tag in the `.proto`: ` [packed = false, json_name = "class"]`, or "". */
  protoOptions: string;
}

export interface ServicePlan {
  name: string;
  doc: string;
  node: NodeRef;
  kind: string;
  /** Enumerator of `penstock::Kind`. */
  kindEnumerator: string;
  /** Include path of the skeleton, below generated/. */
  header: string;
  /** Include path of the user's optional state header, below src/. */
  stateHeader: string;
  requestType: string;
  /** `void` when there is none. */
  responseType: string;
  /** What handle() is declared to return. */
  resultType: string;
  isCoroutine: boolean;
  hasImplementations: boolean;
  handlers: HandlerPlan[];
  calls: CallPlan[];
  /** 0 when none was drawn. */
  deadlineMs: number;
  /** Field of the request whose values divide a `single-threaded` service; "" when none does. */
  partitionField: string;
  /** Flows of its bundles with a `service` source: its handlers may push events into them. */
  inlets: { flow: string; eventType: string }[];
  /** Set: a standard node, whose handler is generated. */
  standard: NodePlan | undefined;
}

/** What the templates of a node's package are given. */
export interface NodePlan {
  /** Of the package. */
  type: string;
  /** Its title, for the header's comment. */
  title: string;
  /** Include path of its state, below generated/, where the package has one. */
  stateHeader: string;
  /** It may end an event: it gives back a Verdict or an optional response. */
  mayEnd: boolean;
  /** What it gives has no deadline: it is made of many events. */
  outlivesDeadline: boolean;
  /** Its handler may move from the request. */
  takesRequest: boolean;
  request: NodeMessagePlan;
  /** Undefined without response. */
  response: NodeMessagePlan | undefined;
  /** The response's only enum field, and its repeated field of requests; "" where it has none. */
  enumField: string;
  listField: string;
  /** A value is made from the number of the event. */
  usesSequence: boolean;
  /** Something in the settings, or a field that is copied, needs the request. */
  usesRequest: boolean;
  callee: { name: string; requestType: string; responseType: string } | undefined;
  /** Variables that the binary needs in its environment. */
  environment: string[];
  /** By key, every setting of the manifest; null where it has neither value nor default. */
  settings: Record<string, NodeSettingPlan>;
}

export interface NodeMessagePlan {
  name: string;
  /** `::shop::Order` */
  type: string;
  fields: NodeFieldPlan[];
  /** Those that are columns of a database. */
  columns: NodeFieldPlan[];
  /** Of a response: those that the request has, too, and that no setting says how to make. */
  copied: NodeFieldPlan[];
}

export interface NodeFieldPlan {
  name: string;
  /** Of the format: a scalar, an enum or a message. */
  type: string;
  cppType: string;
  isRepeated: boolean;
  isOptional: boolean;
  isArray: boolean;
  isEnum: boolean;
  isMessage: boolean;
  isString: boolean;
  isBytes: boolean;
  isNumber: boolean;
  isBool: boolean;
  /** Moving it is cheaper than copying it. */
  isMovable: boolean;
  /** A column of a database can hold it: one value, or none. */
  isColumn: boolean;
  /** Of a message: its fields that are columns. */
  columns: NodeFieldPlan[];
}
/** A statement of a database: `?` where the fields are bound. */
export interface SqlPlan {
  sql: string;
  parameters: NodeFieldPlan[];
}

/** A C++ expression of the user's, and where it stands: `services/Big/node/settings/condition`. */
export interface ExpressionPlan {
  expression: string;
  place: string;
}
/** A value of the enum of a response. */
export interface EnumValuePlan {
  name: string;
  /** `::shop::Lane::EXPRESS` */
  value: string;
}
/** How the value of a field is made. */
export interface GeneratorPlan {
  field: NodeFieldPlan;
  way:
    | { kind: "uniform"; least: number; greatest: number }
    | { kind: "choice"; values: (string | number | boolean)[] }
    | { kind: "sequence"; start: number }
    | { kind: "expression"; expression: ExpressionPlan };
}
export interface TextPiecePlan {
  literal: string;
  /** Null: a literal. */
  field: NodeFieldPlan | null;
}
export interface NodeMapEntryPlan {
  key: string;
  /** The field that the key names, where keys name fields. */
  field: NodeFieldPlan | null;
  value: NodeSettingPlan;
}
export type NodeSettingPlan =
  | string
  | number
  | boolean
  | null
  | ExpressionPlan
  | NodeFieldPlan
  | EnumValuePlan
  | GeneratorPlan
  | SqlPlan
  | TextPiecePlan[]
  | NodeMapEntryPlan[]
  | NodeSettingPlan[]
  | { [key: string]: NodeSettingPlan };

export interface HandlerPlan {
  /** Last part of the class name. */
  className: string;
  /** Below the project's namespace: `GetAd`, `ProduceAd::ModelA`. */
  cppName: string;
  /** For messages to people: `GetAd`, `ProduceAd/ModelA`. */
  label: string;
  /** "" when the service has one handler. */
  implementation: string;
  source: string;
  /** Types as the user's file spells them: short where that is unambiguous. */
  userRequestType: string;
  userResponseType: string;
  userResultType: string;
  /** Its file says `handle(Ad&)`: so does its declaration. */
  changesRequest: boolean;
  start: StartPlan;
}

/** What the handler does before its user has written it: it asks whom it was drawn to ask. */
export interface StartPlan {
  /**
   * In C++, in the order of the drawing, the one whose answer is given back last. `declares`: the request that
   * the user is to fill; "" where it is the handler's own.
   */
  asks: { declares: string; call: string }[];
  /** The last of them makes the handler's answer; otherwise it says that it is not written. */
  answers: boolean;
}

export interface CallPlan {
  callee: string;
  requestType: string;
  responseType: string;
}

export interface FlowPlan {
  name: string;
  doc: string;
  node: NodeRef;
  header: string;
  stateHeader: string;
  source: string;
  eventType: string;
  userEventType: string;
  /** As the configuration says it. */
  setting: SourceSetting;
  /** A class makes the events: there is a header, and a source file, the user's unless they are `made`. */
  isGenerated: boolean;
  /** The class of a project's own source, and what main() includes for it. */
  own: { type: string; header: string; source: string } | undefined;
  /** How the fields of its events are made by settings; undefined: by the user's code. */
  made: GeneratorPlan[] | undefined;
  stages: StagePlan[];
  compositions: CompositionPlan[];
}

/** Stages that follow each other on one thread, which main() makes one function of. */
export interface CompositionPlan {
  /** Id of the first one. */
  first: string;
  /** `::penstock::Map<::ads::Decode>`, one a stage. */
  stages: string[];
}

/** A source as the configuration of a binary has it, key for key. */
export interface SourceSetting {
  kind: string;
  [key: string]: unknown;
}

/** A source of the project's own: the class that the user has written, and the header of its settings. */
export interface OwnSourcePlan {
  kind: string;
  title: string;
  doc: string;
  /** Below the project's namespace: `sources::tick_tock`. */
  space: string;
  /** Below generated/: `sources/tick_tock.hpp`. */
  header: string;
  /** Below the project's folder: `sources/tick-tock/source.hpp`. */
  source: string;
  /** In the order of its manifest. */
  settings: SourceSettingPlan[];
}

/** A member of the settings of a project's own source. */
export interface SourceSettingPlan {
  name: string;
  doc: string;
  type: "text" | "integer" | "number" | "flag" | "choice" | "rate";
  isRequired: boolean;
  /** What it is where nothing is drawn; undefined: then there is none. */
  standard: string | number | boolean | undefined;
  /** Of a number. */
  low: number | undefined;
  high: number | undefined;
  /** Of a text, in UTF-16 code units. */
  shortest: number;
  longest: number;
  /** What a number counts. */
  unit: string;
  choices: string[];
}

export interface StagePlan {
  id: string;
  service: string;
  role: string;
  /** Method of the flow builder in main(): map, side_effect, catch_failure. */
  builderMethod: string;
  /** `::ads::GetAd`, or one for each implementation. */
  handlerTypes: string[];
  /** Ids of the stages it follows; empty: the one before it in the list, or the source. */
  after: string[];
  /** The field that decides whether its branch is taken (`::ads::Priced::tier`), and for which values. */
  when: { member: string; values: string[] } | undefined;
}

export interface BinaryPlan {
  name: string;
  doc: string;
  node: NodeRef;
  /** `generated/binaries/ads_server.cpp` */
  source: string;
  /** `generated/config/ads-server.json` */
  config: string;
  /** What says in OpenAPI how its exposed services are asked, and the same in C++; undefined: there are none. */
  openApi: { document: string; source: string } | undefined;
  services: ServicePlan[];
  /** Where these are many: the files that register them, all of them and their calls. */
  parts: PartPlan[];
  /** Services that others run and services of this one call, or its flows have as stages, in the order of the drawing. */
  remotes: RemotePlan[];
  /** Services of this one that others call. */
  offers: OfferPlan[];
  /** Its services that are asked over HTTP, one a route. */
  exposed: ExposedPlan[];
  /** It calls others, or is called by them, beyond its host. */
  isSecured: boolean;
  /** Its HTTP address speaks TLS. */
  isHttps: boolean;
  /** Who asks there shows a token. */
  asksForToken: boolean;
  /** Calls whose caller runs here, to its services and remotes; one for each handler of the caller. */
  calls: { caller: string; callerType: string; callee: string }[];
  /** Flows into which a handler that runs here may push; one for each handler. */
  inlets: { service: string; handlerType: string; flow: string }[];
  flows: FlowPlan[];
  /** What main() names: skeletons, flow headers, and those of messages where calls leave or enter the process; sorted. */
  includes: string[];
  configuration: BinaryConfiguration;
  /** Port of `control` (0 = any); compose and k8s publish a fixed one only. */
  controlPort: number;
}

/** Some of a binary's services, and the calls that they make, registered in a file of their own. */
export interface PartPlan {
  /** Of what its functions are named after: `1_of_ads_server`. */
  name: string;
  /** `generated/binaries/ads_server/services_1.cpp` */
  source: string;
  services: ServicePlan[];
  calls: BinaryPlan["calls"];
}

/** What others call of a binary: its name on the wire is that of a bundle that it is in, and its own. */
export interface OfferPlan {
  service: ServicePlan;
  /** `Bundle/Service` */
  wireName: string;
  /** The stages that it is in flows of others. */
  stages: OutletPlan[];
  /** The binaries that do, in the order of the drawing. */
  callers: string[];
  /** C++ literals of what docs/wire.md calls the schemas. */
  requestSchema: string;
  answerSchema: string;
}
/** A stage whose service another binary runs than its flow. */
export interface OutletPlan {
  /** Its name on the wire, and that of a join's own threads: `Flow.stage` */
  name: string;
  role: StageRole;
  /** C++ literal of the schema of its answers, which say what became of the event. */
  answerSchema: string;
  /** Where it runs, over there; undefined: where its service is placed. */
  join: JoinConfiguration | undefined;
}

/** A route of a service that is asked over HTTP. */
export interface ExposedPlan {
  service: ServicePlan;
  /** `ads.AdBundle/GetAd`: what follows the prefix. */
  route: string;
  bundle: { name: string; doc: string };
  /** Its messages as drawn; the response "" when there is none. */
  request: string;
  response: string;
}

export interface RemotePlan extends Omit<OfferPlan, "callers"> {
  /** The binary that runs it for this one. */
  binary: string;
  /** A call that may have been run is sent again. */
  isIdempotent: boolean;
}

/** `generated/config/<binary>.json`, key for key. */
export interface BinaryConfiguration {
  penstock: 1;
  binary: string;
  topologyHash: string;
  control: string;
  /** An address of this machine as it is, or what was decided. */
  http?: string | Pick<HttpDoor, "address" | "auth" | "tls">;
  /** Of the services that are asked there. */
  expose?: { prefix: string; origins?: string[] };
  /** Where others reach it; none: where they look for it on their host. */
  listen?: string[];
  /** The NATS server that it is announced at. */
  announce?: string;
  /** By the name of a binary that it calls, where that one listens, or who says so: `tls+file:PATH`, `tls+nats://HOST:PORT`. */
  peers?: Record<string, string>;
  /** The same of each other binary, which its own code may resolve. */
  others?: Record<string, string>;
  /** By the name of a service that others may call, who they are; of one that is left out: all of the project. */
  callers?: Record<string, string[]>;
  sampling: number;
  watchdogMs?: number;
  liveness?: Liveness;
  pools: {
    name: string;
    threads: { cpus?: number[] }[];
    /** Threads come and go, between those above and so many. */
    upTo?: number;
    idle: string;
    priority: number;
    queue: number;
    overflow: string;
  }[];
  services: Record<string, ServiceConfiguration>;
  flows: Record<string, { source: SourceSetting; joins: Record<string, JoinConfiguration> }>;
  /** By `Flow.stage`, of stages of other binaries' flows that run here. */
  joins?: Record<string, JoinConfiguration>;
  rules?: {
    of: string;
    below: RuleSideConfiguration;
    above: RuleSideConfiguration;
    forSeconds: number;
  }[];
}
/** A threshold, and the preset beyond it with all that it says. */
export interface RuleSideConfiguration {
  perSecond: number;
  preset: string;
  pools: { name: string; threads: { cpus?: number[] }[] }[];
  joins: { flow: string; stage: string; join?: JoinConfiguration }[];
}
/** A pool by its name, or threads of the join's own. */
export type JoinConfiguration = string | { threads: number | "cached"; queue: number; overflow: string };
export interface ServiceConfiguration {
  pool: string;
  thread?: number;
  deadlineMs?: number;
  weights?: Record<string, number>;
}

/** A file of the user's that belongs to something drawn. */
export interface SourcePlan {
  path: string;
  node: NodeRef;
  /** "" unless the service has several. */
  implementation: string;
  role: "handler" | "state" | "test" | "bench";
}
