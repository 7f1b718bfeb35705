import path from "node:path";
import { parseArgs } from "node:util";

export const USAGE = `npm start -- [--headless] [--port N] [--workspace DIR] [--no-example]

  --headless       do not open a browser
  --port N         port of the designer; 0 takes any free one
  --workspace DIR  folder of projects (default: workspace in the repository)
  --no-example     do not make, build and run the ads example`;

/** @throws {Error} with words for people when an argument is wrong */
export function startOptions(root, args) {
  const { values } = parseArgs({
    args,
    options: {
      headless: { type: "boolean", default: false },
      port: { type: "string" },
      workspace: { type: "string" },
      "no-example": { type: "boolean", default: false },
      help: { type: "boolean", default: false },
    },
  });
  if (values.port !== undefined && !(/^\d{1,5}$/.test(values.port) && Number(values.port) < 65536)) {
    throw new Error(`--port cannot be ${JSON.stringify(values.port)}: it is a number from 0 to 65535`);
  }
  // npm runs scripts in the package's folder; a relative folder is meant from where the person is.
  const from = process.env.INIT_CWD ?? process.cwd();
  return {
    headless: values.headless,
    port: values.port,
    workspace:
      values.workspace === undefined ? path.join(root, "workspace") : path.resolve(from, values.workspace),
    example: !values["no-example"],
    help: values.help,
  };
}
