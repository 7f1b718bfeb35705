import { loadChecks } from "../kernel/problems/checks.js";

// In the page the rules come moments after the first picture; tests begin when they are there.
await loadChecks();
