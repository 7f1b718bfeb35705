import { shellWord } from "@penstock/codegen/text";
import {
  asksForToken,
  httpOf,
  isHttps,
  isLoopback,
  routesOf,
  type HttpDoor,
} from "@penstock/codegen/topology";
import { Copy } from "lucide-react";
import { useDocument } from "../../kernel/document/index.js";
import { urlAt, useOpenServices } from "../../kernel/run/openDoors.js";
import { copyLine, IconButton } from "../../kernel/ui/index.js";

/** It speaks TLS by the keys of `penstock keys`. */
const hasOwnKeys = (url: string, { tls }: Partial<HttpDoor>): boolean =>
  url.startsWith("https:") && typeof tls !== "object";

/** A call of it that a terminal makes, in the folder of the project. */
function curlLine(url: string, request: string, http: Partial<HttpDoor>): string {
  const words = (...all: string[]) => all.map(shellWord);
  return [
    "curl",
    ...(hasOwnKeys(url, http) ? words("--cacert", "keys/ca.crt") : []),
    ...(asksForToken(http) ? [`-H "Authorization: Bearer $PENSTOCK_HTTP_TOKEN"`] : []),
    ...words("-H", "Content-Type: application/json", "--data-raw", request, url),
  ].join(" ");
}

/** Of an exposed service: its page in each process that runs, and the request of the form as other programs send it. */
export function TryOverHttp({ service, request }: { service: string; request: string }) {
  const topology = useDocument((state) => state.topology);
  const ways = topology.binaries.flatMap((binary) => {
    const path = routesOf(topology, binary).find((route) => route.service === service)?.path;
    return path === undefined ? [] : [{ binary, path }];
  });
  const open = useOpenServices().filter((one) => one.service === service);
  if (ways.length === 0) return null;
  const drawn = ways.flatMap(({ binary, path }) => {
    const { address = "", tls } = httpOf(binary) ?? {};
    return /:0$|^$/.test(address) ? [] : [{ binary, door: urlAt(address, isHttps({ tls })), path }];
  });
  const at = open[0] ?? drawn[0];
  const line = at && curlLine(`${at.door}${at.path}`, request, httpOf(at.binary) ?? {});
  // Other machines are given the document alone (docs/http.md).
  const pages = open.filter(({ binary }) => isLoopback(httpOf(binary)?.address ?? ""));
  const shown = pages.filter(({ binary, door }) => !hasOwnKeys(door, httpOf(binary) ?? {}));
  return (
    <div className="try-http">
      {shown.map(({ name, door, path }) => (
        <a key={name} href={`${door}/#${path}`} target="_blank" rel="noreferrer">
          {shown.length > 1 ? `Open the page of this service in ${name}` : "Open the page of this service"}
        </a>
      ))}
      {shown.length < pages.length ? (
        <span className="hint">Browsers do not take its keys (Ed25519): ask it by this line.</span>
      ) : null}
      {line === undefined ? (
        <span className="hint">Its page and address are there while it runs.</span>
      ) : (
        <div className="try-curl">
          <code className="mono" title={line}>
            {line}
          </code>
          <IconButton
            label="Copy the command that asks it"
            size="sm"
            icon={<Copy size={14} strokeWidth={1.75} />}
            onClick={() => void copyLine(line, "Copied: paste it into a terminal")}
          />
        </div>
      )}
    </div>
  );
}
