import { act, cleanup, render, screen } from "@testing-library/react";
import { afterEach, expect, it } from "vitest";
import { toast } from "./toast.js";
import { Toasts } from "./Toasts.js";

afterEach(cleanup);

it("leaves the last word on one thing, and all on others", () => {
  render(<Toasts />);
  act(() => {
    toast("Not generated", { tone: "bad", about: "the drawing" });
    toast("Not saved", { tone: "bad" });
    toast("Generated: 2 files changed", { tone: "ok", about: "the drawing" });
  });
  expect(screen.getByRole("alert").textContent).toBe("Not saved");
  expect(screen.getByRole("status").textContent).toBe("Generated: 2 files changed");
});
