import {
  CommandRefused,
  connectPatiently,
  type LiveAddress,
  type LiveConnection,
  LiveReplicas,
  PATIENCE_MS,
} from "../../live/index.js";
import type { CommandMap, CommandMethod, LiveSample, LiveSchema } from "../../contract/index.js";
import { connected } from "./connected.js";
import { EXIT } from "../verb/exitCode.js";
import { Failure } from "../verb/failure.js";
import { patiently } from "../verb/patience.js";

/** Where the processes of a running binary are asked. */
export interface Reached {
  binary: string;
  processes: readonly (LiveAddress & { name: string })[];
}

/** A connection to all of them. */
export function connectRunning(
  { processes }: Reached,
  connect: (address: LiveAddress) => LiveConnection,
): LiveReplicas {
  const live = new LiveReplicas(processes.length);
  for (const [at, process] of processes.entries()) live.put(at + 1, connect(process), process.name);
  return live;
}

/** What may be asked of a running binary while a verb talks to it. */
export interface Asked {
  /** How it is set, as it said when the verb came. */
  schema: LiveSchema;
  /** Resolves when the command is in force; a refusal ends the verb with its reason. */
  command: <M extends CommandMethod>(
    method: M,
    params: CommandMap[M]["params"],
  ) => Promise<CommandMap[M]["result"]>;
  nextSample: () => Promise<LiveSample>;
  /** For what is no control command. */
  live: LiveReplicas;
}

/** The next sample; a failure when the binary falls silent. */
const nextSample = (live: LiveReplicas, binary: string): Promise<LiveSample> =>
  new Promise((resolve, reject) => {
    const end = (): void => {
      live.off("sample", take);
      live.off("lost", lost);
    };
    const take = (sample: LiveSample): void => {
      end();
      resolve(sample);
    };
    const lost = (): void => {
      end();
      reject(
        new Failure(EXIT.environment, "PS994", `${binary} does not answer any more`, "Look at its log."),
      );
    };
    live.on("sample", take);
    live.on("lost", lost);
  });

/** Talks to a running binary for as long as `talk` takes. */
export async function askBinary<T>(running: Reached, talk: (asked: Asked) => Promise<T>): Promise<T> {
  const live = connectRunning(running, (address) => connectPatiently(address, patiently(PATIENCE_MS)));
  try {
    const schema = await connected(live, running.binary);
    return await talk({
      schema,
      live,
      nextSample: () => nextSample(live, running.binary),
      command: async (method, params) => {
        try {
          return (await live.command(method, params)) as never;
        } catch (error) {
          if (!(error instanceof CommandRefused)) throw error;
          if (error.isUnreached)
            throw new Failure(
              EXIT.environment,
              "PS994",
              `${running.binary} did not answer ${method}: ${error.message}`,
              "It may be in force all the same: `penstock monitor` shows what is.",
            );
          throw new Failure(
            EXIT.failed,
            error.data?.code ?? "PS994",
            `${running.binary} refused ${method}: ${error.message}`,
            error.data?.help ?? "The old setting stays.",
          );
        }
      },
    });
  } finally {
    live.close();
  }
}
