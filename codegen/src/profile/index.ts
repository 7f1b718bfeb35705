export { keepFlameGraph, profileBinary } from "./profileBinary.js";
export { NotRecorded } from "./perfFailure.js";
