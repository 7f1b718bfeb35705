import { configure } from "@testing-library/react";
import { loadChecks } from "../kernel/problems/checks.js";

// What a test waits for comes when the machine has the time; one second is a verdict on the machine.
configure({ asyncUtilTimeout: 120_000 });
// jsdom lays nothing out, so that everything is in view.
Element.prototype.scrollIntoView = () => {};
// In the page the rules come moments after the first picture; tests begin when they are there.
await loadChecks();
