import { askEarly } from "./kernel/server/early.js";

askEarly();
