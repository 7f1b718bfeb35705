import { STANDARD_SOURCES } from "@penstock/codegen/sources";
import { render } from "@testing-library/react";
import { expect, it } from "vitest";
import docs from "../../../../../docs/nodes.md?raw";
import { KindIcon } from "./KindIcon.js";
import { PICTURES } from "./pictures.js";
import { sourceIcons, standardSourceIcon } from "./iconKind.js";

const drawn = (kind: Parameters<typeof KindIcon>[0]["kind"]): string =>
  render(<KindIcon kind={kind} />)
    .container.querySelector("svg")
    ?.getAttribute("class") ?? "";

it("has a picture for each standard source", () => {
  for (const { icon } of STANDARD_SOURCES.values()) expect(PICTURES).toHaveProperty(icon ?? "none");
  expect(drawn(standardSourceIcon("rate"))).toContain("lucide-timer");
});

it("shows a project's source by the picture that its manifest names, else as a radio", () => {
  const sourceIcon = sourceIcons([
    { kind: "rows", icon: "database" },
    { kind: "plain" },
    { kind: "odd", icon: "constructor" },
  ]);
  expect(drawn(sourceIcon("rows"))).toContain("lucide-database");
  for (const kind of ["plain", "odd", "unknown"]) expect(drawn(sourceIcon(kind))).toContain("lucide-radio");
});

it("is listed in the docs", () => {
  const [, listed = ""] = /^Pictures that `icon` may name: (.*?)\. /ms.exec(docs) ?? [];
  expect([...listed.matchAll(/`([a-z-]+)`/g)].map(([, name]) => name)).toEqual(
    Object.keys(PICTURES).toSorted(),
  );
});
