import { expect, type Locator, type Page } from "@playwright/test";
import { expectSaid } from "./said.js";
import { standsStill } from "./standsStill.js";

/** For what compilers are waited for. */
export const COMPILED = { timeout: 900_000 };

export interface Spot {
  x: number;
  y: number;
}

/** The designer as its user sees it: by names and roles, with mouse and keyboard. */
export class Designer {
  constructor(readonly page: Page) {}

  get canvas(): Locator {
    return this.page.getByTestId("canvas");
  }
  /** The name that is being typed on the canvas. */
  get naming(): Locator {
    return this.canvas.locator(".node-naming input");
  }
  get inspector(): Locator {
    return this.page.getByRole("complementary", { name: "Properties" });
  }
  get statePill(): Locator {
    return this.page.getByRole("banner").getByRole("status").last();
  }

  /** Makes a project from an example, or an empty one, and waits until it is drawn. */
  async createProject(name: string, example?: string): Promise<void> {
    const begin = this.page.getByRole("region", { name: "Begin with" });
    if (example) await begin.getByRole("button", { name: new RegExp(`^${example}\\b`) }).click();
    else await this.page.getByRole("button", { name: "New project" }).click();
    await this.page.getByLabel("Project name").fill(name);
    await this.page.getByRole("button", { name: "Create", exact: true }).click();
    await expect(this.canvas).toBeVisible();
  }

  /** Creates a project from an example; the folder gets `name`, the drawing keeps its own. */
  async createFromExample(example: string, name: string): Promise<void> {
    await this.page
      .getByRole("region", { name: "Begin with" })
      .getByRole("button", { name: new RegExp(`^${example}\\b`) })
      .click();
    await this.page.getByLabel("Project name").fill(name);
    await this.page.getByRole("button", { name: "Create", exact: true }).click();
    await expect(this.canvas).toBeVisible();
  }

  /** Presses Run and waits for the binary; a first build compiles, so it may take its time. */
  async run(): Promise<void> {
    await this.page.getByRole("button", { name: "Run", exact: true }).click();
    await this.awaitRunning();
  }

  /** "NAME running · N s": neither "not running" nor "last good binary runs on" will do. */
  async awaitRunning(): Promise<void> {
    await expect(this.statePill).toHaveText(/^\S+ running · /, COMPILED);
  }

  /** Generates what is drawn, and waits until that is done. */
  async generate(): Promise<void> {
    await this.page.getByRole("button", { name: "Generate", exact: true }).click();
    await expectSaid(this.page, /^Generated: /);
  }

  /** Ctrl+K, a command or a place by its name, Enter. */
  async command(words: string): Promise<void> {
    await this.page.keyboard.press("Control+k");
    await expect(this.page.getByRole("combobox", { name: "Find a command or a place" })).toBeFocused();
    await this.page.keyboard.type(words);
    const palette = this.page.getByRole("dialog", { name: "Command palette" });
    await expect(palette.getByRole("option").first()).toContainText(words, { ignoreCase: true });
    await this.page.keyboard.press("Enter");
  }

  async awaitSaved(): Promise<void> {
    await expect(this.page.getByRole("banner").getByText("saved", { exact: true })).toBeVisible();
  }

  /** The drawing has no error; "10 errors" will not do. */
  async expectNoErrors(): Promise<void> {
    await expect(this.page.getByRole("contentinfo")).toContainText(/(?<!\d)0 errors/);
  }

  async view(name: "Flow" | "Threads" | "Messages" | "Code"): Promise<void> {
    await this.page.getByRole("tab", { name, exact: true }).click();
  }

  /** Types into the name that has the focus after something was added. */
  async nameFocused(name: string): Promise<void> {
    const input = this.page.locator("input.name-input:focus");
    await expect(input).toBeVisible();
    await input.fill(name);
    await input.press("Enter");
  }

  async rename(name: string): Promise<void> {
    const input = this.inspector.getByLabel("Name", { exact: true }).first();
    await input.fill(name);
    await input.press("Enter");
  }

  async addField(message: string, name: string, type: string): Promise<void> {
    const card = this.page.getByRole("region", { name: `Message ${message}` });
    await card.getByRole("button", { name: "Add field" }).click();
    const input = card.getByRole("textbox", { name: /^Name of field/ }).last();
    await input.fill(name);
    await input.press("Tab");
    const types = card.getByLabel(`Type of ${name}`);
    await types.focus();
    await types.selectOption(type);
  }

  async focusCanvas(): Promise<void> {
    await this.canvas.click({ position: { x: 30, y: 30 } });
  }

  /** Adds a thing by its key, at the pointer, and names it. */
  async addByKey(key: string, at: { x: number; y: number }, name: string): Promise<void> {
    await this.focusCanvas();
    await this.canvas.hover({ position: at });
    await this.page.keyboard.press(key);
    await this.rename(name);
    await expect(this.node(name)).toBeVisible();
  }

  async dragFromPalette(label: string, at: { x: number; y: number }, name: string): Promise<void> {
    const item = this.page.getByRole("region", { name: "Palette" }).getByRole("button", { name: label });
    await item.dragTo(this.canvas, { targetPosition: at });
    await this.rename(name);
    await expect(this.node(name)).toBeVisible();
  }

  async setTypes(request: string, response: string): Promise<void> {
    await this.inspector.getByLabel("Request", { exact: true }).selectOption(request);
    await this.inspector.getByLabel("Response", { exact: true }).selectOption(response);
  }

  node(name: string): Locator {
    return this.canvas
      .locator(".react-flow__node")
      .filter({ has: this.page.getByText(name, { exact: true }) });
  }

  async drag(from: Locator, to: Locator): Promise<void> {
    await from.dragTo(to);
  }

  private async dragHandle(from: Locator, to: Locator): Promise<void> {
    const start = await standsStill(from);
    const end = await standsStill(to);
    const { mouse } = this.page;
    await mouse.move(start.x + start.width / 2, start.y + start.height / 2);
    await mouse.down();
    await mouse.move((start.x + end.x) / 2, (start.y + end.y) / 2, { steps: 8 });
    await mouse.move(end.x + end.width / 2, end.y + end.height / 2, { steps: 8 });
    await mouse.up();
  }

  /** The middle of a port, on the page. */
  async portAt(node: Locator, side: "top" | "bottom" | "left" | "right"): Promise<Spot> {
    const box = await standsStill(node.locator(`.react-flow__handle-${side}`));
    return { x: box.x + box.width / 2, y: box.y + box.height / 2 };
  }

  async connectCall(from: string, to: string): Promise<void> {
    await this.dragHandle(
      this.node(from).locator(".react-flow__handle-bottom"),
      this.node(to).locator(".react-flow__handle-top"),
    );
  }

  async connectFlow(from: string, to: string): Promise<void> {
    await this.dragHandle(
      this.node(from).locator(".react-flow__handle-right"),
      this.node(to).locator(".react-flow__handle-left"),
    );
  }

  treeRow(name: string): Locator {
    return this.page.getByRole("treeitem", { name: new RegExp(`^${name}\\b`) }).first();
  }

  /** Opens a handler in the Code view and types it anew. */
  async writeHandler(service: string, lines: string[]): Promise<void> {
    await this.view("Flow");
    await this.treeRow(service).click();
    await this.inspector.getByRole("button", { name: "Edit the handler" }).click();
    const editor = this.page.locator(".cm-content");
    // Another file, which is shown until this one is read, may name the service as well.
    await expect(editor).toContainText(`${service}::handle`);
    await editor.click();
    await this.page.keyboard.press("Control+a");
    await this.page.keyboard.insertText(lines.join("\n"));
    await this.page.keyboard.press("Control+s");
    await expect(this.page.getByLabel("unsaved changes")).toHaveCount(0);
  }

  /** Where each node is drawn, by its id; rounded to whole pixels. */
  async boxes(): Promise<Record<string, [number, number]>> {
    return this.canvas.locator(".react-flow__node").evaluateAll((nodes) =>
      Object.fromEntries(
        nodes.map((node) => {
          const { transform } = (node as HTMLElement).style;
          const [x = 0, y = 0] = (transform.match(/-?[\d.]+/g) ?? []).map(Number);
          return [node.getAttribute("data-id") ?? "", [Math.round(x), Math.round(y)] as [number, number]];
        }),
      ),
    );
  }
}
