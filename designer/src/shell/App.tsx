import "../kernel/ui/ui.css";
import "./shell.css";
import { useEffect } from "react";
import { useStore } from "zustand";
import { reconnect, startConnection, useConnection } from "../kernel/connection/connection.js";
import { Boundary, startTheme, Toasts, TooltipProvider } from "../kernel/ui/index.js";
import { follow, goTo, openedStore, StartScreen } from "../features/projects/index.js";
import { compose, contributed } from "../registry/feature.js";
import { FEATURES } from "./features.js";
import {
  DamagedScreen,
  FailedScreen,
  PageFailedScreen,
  ServerGoneScreen,
  SignedOutScreen,
  WaitingScreen,
} from "./screens.js";
import { Workbench } from "./Workbench.js";

// Before the first picture, so that the page does not flash in the other theme.
startTheme();
compose(FEATURES);

/** A fresh address in the tab that asks for one: to the browser it is the page that is there already. */
const signInAnew = (): void => {
  if (location.hash.startsWith("#code=")) location.reload();
};

/** The whole page: which screen is shown hangs on the server, the token and the address. */
export function App() {
  useEffect(() => {
    startConnection();
    const back = () => void follow();
    addEventListener("popstate", back);
    addEventListener("hashchange", signInAnew);
    const stops = contributed("follow").flatMap((all) => all.map((start) => start()));
    return () => {
      removeEventListener("popstate", back);
      removeEventListener("hashchange", signInAnew);
      for (const stop of stops) stop();
    };
  }, []);
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
  const ready = phase.kind === "ready";
  useEffect(() => {
    if (ready) void follow();
  }, [ready]);
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
      return <Workbench status={phase.status} />;
  }
}
