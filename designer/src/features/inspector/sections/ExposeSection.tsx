import { routesOf } from "@penstock/codegen/topology";
import { Copy } from "lucide-react";
import { TaggedSection } from "../../../kernel/fields/TaggedSection.js";
import { binariesOf } from "../../../kernel/document/edits/binaries.js";
import { expose } from "../../../kernel/document/edits/expose.js";
import { edit, useDocument } from "../../../kernel/document/index.js";
import { useOpenDoors } from "../../../kernel/run/openDoors.js";
import { Checkbox, copyLine, IconButton } from "../../../kernel/ui/index.js";

/** Which of the binaries that run a service take requests for it over HTTP, and where. */
export function ExposeSection({ service }: { service: string }) {
  const topology = useDocument((state) => state.topology);
  const binaries = binariesOf(topology, service);
  if (binaries.length === 0) return null;
  return (
    <TaggedSection title="Over HTTP" tag="rebuild">
      {binaries.map((binary) => {
        const routes = routesOf(topology, binary).filter((route) => route.service === service);
        return (
          <div key={binary.name}>
            <Checkbox
              label={binaries.length === 1 ? "Expose over HTTP" : `Expose over HTTP in ${binary.name}`}
              checked={binary.expose?.includes(service) === true}
              onChange={(on) =>
                edit(on ? `Expose ${service}` : `Do not expose ${service}`, (model) =>
                  expose(model, binary.name, service, on),
                )
              }
            />
            <Routes binary={binary.name} paths={routes.map(({ path }) => path)} />
          </div>
        );
      })}
    </TaggedSection>
  );
}

/** With the address, while it is known: what a client is given. */
function Routes({ binary, paths }: { binary: string; paths: readonly string[] }) {
  const doors = useOpenDoors(new Set([binary]));
  const places = doors.length === 0 ? [""] : doors.map(({ url }) => url);
  const routes = places.flatMap((place) => paths.map((path) => `${place}${path}`));
  return (
    <ul className="item-list">
      {routes.map((route) => (
        <li key={route} className="item item-call">
          <span className="grow">POST</span>
          <IconButton
            label={`Copy the route ${route}`}
            size="sm"
            icon={<Copy size={14} strokeWidth={1.75} />}
            onClick={() => void copyLine(route, "Copied the route")}
          />
          <code className="call-line mono" title={route}>
            {route}
          </code>
        </li>
      ))}
    </ul>
  );
}
