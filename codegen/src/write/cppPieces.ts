/**
 * What stands apart from the code of a C++ text: directives with a file name or condition, comments, and string
 * and character literals. One match each; everything between the matches is code. What is
 * opened and never closed goes to the end: looking for that from every opening would take the square of the length.
 */
export const CPP_PIECES =
  /^[ \t]*#[ \t]*(?:include|if)[^\n]*|\/\/[^\n]*|\/\*[\s\S]*?(?:\*\/|(?![\s\S]))|R"([^()\\\s]{0,16})\([\s\S]*?(?:\)\1"|(?![\s\S]))|"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])+'/gm;

/** The text with everything that is no code blanked out: each character stays where it is. */
export const codeOnly = (text: string): string =>
  text.replace(CPP_PIECES, (piece) => piece.replace(/[^\n]/g, " "));
