import { CommandRefused, connectPatiently, type LiveConnection, PATIENCE_MS } from "../../live/index.js";
import type { CommandMap, CommandMethod, LiveSample, LiveSchema } from "../../contract/index.js";
import type { RunningBinary } from "../../run/index.js";
import { connected } from "./connected.js";
import { EXIT } from "../exitCode.js";
import { Failure } from "../failure.js";
import { patiently } from "../patience.js";

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
  live: LiveConnection;
}

/** The next sample; a failure when the binary falls silent. */
const nextSample = (live: LiveConnection, binary: string): Promise<LiveSample> =>
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
export async function askBinary<T>(
  running: Pick<RunningBinary, "binary" | "control" | "token">,
  talk: (asked: Asked) => Promise<T>,
): Promise<T> {
  const live = connectPatiently(running, patiently(PATIENCE_MS));
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
