import { Buffer } from "node:buffer";

const EXAMPLE = "ads";

/**
 * The example project of this workspace: made when the workspace is empty, found when it is there,
 * undefined when the person has only projects of their own.
 */
export async function exampleProject(client) {
  const projects = await client.get("/api/projects");
  if (projects.length === 0) return client.post("/api/projects", { name: EXAMPLE, example: EXAMPLE });
  return projects.find((project) => project.name === EXAMPLE && project.trusted);
}

/** Messages of the server about one project, until `until` gives a value. */
async function follow(client, id, begin, until) {
  const { WebSocket } = await import("ws");
  const socket = new WebSocket(
    `${client.base.replace("http", "ws")}/api/socket`,
    ["penstock", `token.${client.token}`],
    {
      origin: client.base,
    },
  );
  try {
    return await new Promise((resolve, reject) => {
      socket.on("error", reject);
      socket.on("close", () => reject(new Error("the server ended")));
      socket.on("message", (data) => {
        const message = JSON.parse(Buffer.from(data).toString());
        if (message.type === "opened") begin().catch(reject);
        const value = until(message);
        if (value !== undefined) resolve(value);
      });
      socket.on("open", () => socket.send(JSON.stringify({ type: "open", project: id })));
    });
  } finally {
    socket.terminate();
  }
}

/**
 * Builds and runs the example, a project of this id, through the server, so that the canvas shows it live.
 * `step` shows the build's progress.
 * @returns {Promise<string>} what there is to say about it
 */
export async function runExample(client, id, step) {
  const route = `/api/projects/${id}`;
  let begun = false;
  const built = await follow(
    client,
    id,
    async () => {
      begun = true;
      await client.post(`${route}/build`);
    },
    (message) => {
      if (!begun || message.type !== "build") return undefined;
      const { phase, done, total } = message.status;
      step.progress(total > 0 ? `${done}/${total}` : phase);
      return ["succeeded", "failed", "cancelled"].includes(phase) ? message.status : undefined;
    },
  );
  if (built.phase !== "succeeded") {
    throw new Error(
      built.problems.map((problem) => problem.message).join("; ") || `the build ${built.phase}`,
    );
  }
  // It is to run on a machine of one processor, too.
  const state = await follow(
    client,
    id,
    () => client.post(`${route}/run`, { relaxPins: true }),
    (message) => {
      if (message.type !== "binaries" || message.binaries.length === 0) return undefined;
      const decided = message.binaries.every(({ state }) => ["running", "failed", "crashed"].includes(state));
      return decided ? message.binaries : undefined;
    },
  );
  const broken = state.find((binary) => binary.state !== "running");
  if (broken !== undefined) throw new Error(`${broken.binary}: ${broken.detail}`);
  return state.map((binary) => `${binary.binary} runs (process ${binary.pid})`).join(", ");
}
