export { ConfinedFolder } from "./confinedFolder.js";
export { contentHash } from "./contentHash.js";
export {
  changeTogether,
  decideChanges,
  finishChanges,
  type DecidedChanges,
  type FileChange,
} from "./fileChanges.js";
export { KeyedMutex } from "./keyedMutex.js";
export { holderOf, LockedError, takeLock, takeLockWithin, type Lock } from "./lockFile.js";
export {
  isPlainRelative,
  OutsideError,
  readPlain,
  replaceFile,
  replacePlain,
  TooLargeError,
} from "./plainFile.js";
export { readSmall } from "./readSmall.js";
export { refusalOf, unlessRefused, WriteRefusal } from "./refusal.js";
export { watchFolder } from "./watchFolder.js";
