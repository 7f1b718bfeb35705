export { ConfinedFolder } from "./confinedFolder.js";
export { refusalOf, WriteRefusal } from "./refusal.js";
