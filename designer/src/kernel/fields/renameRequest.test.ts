import { beforeEach, expect, it, vi } from "vitest";
import { select } from "../document/index.js";
import { open } from "../../testing/ads.js";
import { onRenameRequest, startRename } from "./renameRequest.js";

const focus = vi.fn<() => void>();
beforeEach(() => {
  open();
  focus.mockReset();
});

it("reaches a name field that is shown, and once one whose view comes later", () => {
  const stop = onRenameRequest("message:Ad", focus);
  startRename("message:Ad");
  expect(focus).toHaveBeenCalledTimes(1);
  stop();
  onRenameRequest("message:Ad", focus)();
  expect(focus).toHaveBeenCalledTimes(1);
  startRename("message:Ad");
  onRenameRequest("message:Ad", focus)();
  onRenameRequest("message:Ad", focus)();
  expect(focus).toHaveBeenCalledTimes(2);
});

it("is forgotten when something else is selected before", () => {
  select("message:Ad");
  startRename("message:Ad");
  select("message:AdRequest");
  onRenameRequest("message:Ad", focus)();
  expect(focus).not.toHaveBeenCalled();
});
