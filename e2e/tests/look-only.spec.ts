import type { Page, Route } from "@playwright/test";
import { Designer } from "../support/designer.js";
import { seriousViolations } from "../support/seriousViolations.js";
import { expect, test } from "../support/penstock.js";

async function noGraveFaults(page: Page, what: string): Promise<void> {
  for (const colorScheme of ["dark", "light"] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
    expect.soft(await seriousViolations(page), `${what}, ${colorScheme}`).toEqual([]);
  }
}

/** Passes the server's answer on with some fields as the test needs them. */
const changed = (fields: Record<string, unknown>) => async (route: Route) => {
  const response = await route.fetch({ timeout: 0 });
  await route.fulfill({ response, json: { ...(await response.json()), ...fields } });
};

test("should show a read-only workspace as something to look at, and say so once", async ({
  signedIn: page,
}) => {
  const designer = new Designer(page);
  await designer.createFromExample("hello", "fixed");
  await page.route("**/api/status", changed({ writable: false }));
  await page.route(
    /\/api\/projects\/[0-9a-f]+$/,
    changed({ readOnly: true, readOnlyReason: "read-only workspace" }),
  );
  await page.reload();
  await expect(designer.node("Addition")).toBeVisible();
  await expect(page.getByText(/cannot be written to|read-only workspace/i)).toHaveCount(1);
  await expect(page.getByRole("banner").getByText("read-only", { exact: true })).toBeVisible();
  for (const name of ["Generate", "Build", "Run"])
    await expect(page.getByRole("button", { name, exact: true })).toBeDisabled();
  await designer.treeRow("Addition").click();
  await expect(designer.inspector.getByRole("textbox", { name: "Deadline" })).toBeDisabled();
  await expect(page.getByRole("button", { name: "Add to the project" })).toBeDisabled();
  await page.getByRole("tab", { name: "Bench", exact: true }).click();
  await expect(page.getByRole("button", { name: "Run benchmarks" })).toBeDisabled();
  await noGraveFaults(page, "read-only project");
});

test("should say what to do when the server does not know the browser any more", async ({
  signedIn: page,
}) => {
  await expect(page.getByRole("button", { name: "New project" })).toBeVisible();
  await page.evaluate(() => localStorage.setItem("penstock.token", "0".repeat(43)));
  await page.reload();
  await expect(page.getByRole("heading", { name: "Open the address that Penstock printed" })).toBeVisible();
  await expect(
    page.getByText("Penstock was started anew, or somewhere else: this browser has to sign in again."),
  ).toBeVisible();
  await expect(page.getByText("npx penstock open")).toBeVisible();
  await noGraveFaults(page, "signed out");
});

test("should tell who comes with a used address how to come in, in the same tab", async ({
  page,
  penstock,
}) => {
  await page.goto(`${penstock.origin}/#code=${"0".repeat(43)}`);
  await expect(page.getByRole("heading", { name: "Open the address that Penstock printed" })).toBeVisible();
  await expect(page.locator(".screen-reason")).toContainText("This address was used already, or is too old.");
  await expect(page.getByText("npx penstock open", { exact: true })).toBeVisible();
  // Only what stands behind # differs, so that the browser loads nothing by itself.
  await page.goto(await penstock.address());
  await expect(page.getByRole("button", { name: "New project" })).toBeVisible();
  expect(page.url()).not.toContain("code");
});

test("should let an address be tried again that a fault of the server kept out", async ({
  page,
  penstock,
}) => {
  const failing = (route: Route) => route.fulfill({ status: 503, body: "busy" });
  await page.route("**/api/session", failing);
  await page.goto(await penstock.address());
  await expect(page.getByRole("heading", { name: "The server could not sign you in" })).toBeVisible();
  await expect(page.locator(".screen-reason")).toContainText("503");
  await page.unroute("**/api/session", failing);
  await page.getByRole("button", { name: "Try again" }).click();
  await expect(page.getByRole("button", { name: "New project" })).toBeVisible();
});
