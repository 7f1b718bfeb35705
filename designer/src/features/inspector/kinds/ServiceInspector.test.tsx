import { cleanup, fireEvent, render, screen } from "@testing-library/react";
import { afterEach, expect, it } from "vitest";
import { documentStore } from "../../../kernel/document/index.js";
import { TooltipProvider } from "../../../kernel/ui/index.js";
import { adsTopology, open } from "../../../testing/ads.js";
import { ServiceInspector } from "./ServiceInspector.js";

const LABEL = "Idempotent: may be asked twice";
const log = () => documentStore.getState().topology.services.find(({ name }) => name === "LogAd")!;
const show = () => render(<ServiceInspector name="LogAd" />, { wrapper: TooltipProvider });

afterEach(cleanup);

it("asks whether a service may be asked twice where there are several binaries", () => {
  open(adsTopology());
  show();
  expect(screen.queryByLabelText(LABEL)).toBeNull();
  cleanup();
  const topology = adsTopology();
  open({
    ...topology,
    binaries: [...topology.binaries, { ...topology.binaries[0]!, name: "far", bundles: [] }],
  });
  show();
  fireEvent.click(screen.getByLabelText(LABEL));
  expect(log().idempotent).toBe(true);
  fireEvent.click(screen.getByLabelText(LABEL));
  expect(log()).not.toHaveProperty("idempotent");
});
