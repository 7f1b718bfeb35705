/** A message or enum of the drawing, by the name that the user's code has for it. */
export interface DrawnType {
  kind: "message" | "enum";
  /** Its name by now. */
  to: string;
  /** Its fields or values by the names that the code has, and by those of now. */
  members: ReadonlyMap<string, string>;
  /** By the names that the code has: of fields that are one message, itself and not by a list or the like, that message. */
  holds: ReadonlyMap<string, string>;
}

/** The names of the drawing as they were, and what has become of them. */
export interface RenamedNames {
  /** The namespace that the code is in. */
  project: string;
  /** Those that are called otherwise, and all others as well. */
  types: ReadonlyMap<string, DrawnType>;
  /** By the names of services and flows that the code has: what `calls.X` and `flows.X` take and answer. */
  calls: ReadonlyMap<string, CallTypes>;
  flows: ReadonlyMap<string, CallTypes>;
  /** All of them were generated, so that the code could name them; otherwise they may be newer than it. */
  isGenerated?: boolean;
}

/** Messages, by the names that the code has; undefined: none of the drawing. */
export interface CallTypes {
  takes: string | undefined;
  answers: string | undefined;
}

/** What a name of the drawing is called now. */
export interface NameNow {
  thing: "message" | "enum" | "value" | "field";
  /** The message or enum that it is in, by its name of now; "" for one itself. */
  of: string;
  to: string;
}

/** A word that may mean what is called otherwise by now, and may mean something else. */
export interface DoubtfulWord {
  word: string;
  /** Of its first letter in the text. */
  offset: number;
  /** Several where it may mean several. */
  meant: readonly NameNow[];
  /** Nothing else of the drawing has a member of that name: to be changed by whoever has looked at it. */
  isLikely: boolean;
}
