import { z } from "zod";

/** Where the browser's socket is. */
export const SOCKET_PATH = "/api/socket";

/** Forms of the names and ids in addresses and bodies: what has another form is refused before it is looked up. */
/** Of projects and files: they say nothing about paths. */
export const OPAQUE_ID = /^[0-9a-f]{20}$/;
export const REVISION = /^[0-9a-f]{32}$/;
export const BINARY_NAME = /^[a-z][a-z0-9_-]{0,63}$/;
export const SERVICE_NAME = /^[A-Za-z][A-Za-z0-9_]{0,63}$/;
export const FLOW_NAME = /^[A-Z][A-Za-z0-9]{0,63}$/;

export const projectId = z.string().regex(OPAQUE_ID, "no project id");
export const binaryName = z.string().regex(BINARY_NAME, "no name of a binary");
export const presetName = z.string().regex(BINARY_NAME, "no name of a preset");
export const serviceName = z.string().regex(SERVICE_NAME, "no name of a service");
export const flowName = z.string().regex(FLOW_NAME, "no name of a flow");
/** Of a project, as typed: the workspace says what is wrong with it. */
export const typedName = z.string().max(200);

/** Presets of a project's CMakePresets.json. */
export const BUILD_PRESETS = ["release", "fastest", "dev", "asan", "tsan"] as const;
export type BuildPreset = (typeof BUILD_PRESETS)[number];
