import { LAST_PORT } from "../topology/index.js";
import { textPieces } from "./textPieces.js";

const AUTHORITY = /^(?:\[[0-9A-Fa-f:.]+\]|[A-Za-z0-9._-]+)(?::(\d{1,5}))?$/;

/** Why a URL such as `http://host:8080/orders/{id}` cannot be asked; undefined when it can. */
export function urlFault(text: string): string | undefined {
  const pieces = textPieces(text);
  if (pieces === undefined) return "has a brace without its partner";
  const [first] = pieces;
  const start = first !== undefined && "literal" in first ? first.literal : "";
  const scheme = /^https?:\/\//.exec(start)?.[0];
  if (scheme === undefined) return "does not begin with http:// or https://";
  const rest = start.slice(scheme.length);
  const end = rest.search(/[/?#]/);
  if (end < 0 && pieces.length > 1) return "has a field in its host or port";
  const authority = end < 0 ? rest : rest.slice(0, end);
  if (authority.includes("@")) return "holds a user";
  const match = AUTHORITY.exec(authority);
  if (match === null) return "has no host and port that can be";
  if (match[1] !== undefined && (Number(match[1]) < 1 || Number(match[1]) > LAST_PORT))
    return `has the port ${match[1]}, not 1 to ${LAST_PORT}`;
  const literals = pieces.map((piece) => ("literal" in piece ? piece.literal : "")).join("");
  if (!/^[!-~]*$/.test(literals)) return "has a space or another character that is written as %20";
  if (literals.includes("#")) return "has a #: what follows is never sent";
  return undefined;
}

/** The same of a URL such as `http://host:8080/twirp`, behind which a path is written. */
export function baseUrlFault(text: string): string | undefined {
  const fault = urlFault(text);
  if (fault !== undefined) return fault;
  if (text.includes("?")) return "has a ?: the method is asked at a path behind it";
  return /[{}]/.test(text) ? "has a brace" : undefined;
}

const RPC_METHOD = /^[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)*\/[A-Za-z_]\w*$/;

/** Whether a text is the full name of a method, as `shop.Prices/GetPrice`; a service may have no package. */
export const isRpcMethod = (text: string): boolean => RPC_METHOD.test(text);
