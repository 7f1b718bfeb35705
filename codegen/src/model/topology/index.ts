export * from "./callText.js";
export * from "./graph/callCycles.js";
export * from "./graph/canConnect.js";
export * from "./graph/decidingFields.js";
export * from "./graph/flowValues.js";
export * from "./graph/indexTopology.js";
export * from "./graph/ruledPresets.js";
export * from "./graph/startOrder.js";
export * from "./graph/wayOfCalls.js";
export * from "./graph/whereRuns.js";
export * from "./layout.js";
export * from "./newProject.js";
export * from "./schema/keyTexts.js";
export * from "./places/locate.js";
export * from "./places/nodeAtPath.js";
export * from "./places/nodeRef.js";
export * from "./protoScope.js";
export * from "./schema/builtIn.js";
export * from "./schema/encodedTypes.js";
export * from "./schema/http.js";
export * from "./schema/jsonSchema.js";
export * from "./schema/limits.js";
export * from "./schema/replicas.js";
export * from "./schema/schema.js";
export * from "./schema/transport.js";
export { madeFields, makesEvents, rateOf, sourceText, type Source } from "./schema/source.js";
export {
  isThreadRange,
  sizedPool,
  threadCount,
  threadFigures,
  threadList,
  threadName,
  timesThreads,
  type Thread,
  type ThreadRange,
  type Threads,
} from "./schema/threads.js";
export * from "./snakeCase.js";
export * from "./text/hash.js";
export * from "./text/parse.js";
export { printTopology } from "./text/print.js";
