import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { connect } from "node:net";
import path from "node:path";
import process from "node:process";
import { run } from "../setup/child.mjs";
import { Obstacle } from "../setup/report.mjs";
import { freePort, startService } from "./service.mjs";

const NAME = "sample";

/** Servers are not on everybody's PATH. */
const find = (program) =>
  ["/usr/sbin", "/usr/bin", "/usr/local/bin"]
    .map((folder) => path.join(folder, program))
    .find((file) => existsSync(file)) ?? program;

/** Whether a server greets whoever connects, as MariaDB does once it is ready. */
const greets = (port) =>
  new Promise((resolve) => {
    const socket = connect(port, "127.0.0.1");
    const give = (answer) => {
      socket.destroy();
      resolve(answer);
    };
    socket.once("data", () => give(true));
    socket.once("error", () => give(false));
    socket.setTimeout(1000, () => give(false));
  });

/** MariaDB with an empty database in a folder of its own, for this machine alone. */
export async function startMariaDb(folder) {
  const data = path.join(folder, "mariadb");
  const start = path.join(folder, "mariadb.sql");
  mkdirSync(folder, { recursive: true });
  writeFileSync(
    start,
    `CREATE DATABASE ${NAME};\nCREATE USER '${NAME}'@'127.0.0.1';\nGRANT ALL ON ${NAME}.* TO '${NAME}'@'127.0.0.1';\n`,
  );
  // It refuses to run as root unless it is told to.
  const user = process.getuid?.() === 0 ? ["--user=root"] : [];
  const made = await run(find("mariadb-install-db"), [
    "--no-defaults",
    `--datadir=${data}`,
    "--auth-root-authentication-method=normal",
    "--skip-test-db",
    ...user,
  ]);
  if (made.code !== 0)
    throw new Obstacle(
      `mariadb-install-db failed:\n${made.tail.slice(-10).join("\n")}`,
      "npm run setup -- --test",
    );
  const port = await freePort();
  const service = await startService(
    "MariaDB",
    find("mariadbd"),
    [
      "--no-defaults",
      `--datadir=${data}`,
      `--socket=${path.join(folder, "mariadb.sock")}`,
      "--bind-address=127.0.0.1",
      `--port=${port}`,
      `--init-file=${start}`,
      "--skip-log-bin",
      "--skip-name-resolve",
      ...user,
    ],
    () => greets(port),
  );
  return { ...service, address: `mariadb://${NAME}@127.0.0.1:${port}/${NAME}` };
}
