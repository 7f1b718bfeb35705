import { DEFAULT_PREFIX, httpOf, type Binary } from "@penstock/codegen/topology";
import { changeBinary } from "../../../kernel/document/edits/binaries.js";
import { withHttp } from "../../../kernel/document/edits/expose.js";
import { edit } from "../../../kernel/document/index.js";
import { TextField } from "../../../kernel/fields/Properties.js";

/** Where a binary takes HTTP, and what the routes of its exposed services begin with. */
export function HttpFields({ binary }: { binary: Binary }) {
  const http = httpOf(binary);
  const set = (label: string, change: Parameters<typeof withHttp>[1]) =>
    edit(label, (model) => changeBinary(model, binary.name, (item) => withHttp(item, change)));
  return (
    <>
      <TextField
        label="HTTP"
        value={http?.address ?? ""}
        placeholder="none"
        onCommit={(text) => set("Set HTTP", { address: text.trim() })}
      />
      {http !== undefined && (binary.expose ?? []).length > 0 ? (
        <TextField
          label="Prefix of routes"
          value={http.prefix ?? DEFAULT_PREFIX}
          placeholder="none"
          onCommit={(text) =>
            set("Set prefix", { prefix: text.trim() === DEFAULT_PREFIX ? undefined : text.trim() })
          }
        />
      ) : null}
    </>
  );
}
