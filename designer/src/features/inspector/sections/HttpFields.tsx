import { DEFAULT_PREFIX, httpOf, openness, type Binary, type HttpDoor } from "@penstock/codegen/topology";
import { changeBinary } from "../../../kernel/document/edits/binaries.js";
import { withHttp, type HttpChange } from "../../../kernel/document/edits/expose.js";
import { edit } from "../../../kernel/document/index.js";
import { ChoiceField, TextField, WordsField } from "../../../kernel/fields/Properties.js";
import { suchAs } from "../../../kernel/ui/index.js";

/** The choice of a key that is not drawn. */
const UNSAID = "unsaid";

const AUTH = [
  { value: "bearer", label: "Who has a token" },
  { value: "none", label: "Everybody" },
] as const;
const TLS = [
  { value: "keys", label: "TLS, penstock keys" },
  { value: "files", label: "TLS, own certificate" },
  { value: "off", label: "Nothing" },
] as const;
/** What a certificate is called at first, as Kubernetes does. */
const FILES = { cert: "tls.crt", key: "tls.key" };

/**
 * Where a binary takes HTTP, who may ask there, what secures it, what the routes of its exposed services begin with, and which
 * web pages may ask them.
 */
export function HttpFields({ binary }: { binary: Binary }) {
  const http = httpOf(binary);
  const exposes = (binary.expose ?? []).length > 0;
  const set = (label: string, change: HttpChange) =>
    edit(label, (model) => changeBinary(model, binary.name, (item) => withHttp(item, change)));
  return (
    <>
      <TextField
        label="HTTP"
        value={http?.address ?? ""}
        placeholder="none"
        onCommit={(text) => set("Set HTTP", { address: text.trim() })}
      />
      {http === undefined ? null : <Access http={http} set={set} />}
      {http !== undefined && exposes ? (
        <TextField
          label="Prefix of routes"
          value={http.prefix ?? DEFAULT_PREFIX}
          placeholder="none"
          onCommit={(text) =>
            set("Set prefix", { prefix: text.trim() === DEFAULT_PREFIX ? undefined : text.trim() })
          }
        />
      ) : null}
      {http !== undefined && (exposes || http.origins !== undefined) ? (
        <WordsField
          label="Allowed origins"
          words={http.origins ?? []}
          placeholder={suchAs("https://shop.example")}
          onCommit={(origins) => set("Set origins", { origins: origins.length > 0 ? origins : undefined })}
        />
      ) : null}
    </>
  );
}

/** What is not drawn is no choice any more once something is. */
const unsaid = (value: string | undefined) =>
  value === undefined ? [{ value: UNSAID, label: "Not set" } as const] : [];

function Access({ http, set }: { http: HttpDoor; set: (label: string, change: HttpChange) => void }) {
  const { auth, tls, hosts, accepted } = http;
  const security = typeof tls === "object" ? "files" : tls;
  const files = typeof tls === "object" ? tls : undefined;
  const setFile = (key: keyof typeof FILES, text: string) =>
    set("Set certificate", { tls: { ...FILES, ...files, [key]: text.trim() } });
  return (
    <>
      <ChoiceField
        label="Who may ask"
        value={auth ?? UNSAID}
        options={[...unsaid(auth), ...AUTH]}
        onChange={(value) => (value === UNSAID ? undefined : set("Set who may ask", { auth: value }))}
      />
      <ChoiceField
        label="Secured by"
        value={security ?? UNSAID}
        options={[...unsaid(security), ...TLS]}
        onChange={(value) =>
          value === UNSAID ? undefined : set("Set TLS", { tls: value === "files" ? FILES : value })
        }
      />
      {tls === "keys" || hosts !== undefined ? (
        <WordsField
          label="Known as"
          words={hosts ?? []}
          placeholder={suchAs("api.shop.example")}
          onCommit={(words) => set("Set hosts", { hosts: words.length > 0 ? words : undefined })}
        />
      ) : null}
      {files === undefined ? null : (
        <>
          <TextField label="Certificate" value={files.cert} onCommit={(text) => setFile("cert", text)} />
          <TextField label="Its key" value={files.key} onCommit={(text) => setFile("key", text)} />
        </>
      )}
      {auth !== undefined && tls !== undefined && openness(http).length > 0 ? (
        <TextField
          label="Open because"
          value={accepted ?? ""}
          placeholder={suchAs("behind an ingress")}
          onCommit={(text) => set("Accept open HTTP", { accepted: text.trim() || undefined })}
        />
      ) : null}
      {auth === "bearer" ? (
        <p className="hint">
          The token is PENSTOCK_HTTP_TOKEN, or each line of the file that PENSTOCK_HTTP_TOKEN_FILE names: in
          the environment in which the binary or Penstock is started.
        </p>
      ) : null}
    </>
  );
}
