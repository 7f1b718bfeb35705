/**
 * What stands apart from the code of a C++ text: directives with a file name or condition, comments, string and character
 * literals, and numbers with a quote in them, which begins no literal. One match each; everything between the matches is
 * code. The text may be anybody's, so a look takes the time of its length: what is opened and never closed goes to its end
 * (a string literal's is that of its line), for looking for that from every opening would take the square, and a character
 * literal has at most 16 characters.
 */
export const CPP_PIECES =
  /^[ \t]*#[ \t]*(?:include|if)[^\n]*|\/\/[^\n]*|\/\*[\s\S]*?(?:\*\/|(?![\s\S]))|R"([^()\\\s]{0,16})\([\s\S]*?(?:\)\1"|(?![\s\S]))|"(?:[^"\\\n]+|\\[\s\S])*"?|'(?:\\.|[^'\\\n]){1,16}'|(?<![\w.])\d[\w.]*(?:'[\w.]+)+/gm;

/** The text with everything that is no code blanked out: each character stays where it is. */
export const codeOnly = (text: string): string =>
  text.replace(CPP_PIECES, (piece) => piece.replace(/[^\n]+/g, ({ length }) => " ".repeat(length)));
