export * from "./settingSchema.js";
