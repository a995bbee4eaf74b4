import { bySize } from "../../worker/expected-time.ts";
import { defineTask } from "../../worker/task.ts";

export const packChamberTask = defineTask({
  name: "packChamber",
  load: async () => (await import("../../pack/pack-chamber.ts")).packChamber,
  memory: async (request) => (await import("./packing-memory.ts")).packingBytes(request),
  progress: "items",
  repeatable: true,
  transfer: "copy",
  expectedMs: bySize,
});

export const fillWithCopiesTask = defineTask({
  name: "fillWithCopies",
  load: async () => (await import("../../pack/fill-chamber.ts")).fillChamber,
  memory: async ({ sources, maxCopies, ...chamber }) =>
    (await import("./packing-memory.ts")).packingBytes({ ...chamber, parts: sources }, maxCopies),
  progress: "items",
  repeatable: true,
  transfer: "copy",
  expectedMs: bySize,
});
