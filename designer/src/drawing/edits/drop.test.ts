import { beforeEach, describe, expect, it } from "vitest";
import { documentStore, undo } from "../../kernel/document/index.js";
import { openTwoBinaries } from "../../testing/twoBinaries.js";
import { canvasBoxes } from "../geometry/boxes.js";
import { dropNodes } from "./drop.js";

const state = () => documentStore.getState();
const boxes = () => canvasBoxes(state().topology, state().layout);
const served = () =>
  Object.fromEntries(state().topology.binaries.map(({ name, bundles }) => [name, bundles]));
/** The bundles' places, all moved by so much. */
const moved = (names: readonly string[], dx: number, dy: number) =>
  new Map(
    names.map((name) => {
      const { x, y } = boxes().get(`bundle:${name}`)!;
      return [`bundle:${name}`, { x: x + dx, y: y + dy }] as const;
    }),
  );

describe("a bundle dropped in the frame of another binary", () => {
  beforeEach(() => openTwoBinaries());

  it("is served by that one, at its new place, and one undo takes both back", () => {
    const { topology, layout } = state();
    const before = boxes().get("service:ProduceAd")!;
    dropNodes(moved(["Models"], -1100, 220), "ads-server");
    expect(served()).toEqual({ "ads-server": ["AdBundle", "Models"], "models-server": ["Logs"] });
    expect(boxes().get("service:ProduceAd")).toMatchObject({ x: before.x - 1100, y: before.y + 220 });
    expect(state().past).toHaveLength(1);
    expect(state().past[0]?.label).toBe("Move Models to ads-server");
    undo();
    expect([state().topology, state().layout]).toEqual([topology, layout]);
  });

  it("has its placement and pools go along, as its menu does", () => {
    dropNodes(moved(["Models"], -1100, 220), "ads-server");
    const [server] = state().topology.binaries;
    expect(server?.placement["ProduceAd"]).toEqual({ pool: "models" });
    expect(server?.pools.map(({ name }) => name)).toEqual(["front", "models"]);
  });

  it("takes others that are dragged with it along, in the same step", () => {
    dropNodes(moved(["Models", "Logs"], -1100, 220), "ads-server");
    expect(served()).toEqual({ "ads-server": ["AdBundle", "Models", "Logs"], "models-server": [] });
    expect(state().past.map(({ label }) => label)).toEqual(["Move 2 bundles to ads-server"]);
  });

  it("is moved and no more where it is dropped in none", () => {
    const { topology } = state();
    dropNodes(moved(["Models"], -1100, 220));
    expect(state().topology).toBe(topology);
    expect(state().past.map(({ label }) => label)).toEqual(["Move"]);
  });

  it("leaves no place of a frame behind: frames follow what is in them", () => {
    dropNodes(moved(["Models", "Logs"], -1100, 220), "ads-server");
    expect(Object.keys(state().layout.nodes).filter((ref) => ref.startsWith("binary:"))).toEqual([]);
  });

  it("goes below nodes of others that it would lie on, in the same step", () => {
    const { layout } = state();
    const lies = (id: string) => {
      const own = boxes().get(id)!;
      return [...boxes()].flatMap(([ref, box]) =>
        ref !== "service:ProduceAd" &&
        !ref.startsWith("bundle:") &&
        own.x < box.x + box.width &&
        box.x < own.x + own.width &&
        own.y < box.y + box.height &&
        box.y < own.y + own.height
          ? [ref]
          : [],
      );
    };
    const [border, service] = [boxes().get("bundle:Models")!, boxes().get("service:ProduceAd")!];
    dropNodes(moved(["Models"], -1100, 0), "ads-server");
    expect(lies("bundle:Models")).toEqual([]);
    const [at, within] = [boxes().get("bundle:Models")!, boxes().get("service:ProduceAd")!];
    expect([at.x, at.y > border.y]).toEqual([border.x - 1100, true]);
    expect([within.x - at.x, within.y - at.y]).toEqual([service.x - border.x, service.y - border.y]);
    undo();
    expect(state().layout).toEqual(layout);
  });

  it("stays where it is dropped where it lay on others before: somebody wants it so", () => {
    const { layout } = state();
    const onOthers = { ...layout.nodes, "service:ProduceAd": { x: 110, y: 22 } };
    documentStore.setState({ layout: { ...layout, nodes: onOthers } });
    const { y } = boxes().get("service:ProduceAd")!;
    dropNodes(moved(["Models"], 22, 0));
    expect(boxes().get("service:ProduceAd")).toMatchObject({ x: 132, y });
  });
});
