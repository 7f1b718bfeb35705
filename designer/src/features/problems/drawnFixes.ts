import { ANY_PORT } from "@penstock/codegen/rename";
import { httpOf, type PresetRule, type Topology } from "@penstock/codegen/topology";
import type { Fix } from "@penstock/codegen/validate";
import type { FixSource, QuickFix } from "../../registry/feature.js";
import { edit, patched, reveal, type DocumentModel } from "../../kernel/document/index.js";
import { changeBinary, changePool, withRules } from "../../kernel/document/edits/binaries.js";
import {
  addBundle,
  bundleRef,
  changeBundle,
  freshBundleName,
  moveToBundle,
} from "../../kernel/document/edits/bundles.js";
import { expose, withHttp } from "../../kernel/document/edits/expose.js";
import { addMessage, freshMessageName } from "../../kernel/document/edits/messages.js";
import { rename } from "../../kernel/document/edits/rename.js";
import { patchService } from "../../kernel/document/edits/services.js";
import { appendStage, patchFlow, removeFlow } from "../../kernel/document/edits/flows.js";
import { loadedChecks } from "../../kernel/problems/checks.js";
import { addServiceAfter } from "../../drawing/edits/add.js";
import { addBinaryFor } from "../../drawing/edits/group.js";

/** What can be drawn otherwise to make a problem go away, as its rule knows. */
export const drawnFixes: FixSource = (problem, topology) =>
  (loadedChecks()?.fixesOf(problem, topology) ?? []).map((fix) => FIXES[fix.does](fix as never, topology));

type Fixes = {
  [D in Fix["does"]]: (fix: Extract<Fix, { does: D }>, topology: Topology) => QuickFix;
};

/** What each is called, and how it is done. */
const FIXES: Fixes = {
  "add to bundle": ({ bundle, members }) => ({
    label: `Add to ${bundle}`,
    perform: () => void edit(`Add to ${bundle}`, (model) => moveToBundle(model, members, bundle)),
  }),
  "bundle everything": (_, topology) => ({
    label: "Make a bundle of everything",
    perform: () => {
      const name = freshBundleName(topology);
      const all = {
        services: topology.services.map((service) => service.name),
        flows: topology.flows.map((flow) => flow.name),
      };
      edit(`Add bundle ${name}`, (model) => addBundle(model, name, all));
    },
  }),
  "use in bundle": ({ bundle, key, name, meant }) => ({
    label: `Use ${meant}`,
    perform: () => void edit(`Use ${meant}`, (model) => withMember(model, bundle, key, name, [meant])),
  }),
  "remove from bundle": ({ bundle, key, name }) => ({
    label: `Remove ${name} from ${bundle}`,
    perform: () => void edit(`Remove ${name}`, (model) => withMember(model, bundle, key, name, [])),
  }),
  "add to binary": ({ binary, bundle }) => ({
    label: `Add to ${binary}`,
    perform: () =>
      void edit(`Serve ${bundle} in ${binary}`, (model) =>
        changeBinary(model, binary, (one) => ({ ...one, bundles: [...one.bundles, bundle] })),
      ),
  }),
  "add binary": ({ bundle }) => ({
    label: "Add binary for this bundle",
    perform: () => void addBinaryFor(bundle),
  }),
  "use message": ({ service, key, message }) => ({
    label: `Use ${message}`,
    perform: () => void edit(`Set ${key}`, (model) => patchService(model, service, { [key]: message })),
  }),
  "make message": ({ service, key, message }, topology) => {
    const name = message ?? freshMessageName(topology, key);
    return {
      label: `New message ${name}`,
      perform: () => {
        edit(`Add message ${name}`, (model) =>
          patchService(addMessage(model, name), service, { [key]: name }),
        );
        reveal(`message:${name}`);
      },
    };
  },
  "use event": ({ flow, message }) => ({
    label: `Use ${message}`,
    perform: () => void edit("Set event", (model) => patchFlow(model, flow, { event: message })),
  }),
  "append stage": ({ flow, service, role }) => ({
    label: `Lead it into ${service}`,
    perform: () =>
      void edit(`Add ${service} to ${flow}`, (model) => appendStage(model, flow, service, undefined, role)),
  }),
  "new stage": ({ flow }) => ({
    label: "Add a service",
    perform: () => void addServiceAfter(flow),
  }),
  "remove flow": ({ flow }) => ({
    label: "Remove the flow",
    perform: () => void edit(`Remove ${flow}`, (model) => removeFlow(model, flow)),
  }),
  "take http": ({ binary }) => ({
    label: "Take HTTP at any port",
    perform: () =>
      void edit("Set HTTP", (model) =>
        changeBinary(model, binary, (one) => withHttp(one, { address: ANY_PORT })),
      ),
  }),
  "secure http": ({ binary }) => ({
    label: "Ask for a token, over TLS",
    perform: () =>
      void edit("Secure HTTP", (model) =>
        changeBinary(model, binary, (one) => {
          const { tls = "off" } = httpOf(one) ?? {};
          return withHttp(one, { auth: "bearer", tls: tls === "off" ? "keys" : tls });
        }),
      ),
  }),
  "stop exposing": ({ binary, service }) => ({
    label: `Do not expose ${service}`,
    perform: () => void edit(`Do not expose ${service}`, (model) => expose(model, binary, service, false)),
  }),
  "rename bundle": ({ bundle, name }) => ({
    label: `Rename to ${name}`,
    perform: () => void rename(bundleRef(bundle), name),
  }),
  "remove placement": ({ binary, service }) => ({
    label: "Remove the placement",
    perform: () =>
      void edit(`Remove the placement of ${service}`, (model) =>
        changeBinary(model, binary, (one) => ({
          ...one,
          placement: Object.fromEntries(Object.entries(one.placement).filter(([name]) => name !== service)),
        })),
      ),
  }),
  "remove steal": ({ binary, pool }) => ({
    label: "Remove steal",
    perform: () =>
      void edit("Remove steal", (model) =>
        changePool(model, binary, pool, (one) => patched(one, { steal: undefined })),
      ),
  }),
  "remove rule": ({ binary, at }) => ({
    label: "Remove the rule",
    perform: () =>
      void edit("Remove rule", (model) =>
        changeBinary(model, binary, (one) =>
          withRules(
            one,
            one.rules?.filter((_, inner) => inner !== at),
          ),
        ),
      ),
  }),
  "exchange thresholds": ({ binary, at }) => ({
    label: "Exchange the thresholds",
    perform: () =>
      void edit("Exchange thresholds", (model) =>
        changeBinary(model, binary, (one) =>
          withRules(
            one,
            one.rules?.map((rule, inner) => (inner === at ? exchanged(rule) : rule)),
          ),
        ),
      ),
  }),
};

const exchanged = ({ below, above, ...rest }: PresetRule): PresetRule => ({
  ...rest,
  below: { ...below, perSecond: above.perSecond },
  above: { ...above, perSecond: below.perSecond },
});

/** With others in the place of a bundle's member. */
function withMember(
  model: DocumentModel,
  bundle: string,
  key: "services" | "flows",
  name: string,
  others: string[],
): DocumentModel {
  const members = model.topology.bundles.find((one) => one.name === bundle)?.[key] ?? [];
  const next = members.flatMap((member) => (member === name ? others : [member]));
  return changeBundle(model, bundle, { [key]: next });
}
