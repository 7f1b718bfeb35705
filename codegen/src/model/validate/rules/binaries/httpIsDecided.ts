import { quote, quoteList } from "../../../diagnostics/index.js";
import { httpOf, httpPlace, isLoopback, openness, type Topology } from "../../../topology/index.js";
import { parseHostPort } from "../../rule/address.js";
import type { Fix } from "../../rule/fix.js";
import { rule, type Codes } from "../../rule/rule.js";
import type { BadExample } from "../../testing/badExample.js";

/** The keys of a drawing, each with what the form of a binary calls it. */
const SECURE =
  'Draw `"auth": "bearer"` (in the form Who may ask: Who has a token) and `"tls": "keys"` (Secured by: TLS, penstock keys)';

const CODES = {
  PS645: {
    severity: "error",
    title: "HTTP beyond this machine without a decision",
    explanation:
      "Where other machines can reach the `http` address of a binary, its drawing says who may ask (`auth`: `bearer` or `none`) and what secures it (`tls`: `keys`, a certificate and its key, or `off`).",
    help: `${SECURE}; or use \`127.0.0.1:PORT\`.`,
    fixes: securing,
  },
  PS646: {
    severity: "warning",
    title: "HTTP that other machines ask without a token, or in the clear",
    explanation:
      "With `auth` `none` whoever reaches the address may ask; with `tls` `off` whoever is on the way reads and changes what is said, tokens included. Behind an ingress or proxy that sees to it that may be right.",
    help: `${SECURE}; or say why it is right, in \`accepted\` (in the form Open because).`,
    fixes: securing,
  },
  PS647: {
    severity: "error",
    title: "Certificate or key of the wrong form",
    explanation:
      "`cert` and `key` name files in the folder of keys (`keys/` of the project, or what `PENSTOCK_KEYS` names): letters, digits and `._-`, no dot first, at most 64 characters.",
    help: "Use a name such as `site.crt`; a file that lies elsewhere can be linked there.",
  },
  PS649: {
    severity: "error",
    title: "Host of a certificate of the wrong form",
    explanation:
      "`hosts` lists names (`api.shop.example`) or numbers by which clients know the host of a binary. With `tls` `keys` its certificate is for them.",
    help: "Write the host alone, without scheme, port or path; with a certificate of your own the names are in that one.",
  },
} satisfies Codes;

const FILE = /^[A-Za-z0-9_-][A-Za-z0-9._-]{0,63}$/;

/** One name or number. */
const isHost = (text: string): boolean =>
  !/^[0.:]*$/.test(text) && parseHostPort(text.includes(":") ? `[${text}]:1` : `${text}:1`).ok;

/** What an open address lets others do, in words. */
const OPEN = {
  unasked: "nobody is asked for a token",
  clear: "nothing is secured",
} as const;

/** Where other machines reach a binary over HTTP, it is drawn who may ask and what secures it. */
export const httpIsDecided = rule({
  name: "httpIsDecided",
  codes: CODES,
  check({ topology, report }) {
    for (const [at, binary] of topology.binaries.entries()) {
      const http = httpOf(binary);
      if (http === undefined) continue;
      const place = ["binaries", at, ...httpPlace(binary)];
      const missing = (["auth", "tls"] as const).filter((key) => http[key] === undefined);
      if (typeof http.tls === "object")
        for (const key of ["cert", "key"] as const)
          if (!FILE.test(http.tls[key]))
            report(
              "PS647",
              ["binaries", at, "http", "tls", key],
              `${quote(http.tls[key])} names no file in the folder of keys`,
            );
      for (const [inner, host] of (http.hosts ?? []).entries())
        if (http.tls !== "keys" || !isHost(host))
          report(
            "PS649",
            ["binaries", at, "http", "hosts", inner],
            http.tls === "keys"
              ? `${quote(host)} is no host`
              : `${quote(host)} is for the certificate of \`penstock keys\`, which ${quote(binary.name)} does not show`,
          );
      if (isLoopback(http.address) || !parseHostPort(http.address).ok) continue;
      const subject = `Other machines can reach the binary ${quote(binary.name)} at ${quote(http.address)}`;
      if (missing.length > 0) {
        report("PS645", place, `${subject}, which has no ${quoteList(missing)}`);
        continue;
      }
      const open = openness(http);
      if (open.length > 0 && (http.accepted ?? "").trim() === "")
        report("PS646", place, `${subject}, and ${open.map((one) => OPEN[one]).join(" and ")}`);
    }
  },
});

function securing({ binaries }: Topology, [, at]: readonly string[]): Fix[] {
  const binary = binaries[Number(at)];
  return binary === undefined ? [] : [{ does: "secure http", binary: binary.name }];
}

const withHosts = (tls: "keys" | "off", ...hosts: string[]) =>
  ({ address: "127.0.0.1:0", tls, hosts }) as const;

export const bad: readonly BadExample<keyof typeof CODES>[] = [
  {
    code: "PS649",
    title: "a host with a scheme",
    spoil: ({ binary }) => void (binary.http = withHosts("keys", "api.shop.example", "https://shop.example")),
    pointer: "/binaries/0/http/hosts/1",
  },
  {
    code: "PS649",
    title: "a host of all addresses",
    spoil: ({ binary }) => void (binary.http = withHosts("keys", "0.0.0.0")),
    pointer: "/binaries/0/http/hosts/0",
  },
  {
    code: "PS649",
    title: "a host of a certificate that is not shown",
    spoil: ({ binary }) => void (binary.http = withHosts("off", "api.shop.example")),
    pointer: "/binaries/0/http/hosts/0",
  },
  {
    code: "PS645",
    title: "http beyond this machine as a text",
    spoil: ({ binary }) => void (binary.http = "0.0.0.0:8080"),
    pointer: "/binaries/0/http",
  },
  {
    code: "PS645",
    title: "http beyond this machine of which only one thing is said",
    spoil: ({ binary }) => void (binary.http = { address: "10.0.0.5:8080", auth: "bearer" }),
    pointer: "/binaries/0/http/address",
  },
  {
    code: "PS646",
    title: "http that everybody may ask",
    severity: "warning",
    spoil: ({ binary }) => void (binary.http = { address: "0.0.0.0:8080", auth: "none", tls: "keys" }),
    pointer: "/binaries/0/http/address",
  },
  {
    code: "PS646",
    title: "tokens in the clear, accepted without a reason",
    severity: "warning",
    spoil: ({ binary }) =>
      void (binary.http = { address: "[::]:8080", auth: "bearer", tls: "off", accepted: " " }),
    pointer: "/binaries/0/http/address",
  },
  {
    code: "PS647",
    title: "a certificate outside of the folder of keys",
    spoil: ({ binary }) =>
      void (binary.http = {
        address: "0.0.0.0:8080",
        auth: "bearer",
        tls: { cert: "/etc/ssl/site.crt", key: "site.key" },
      }),
    pointer: "/binaries/0/http/tls/cert",
  },
  {
    code: "PS647",
    title: "a key above the folder of keys",
    spoil: ({ binary }) =>
      void (binary.http = { address: "127.0.0.1:0", tls: { cert: "site.crt", key: "a/../../site.key" } }),
    pointer: "/binaries/0/http/tls/key",
  },
];
