import { partitionFields, type Service, type Topology } from "@penstock/codegen/topology";
import type { SelectOption } from "../../../kernel/ui/index.js";

/** The choice that stands for no field: no field's name begins like this. */
export const UNDIVIDED = "+none";

/** By what a single-threaded service may be divided; a field that no longer suits stays to be seen. */
export function partitionOptions(topology: Topology, service: Service): SelectOption[] {
  const fields = partitionFields(topology, service.request);
  const chosen = service.partitionBy;
  const options: SelectOption[] = [{ value: UNDIVIDED, label: "Not: one at a time" }];
  if (chosen !== undefined && !fields.includes(chosen))
    options.push({ value: chosen, label: `${chosen} (not possible)` });
  for (const name of fields) options.push({ value: name, label: name });
  return options;
}
