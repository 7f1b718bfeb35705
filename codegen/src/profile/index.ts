export { keepFlameGraph } from "./keepProfile.js";
export { NotRecorded } from "./perfFailure.js";
export { profileBinary } from "./profileBinary.js";
