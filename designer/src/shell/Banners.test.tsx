import { cleanup, render, screen } from "@testing-library/react";
import { afterEach, expect, it } from "vitest";
import { connectionStore } from "../kernel/connection/connection.js";
import type { SocketState } from "../kernel/server/socket.js";
import { open } from "../testing/ads.js";
import { TooltipProvider } from "../kernel/ui/index.js";
import { Banners } from "../features/projects/index.js";
import { StatePill } from "../features/run/index.js";

const status = {
  version: "0",
  workspace: "/w",
  root: false,
  writable: true,
  machine: { cpus: [], memoryBytes: 1, hostname: "here" },
  missing: [],
} as unknown as Parameters<typeof Banners>[0]["status"];
const show = (socket: SocketState): void => {
  connectionStore.setState({ socket });
  cleanup();
  render(
    <TooltipProvider>
      <StatePill />
      <Banners status={status} />
    </TooltipProvider>,
  );
};
const said = (): string =>
  screen
    .getAllByRole("status")
    .map(({ textContent }) => textContent)
    .join("\n");

afterEach(() => {
  cleanup();
  connectionStore.setState({ socket: { kind: "connecting", failures: 0, stopped: false } });
});

it("says that the server is gone, whether it said so or not, and nothing of before", () => {
  open();
  show({ kind: "open" });
  expect(said()).toBe("not running");
  show({ kind: "waiting", retryAtMs: 0, failures: 1, stopped: true });
  expect(said()).toMatch(/^no server\nThe Penstock server was stopped: nothing is saved, built or run\./);
  show({ kind: "connecting", failures: 2, stopped: false });
  expect(said()).toMatch(/^no server\nThe Penstock server does not answer: nothing is saved, built or run\./);
});
