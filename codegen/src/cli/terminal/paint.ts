/** Colours a text for a terminal; the plain text elsewhere. */
export interface Paint {
  bold(text: string): string;
  dim(text: string): string;
  red(text: string): string;
  yellow(text: string): string;
  green(text: string): string;
}

const wrap = (open: number, close: number) => (text: string) => `\u001b[${open}m${text}\u001b[${close}m`;
const plain = (text: string): string => text;

const COLOURED: Paint = {
  bold: wrap(1, 22),
  dim: wrap(2, 22),
  red: wrap(31, 39),
  yellow: wrap(33, 39),
  green: wrap(32, 39),
};
export const PLAIN: Paint = { bold: plain, dim: plain, red: plain, yellow: plain, green: plain };

/** `NO_COLOR` with any value (no-color.org) and a stream that is no terminal switch colour off. */
export const paintFor = (terminal: boolean, env: NodeJS.ProcessEnv): Paint =>
  terminal && (env["NO_COLOR"] ?? "") === "" && env["TERM"] !== "dumb" ? COLOURED : PLAIN;
