import type { Options } from "./command-module.ts";
import { WORK_OPTIONS } from "./work-arguments.ts";

/** The default of the 0.9 interface. */
const DEFAULT_SCENE_CACHE_SIZE = 100;

/** The options of a server, in the form of `parseArgs`. */
export const SERVER_OPTIONS = {
  port: { type: "string" },
  host: { type: "string" },
  "allow-host": { type: "string", multiple: true, default: [] as string[] },
  ...WORK_OPTIONS,
  "compat-0.9": { type: "boolean", default: false },
  "scene-cache-size": { type: "string", default: String(DEFAULT_SCENE_CACHE_SIZE) },
  "state-folder": { type: "string" },
  "no-keep": { type: "boolean", default: false },
  open: { type: "boolean", default: false },
  events: { type: "string" },
  metrics: { type: "string" },
  "no-page": { type: "boolean", default: false },
  "hash-password": { type: "boolean" },
  openapi: { type: "boolean" },
  "api-docs": { type: "boolean" },
  help: { type: "boolean", short: "h" },
  version: { type: "boolean" },
} as const satisfies Options;
