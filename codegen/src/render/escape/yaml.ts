/** A double-quoted scalar: JSON's strings are YAML's too, so no text is read as a number, a tag or a key. */
export const yamlString = (text: string): string =>
  JSON.stringify(text).replace(
    /[\u007f-\u009f\u2028\u2029\ufeff]/gu,
    (character) => `\\u${character.codePointAt(0)!.toString(16).padStart(4, "0")}`,
  );
