import "./early.js";
import "@fontsource-variable/inter";
import "@fontsource-variable/jetbrains-mono";
import "@xyflow/react/dist/base.css";
import "./kernel/ui/look/tokens.css";
import "./kernel/ui/look/ui.css";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { keepPlaces } from "./drawing/geometry/boxes.js";
import { prepareEditsWith } from "./kernel/document/index.js";
import { startValidation } from "./kernel/problems/validateDrawn.js";
import { App } from "./shell/App.js";
import { startPage } from "./shell/startPage.js";

const root = document.getElementById("root");
if (!root) throw new Error("index.html has no #root");
prepareEditsWith(keepPlaces);
startValidation();
startPage();
createRoot(root).render(
  <StrictMode>
    <App />
  </StrictMode>,
);
