import { mkdir, mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect } from "vitest";
import { TestServer } from "../../src/server/testing/testServer.js";
import { TestSocket } from "../../src/server/testing/testSocket.js";
import { drawing, fakeToolchain } from "./fakeToolchain.js";

/**
 * A server whose toolchain is pretended, with the project `mine` and a socket to it: anew for each test of the
 * file that asks for it. What the socket said last is printed when a test fails.
 */
export class FakeProject {
  root = "";
  project = "";
  server!: TestServer;
  tab!: TestSocket;

  private constructor(private readonly options: { patience?: number }) {}

  /** @param name is part of the folder's name */
  static forEachTest(name: string, options: { patience?: number } = {}): FakeProject {
    const fake = new FakeProject(options);
    beforeEach(() => fake.start(name));
    afterEach(async (context) => {
      if (context.task.result?.state === "fail")
        console.log(JSON.stringify(fake.tab.messages.slice(-12), null, 1));
      fake.tab.close();
      await fake.server.stop();
    });
    return fake;
  }

  private async start(name: string): Promise<void> {
    this.root = await mkdtemp(join(tmpdir(), `penstock-${name}-server-`));
    await mkdir(join(this.root, "runtime", "release", "prefix"), { recursive: true });
    this.server = await TestServer.start({ ...this.options, root: this.root, toolchain: fakeToolchain });
    this.project = await this.server.create("mine");
    this.tab = await TestSocket.open(this.server, this.project);
  }

  /** The server once more, over the same folders, with a socket of its own. */
  async restart(): Promise<void> {
    this.tab.close();
    await this.server.server.close();
    this.server = await TestServer.start({ ...this.options, root: this.root, toolchain: fakeToolchain });
    this.tab = await TestSocket.open(this.server, this.project);
  }

  /** The project's address in the REST interface. */
  path(rest = ""): string {
    return `/api/projects/${this.project}${rest}`;
  }

  /** Saves a drawing that sets the pretended parts up. */
  async draw(config: object): Promise<void> {
    const { revision, layout } = (await this.server.api("GET", this.path())).json;
    const saved = await this.server.api(
      "PUT",
      this.path(),
      { topology: drawing(JSON.stringify(config)), layout },
      { "If-Match": `"${revision}"` },
    );
    expect(saved.status).toBe(200);
  }
}
