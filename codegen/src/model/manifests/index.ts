export { type SettingFormat, type Settings, type SettingSchema } from "../settings/index.js";
export * from "./manifest.js";
export * from "./ports.js";
export * from "./settings.js";
export * from "./sqlParameters.js";
export * from "./textPieces.js";
export * from "./urlFault.js";
