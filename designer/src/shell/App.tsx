import "../kernel/ui/look/ui.css";
import "./shell.css";
import { useStore } from "zustand";
import { reconnect, useConnection } from "../kernel/connection/connection.js";
import { Boundary, Toasts, TooltipProvider } from "../kernel/ui/index.js";
import { FirstPicture } from "../kernel/ui/FirstPicture.js";
import { follow, goTo, openedStore, StartScreen } from "../features/projects/index.js";
import {
  DamagedScreen,
  FailedScreen,
  PageFailedScreen,
  ServerGoneScreen,
  SignedOutScreen,
  WaitingScreen,
} from "./screens.js";
import { useDroppedFiles } from "./droppedFiles.js";
import { Workbench } from "./Workbench.js";

/** The whole page: which screen is shown hangs on the server, the token and the address. */
export function App() {
  useDroppedFiles();
  return (
    <TooltipProvider>
      <Boundary what="The page">
        <Screen />
      </Boundary>
      <Toasts />
    </TooltipProvider>
  );
}

function Screen() {
  const phase = useConnection((state) => state.phase);
  const opened = useStore(openedStore, (state) => state.opened);
  if (phase.kind === "starting")
    return <WaitingScreen words={opened.kind === "loading" ? "Opening" : ""} retry={reconnect} />;
  if (phase.kind === "signed-out") return <SignedOutScreen {...phase} />;
  if (phase.kind === "unreachable") return <ServerGoneScreen />;
  if (phase.kind === "failed") return <PageFailedScreen message={phase.message} />;
  switch (opened.kind) {
    case "none":
      return <StartScreen status={phase.status} />;
    case "loading":
      return <WaitingScreen words="Opening" retry={() => void follow()} leave={() => goTo(null)} />;
    case "damaged":
      return <DamagedScreen {...opened} />;
    case "failed":
      return <FailedScreen {...opened} />;
    case "open":
      return (
        <FirstPicture of={opened.project}>
          <Workbench status={phase.status} />
        </FirstPicture>
      );
  }
}
