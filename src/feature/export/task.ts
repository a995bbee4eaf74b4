import { distinctFacets } from "../facet-memory.ts";
import { bySize } from "../../worker/expected-time.ts";
import { defineTask } from "../../worker/task.ts";

const BYTES_PER_FACET = 30;
/** The name and pose of a body in a file. */
const BYTES_PER_BODY = 3000;

export const exportFileTask = defineTask({
  name: "exportFile",
  load: async () => (await import("./export-file.ts")).exportFile,
  memory: ({ bodies }) => BYTES_PER_FACET * distinctFacets(bodies) + BYTES_PER_BODY * bodies.length,
  progress: "whole",
  repeatable: true,
  transfer: "copy",
  expectedMs: bySize,
});
