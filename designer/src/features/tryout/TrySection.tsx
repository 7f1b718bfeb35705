import type { Message, Service } from "@penstock/codegen/topology";
import { Send } from "lucide-react";
import { useEffect, useRef, useState } from "react";
import { binariesOf } from "../../kernel/document/edits/binaries.js";
import { useDocument } from "../../kernel/document/index.js";
import { drawnName } from "../../kernel/live/liveStore.js";
import { drawnHash, useDrawnState } from "../../kernel/run/runState.js";
import { isRunning, useProject } from "../../kernel/server/projectStore.js";
import { Button, Field, Input, Section, Select, TextArea } from "../../kernel/ui/index.js";
import { TryOutcome } from "./TryOutcome.js";
import { TryOverHttp } from "./TryOverHttp.js";
import { formOf, fromRequest, requestMessage, toRequest, type FieldForm, type Typed } from "./requestForm.js";
import { loadTried, showEarlier, tryService, tryShown, typeIn, useTried, useWanted } from "./tryStore.js";
import "./tryout.css";

/** Asks a service of the running binary once: a form of its request, its answer, and what was asked before. */
export function TrySection({ service }: { service: Service }) {
  const topology = useDocument((state) => state.topology);
  const message = requestMessage(topology, service.request);
  useEffect(() => void loadTried(), []);
  if (!message) return null;
  return (
    <Section title="Try">
      <TryForm key={service.name} service={service.name} message={message} />
    </Section>
  );
}

function TryForm({ service, message }: { service: string; message: Message }) {
  const topology = useDocument((state) => state.topology);
  const binaries = useProject((state) => state.binaries);
  const { typed, busy, end, earlier } = useTried(service);
  const [fault, setFault] = useState<{ field: string; reason: string } | null>(null);
  const form = useRef<HTMLFormElement>(null);
  const wanted = useWanted() === service;
  useEffect(() => {
    if (!wanted) return;
    form.current?.querySelector<HTMLElement>("input, select, textarea, button")?.focus();
    tryShown();
  }, [wanted]);

  const drawn = useDrawnState();
  const forms = formOf(topology, message);
  const serves = new Set(binariesOf(topology, service).map(({ name }) => name));
  const asked = binaries.find((one) => isRunning(one) && serves.has(drawnName(one.binary)));
  const binary = asked?.binary;
  const isOlder = drawn === "rebuild" && asked?.topologyHash !== drawnHash(topology);
  const send = (): void => {
    if (binary === undefined || busy) return;
    const made = toRequest(forms, typed);
    setFault("field" in made ? made : null);
    if ("request" in made) void tryService(binary, service, made.request);
  };
  return (
    <form
      ref={form}
      className="try-form"
      onSubmit={(event) => {
        event.preventDefault();
        send();
      }}
      onKeyDown={(event) => {
        if (event.key !== "Enter" || !(event.ctrlKey || event.metaKey)) return;
        event.preventDefault();
        send();
      }}
    >
      {forms.map((one) => (
        <Field key={one.name} label={one.name}>
          <TryField
            form={one}
            text={typed[one.name] ?? ""}
            fault={fault?.field === one.name ? fault.reason : undefined}
            onType={(text) => {
              setFault(null);
              typeIn(service, { ...typed, [one.name]: text });
            }}
          />
        </Field>
      ))}
      <div className="try-send">
        <Button
          type="submit"
          size="sm"
          icon={<Send size={13} strokeWidth={1.75} />}
          disabled={binary === undefined || busy}
          title="Ctrl+Enter"
        >
          {busy ? "Asking…" : "Send"}
        </Button>
        <span className="hint">
          {binary === undefined
            ? "Nothing that serves it runs: press Run first."
            : isOlder
              ? `to ${binary} of an earlier drawing: Restart builds this one`
              : `to ${binary}`}
        </span>
      </div>
      <TryOverHttp service={service} request={requestOf(forms, typed)} />
      <TryOutcome end={end} />
      {earlier.length > 0 ? (
        <Select
          label="Ask again"
          placeholder="Ask again…"
          value=""
          mono
          options={earlier.map(({ request }, index) => ({ value: String(index), label: request }))}
          onChange={(index) => {
            const call = earlier[Number(index)];
            if (call) showEarlier(service, fromRequest(forms, call.request), call);
          }}
        />
      ) : null}
    </form>
  );
}

/** What the form holds, as far as it is a request. */
function requestOf(forms: readonly FieldForm[], typed: Typed): string {
  const made = toRequest(forms, typed);
  return "request" in made ? made.request : "{}";
}

interface TryFieldProps {
  form: FieldForm;
  text: string;
  fault: string | undefined;
  onType: (text: string) => void;
}

function TryField({ form, text, fault, onType }: TryFieldProps) {
  if (form.how === "choice") {
    return (
      <Select
        label={form.name}
        value={text}
        options={[
          { value: "", label: `${form.hint}…` },
          ...form.choices.map((value) => ({ value, label: value })),
        ]}
        onChange={onType}
      />
    );
  }
  if (form.how === "json") {
    return (
      <div>
        <TextArea
          className="mono"
          aria-label={form.name}
          aria-invalid={fault !== undefined}
          placeholder={`${form.hint} as JSON`}
          value={text}
          onChange={(event) => onType(event.target.value)}
        />
        {fault === undefined ? null : <div className="input-error">{fault}</div>}
      </div>
    );
  }
  return (
    <Input
      aria-label={form.name}
      placeholder={form.hint}
      mono={form.how === "number"}
      value={text}
      onChange={(event) => onType(event.target.value)}
    />
  );
}
