import type { Problem } from "@penstock/codegen/diagnostics";
import { cleanup, fireEvent, render, screen } from "@testing-library/react";
import { afterEach, expect, it } from "vitest";
import { ApiFailure } from "../../kernel/server/api.js";
import { NameDialog } from "./NameDialog.js";

HTMLDialogElement.prototype.showModal = function show(this: HTMLDialogElement) {
  this.open = true;
};
afterEach(cleanup);

/** What stands at the name once the server has refused it. */
async function refused(message: string, help: string, ...problems: string[]): Promise<string | null> {
  const words = { title: "New project", hint: "", action: "Create", initial: "class", taken: [] };
  const all = problems.map((one) => ({ message: one }) as Problem);
  const perform = () => Promise.reject(new ApiFailure(400, "invalid", message, help, all, null));
  render(<NameDialog {...words} perform={perform} onClose={() => {}} />);
  fireEvent.click(screen.getByText("Create"));
  const field = screen.getByLabelText("Project name");
  await expect.poll(() => field.getAttribute("aria-describedby")).not.toBeNull();
  return document.getElementById(field.getAttribute("aria-describedby") ?? "")?.textContent ?? null;
}

it("says once why C++ has the name of a project for itself", async () => {
  const why = '"class" cannot name the project: it is a keyword of C++';
  expect(await refused(why, "Use another name.", why)).toBe(`${why}. Use another name.`);
});

it("says what is wrong with a drawing that a project begins with, and what helps", async () => {
  expect(await refused("No drawing", "Mend it.", "A is missing", "B is missing")).toBe(
    "No drawing. A is missing. B is missing. Mend it.",
  );
});
