import { askEarly } from "./kernel/server/early.js";

// Zod tries `new Function` as soon as a shape is made, which the page's content security policy forbids and reports.
// It looks here before (its `z.config()` is this object), so this stands in front of all that brings shapes along.
Object.assign(globalThis, { __zod_globalConfig: { jitless: true } });

askEarly();
