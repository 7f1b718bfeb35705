import { LOAD_RANGES, type LoadSettings, type LoadTarget } from "@penstock/codegen/contract";
import { asksForToken, httpOf } from "@penstock/codegen/topology";
import { useStore } from "zustand";
import { useOpenServices, type OpenService } from "../../kernel/run/openDoors.js";
import { Field, Input, NumberField, Select, type SelectOption, suchAs } from "../../kernel/ui/index.js";
import {
  FIRST_URL,
  flowKey,
  headerFault,
  loadStore,
  setLoadSettings,
  type LoadableFlow,
  type LoadForm as Form,
} from "./loadStore.js";

const METHODS: SelectOption<Form["method"]>[] = (["GET", "POST", "PUT", "PATCH", "DELETE"] as const).map(
  (value) => ({ value, label: value }),
);

function AddressFields({ form, disabled }: { form: Form; disabled: boolean }) {
  return (
    <>
      <div className="load-wide load-address">
        <Select
          label="Method"
          value={form.method}
          options={METHODS}
          disabled={disabled}
          onChange={(method) => loadStore.setState({ method })}
        />
        <Input
          mono
          aria-label="Address"
          value={form.url}
          disabled={disabled}
          onCommit={(url) => loadStore.setState({ url: url.trim() })}
        />
      </div>
      <div className="load-wide">
        <Input
          mono
          aria-label="Body"
          placeholder={`Body, ${suchAs('{"n": {{n}}}')}`}
          value={form.body}
          disabled={disabled || form.method === "GET"}
          onCommit={(body) => loadStore.setState({ body })}
        />
      </div>
      <div className="load-wide">
        <Input
          mono
          aria-label="Header"
          placeholder={`Header, ${suchAs("Accept: text/plain")}`}
          value={form.header}
          error={headerFault(form.header)}
          disabled={disabled}
          onCommit={(header) => loadStore.setState({ header: header.trim() })}
        />
      </div>
    </>
  );
}

const serviceKey = ({ name, service }: OpenService): string => `service/${name}/${service}`;
const addressOf = ({ door, path }: OpenService): string => `${door}${path}`;

const TOKEN_TO_COME = "Authorization: Bearer TOKEN";

/** An exposed service is loaded at its address, with what its callers send; a token goes to the host that it was written for. */
function chooseService(service: OpenService): void {
  const { body, header, url } = loadStore.getState();
  const kept = url.startsWith(`${service.door}/`) || url === FIRST_URL ? header : "";
  const asks = asksForToken(httpOf(service.binary) ?? {});
  loadStore.setState({
    ...{ chosen: "url", method: "POST", url: addressOf(service) },
    body: body === "" ? "{}" : body,
    header: kept === "" && asks ? TOKEN_TO_COME : kept,
  });
}

interface Props {
  flows: readonly LoadableFlow[];
  target: LoadTarget | null;
  /** Of the load that goes on, whoever began it: shown, and not to be changed. */
  running: LoadSettings | null;
  /** Why what is typed into a field is none of the settings; undefined: no more. */
  onFault: (label: string, fault: string | undefined) => void;
}

/** What to load, how the load grows and when it ends. */
export function LoadForm({ flows, target, running, onFault }: Props) {
  const form = useStore(loadStore);
  const settings = running ?? form.settings;
  const disabled = running !== null;
  const services = useOpenServices();
  const several =
    new Set([...flows.map(({ binary }) => binary), ...services.map(({ name }) => name)]).size > 1;
  const atService =
    target?.kind === "url" ? services.find((one) => addressOf(one) === target.url) : undefined;
  const atAddress = atService ? serviceKey(atService) : "url";
  const chosen = target?.kind === "flow" ? flowKey(target) : target === null ? "" : atAddress;
  const number = (
    label: string,
    name: "start" | "step" | "periodS" | "most" | "forS" | "recoveryS",
    unit: string,
  ) => {
    const optional = name === "most" || name === "forS";
    return (
      <Field label={label} key={name}>
        <NumberField
          label={label}
          value={settings[name] ?? undefined}
          {...LOAD_RANGES[name]}
          fractions={unit === "/s"}
          unit={unit}
          required={!optional}
          onFault={(fault) => onFault(label, fault)}
          disabled={disabled}
          placeholder={optional ? "none" : ""}
          onChange={(value) => {
            if (value !== undefined) setLoadSettings({ [name]: value });
            else if (optional) setLoadSettings({ [name]: null });
          }}
        />
      </Field>
    );
  };
  return (
    <div className="load-form" role="group" aria-label="Settings of the load">
      <div className="load-wide">
        <Select
          label="What to load"
          value={chosen}
          disabled={disabled}
          placeholder="Choose a flow"
          options={[
            ...flows.map((flow) => ({
              value: flowKey(flow),
              label: several ? `${flow.flow} (${flow.binary})` : flow.flow,
            })),
            ...services.map((one) => ({
              value: serviceKey(one),
              label: several ? `${one.service} over HTTP (${one.name})` : `${one.service} over HTTP`,
            })),
            { value: "url", label: "An HTTP address" },
          ]}
          onChange={(value) => {
            const service = services.find((one) => serviceKey(one) === value);
            if (service) chooseService(service);
            else if (value === "url" && services.some((one) => addressOf(one) === form.url))
              loadStore.setState({ chosen: value, url: FIRST_URL });
            else loadStore.setState({ chosen: value });
          }}
        />
      </div>
      {target?.kind === "url" ? <AddressFields form={form} disabled={disabled} /> : null}
      {number("Start", "start", "/s")}
      {number("Step", "step", "/s")}
      {number("Every", "periodS", "s")}
      {number("Up to", "most", "/s")}
      {number("End after", "forS", "s")}
      {number("Recovery", "recoveryS", "s")}
      <Field label="Tolerance">
        <NumberField
          label="Tolerance"
          value={Math.round(settings.tolerance * 1000) / 10}
          min={LOAD_RANGES.tolerance.min * 100}
          max={LOAD_RANGES.tolerance.max * 100}
          fractions
          unit="%"
          required
          onFault={(fault) => onFault("Tolerance", fault)}
          disabled={disabled}
          onChange={(percent) => percent !== undefined && setLoadSettings({ tolerance: percent / 100 })}
        />
      </Field>
    </div>
  );
}
