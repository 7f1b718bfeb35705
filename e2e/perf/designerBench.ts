import { readdirSync, readFileSync } from "node:fs";
import { chromium, type BrowserContext, type Page } from "@playwright/test";
import { CHROMIUM } from "../support/chromium.js";
import { frameP95, GESTURES, NOTE_OPENED } from "./gestures.js";
import { barePage, designerPage, type MeasuredPage } from "./measuredPages.js";

/**
 * Contenders of `npm run bench -- --only designer`, as its other programs are: without arguments it lists
 * them, with a workload (`designer/open-1000`) and a contender it measures once and prints the rate.
 */
const WORKLOADS = ["open-200", "open-1000", "ready-200", "ready-1000", "pan-1000", "zoom-1000", "drag-1000"];
const CONTENDERS: Record<
  string,
  { what: string; page: (context: BrowserContext, count: number) => Promise<MeasuredPage> }
> = {
  penstock: { what: "the designer with a project of its server", page: designerPage },
  "limit-react-flow": { what: "React Flow alone on a page, nodes in its own look", page: barePage },
};
/** Seconds of processor time that this process' children, and theirs, have used so far. */
function secondsBelow(parent: number): number {
  const children = new Map<number, { pid: number; ticks: number }[]>();
  for (const name of readdirSync("/proc")) {
    if (!/^\d+$/.test(name)) continue;
    try {
      const stat = readFileSync(`/proc/${name}/stat`, "utf8");
      const [, ppid, ...rest] = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
      // utime, stime, and those of children that have ended.
      const ticks = rest.slice(9, 13).reduce((sum, field) => sum + Number(field), 0);
      const siblings = children.get(Number(ppid)) ?? [];
      children.set(Number(ppid), [...siblings, { pid: Number(name), ticks }]);
    } catch {
      // It ended while we looked.
    }
  }
  const below = (pid: number): number =>
    (children.get(pid) ?? []).reduce((sum, child) => sum + child.ticks + below(child.pid), 0);
  return below(parent) / 100;
}

const REST_MS = 250;

/** Until the browser and the server have nothing left to do: what is measured then is not what was asked before. */
async function atRest(page: Page): Promise<void> {
  let before = secondsBelow(process.pid);
  for (let quiet = 0, looks = 0; quiet < 2 && looks < 80; looks++) {
    await page.waitForTimeout(REST_MS);
    const now = secondsBelow(process.pid);
    quiet = (now - before) * 1000 < REST_MS / 10 ? quiet + 1 : 0;
    before = now;
  }
}

async function measure(workload: string, contender: string): Promise<{ rate: number; cpu_seconds: number }> {
  const [what = "", count = ""] = workload.split("-");
  const how = CONTENDERS[contender];
  if (!how) throw new Error(`no contender is called ${contender}`);
  const browser = await chromium.launch(CHROMIUM);
  const context = await browser.newContext({ viewport: { width: 1920, height: 1080 } });
  const measured = await how.page(context, Number(count));
  try {
    const page = await context.newPage();
    await page.addInitScript(NOTE_OPENED);
    await atRest(page);
    await page.goto(measured.url);
    await page.waitForFunction(() => "ready_" in window);
    const gesture = GESTURES[what];
    if (gesture) await atRest(page);
    const took = gesture
      ? await frameP95(page, gesture)
      : await page.evaluate<number>(what === "ready" ? "window.ready_" : "window.opened_");
    const { user, system } = process.cpuUsage();
    return { rate: 1000 / took, cpu_seconds: (user + system) / 1e6 + secondsBelow(process.pid) };
  } finally {
    await context.close();
    await measured.stop();
    await browser.close();
  }
}

const [workload, contender] = process.argv.slice(2);
if (workload === undefined || contender === undefined) {
  for (const name of WORKLOADS)
    for (const [one, { what }] of Object.entries(CONTENDERS))
      console.log(JSON.stringify({ workload: `designer/${name}`, contender: one, what }));
} else {
  console.log(JSON.stringify(await measure(workload.replace("designer/", ""), contender)));
}
