import type { NodePorts, SettingSchema } from "@penstock/codegen/manifests";

/** What shows a setting, and each part of one, is given. */
export interface SettingProps {
  /** What it is called; also read out. */
  title: string;
  schema: SettingSchema;
  value: unknown;
  /** JSON pointer of the value, for what is wrong with it. */
  pointer: string;
  ports: NodePorts;
  required: boolean;
  readOnly: boolean;
  /** Undefined takes it out. */
  onChange: (value: unknown) => void;
}
