import { askEarly } from "./server/early.js";

askEarly();
