import type { ConfinedFolder } from "../disk/index.js";
import { isTooLong } from "./codeReader.js";
import { cppTokens, type CppTokens } from "./cppTokens.js";
import { addDeclared, builtIn } from "./declaredInCode.js";
import { generatedAmong, LONGEST_TYPES, TYPES_PATH } from "./generatedTypes.js";
import type { FollowedSources, MovedSource } from "./projectFile.js";
import { renamedInCode } from "./renamedInCode.js";
import type { DoubtfulWord, RenamedNames } from "./renamedNames.js";
import { renamedWords } from "./renamedWords.js";
import { afterChanges, placed, withChanges, type Placed, type WordChange } from "./wordChanges.js";

/** What a file of the user's becomes as it follows the drawing. */
export interface FollowedText {
  text: string;
  /** In the order of the text. */
  changes: WordChange[];
  /** What is left for its author to decide. */
  doubtful: Placed<DoubtfulWord>[];
  /** The same, where it is in the new text. */
  left: Placed<DoubtfulWord>[];
}

/** Words of one file that are doubtful; beyond, it is not about this drawing. */
const MOST_DOUBTFUL = 1_000;

/** Follows what was renamed in the user's files, whose texts are all known first: what one of them declares, others may mean. */
export class DrawingFollower {
  readonly #names: RenamedNames | undefined;
  readonly #tokens = new Map<string, CppTokens>();
  readonly #declared = builtIn();

  /**
   * @param folder of the project, as the last generation left it
   * @param textOf a file as it is, by its old place and its new one; undefined where there is none
   */
  constructor(
    folder: ConfinedFolder,
    { moved, names }: FollowedSources,
    textOf: (oldPath: string, path: string) => string | undefined,
  ) {
    if (names === undefined) return;
    const header = folder.readIfPlain(TYPES_PATH, LONGEST_TYPES);
    this.#names = header === undefined ? names : generatedAmong(names, header);
    for (const { oldPath, path } of moved) {
      const text = textOf(oldPath, path);
      if (text === undefined || !isCode(text)) continue;
      const tokens = cppTokens(text);
      this.#tokens.set(text, tokens);
      addDeclared(tokens, this.#names, this.#declared);
    }
  }

  /** Nothing changes in what is not UTF-8, or too long for code: it can only be moved as it is. */
  follow(text: string, { words, headers }: Pick<MovedSource, "words" | "headers">): FollowedText {
    if (!isCode(text)) return { text, changes: [], doubtful: [], left: [] };
    const inCode =
      this.#names === undefined
        ? { changes: [], doubtful: [] }
        : renamedInCode(this.#tokens.get(text) ?? cppTokens(text), this.#names, this.#declared);
    let end = 0;
    const changes = [...inCode.changes, ...renamedWords(text, words, headers)]
      .sort((a, b) => a.offset - b.offset)
      .filter(({ offset, word }) => {
        if (offset < end) return false;
        end = offset + word.length;
        return true;
      });
    const after = withChanges(text, changes);
    const doubtful = inCode.doubtful.slice(0, MOST_DOUBTFUL);
    const left = placed(after, afterChanges(doubtful, changes));
    return { text: after, changes, doubtful: placed(text, doubtful), left };
  }
}

const isCode = (text: string): boolean => !isTooLong(text.length) && !text.includes("\ufffd");
