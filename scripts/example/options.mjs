import { existsSync } from "node:fs";
import path from "node:path";
import process from "node:process";
import { parseArgs } from "node:util";

/** What each example asks of the world, by the variables that tell it where that is. */
export const EXAMPLES = {
  ads: {},
  hello: {},
  "mo-flow": { database: "MO_FLOW_DATABASE", http: "MO_FLOW_PORT", replyMs: 20 },
  "mobile-money": { database: "MONEY_DATABASE" },
  streaming: {},
  ussd: { http: "USSD_PORT", replyMs: 10 },
};

export const USAGE = `npm run example -- NAME [--real] [--project DIR]

  Builds and runs an example (${Object.keys(EXAMPLES).join(", ")}) until Ctrl-C.

  --real         with MariaDB instead of SQLite and WireMock instead of the built-in responder, for the
                 examples that ask a database or HTTP; both on this machine, gone when it ends
  --project DIR  this copy of the example (default: the one in examples/)
  --help         this text`;

/** @throws {Error} with words for people when an argument is wrong */
export function exampleOptions(root, args) {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: {
      real: { type: "boolean", default: false },
      project: { type: "string" },
      help: { type: "boolean", default: false },
    },
  });
  if (values.help) return { help: true };
  const [name] = positionals;
  if (positionals.length !== 1 || !Object.hasOwn(EXAMPLES, name))
    throw new Error(`one example is needed: ${Object.keys(EXAMPLES).join(", ")}`);
  const { database, http, replyMs } = EXAMPLES[name];
  if (values.real && !database && !http) throw new Error(`${name} asks neither a database nor HTTP`);
  const project =
    values.project === undefined
      ? path.join(root, "examples", name)
      : path.resolve(process.env.INIT_CWD ?? process.cwd(), values.project);
  if (!existsSync(path.join(project, "topology.json"))) throw new Error(`${project} is no project`);
  return { name, real: values.real, project, database, http, replyMs };
}
