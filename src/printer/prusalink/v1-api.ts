import * as v from "valibot";
import { operationFailed } from "../../core/api-error.ts";
import type { MachineCalls } from "../polled/machine-calls.ts";
import { lenient, shortText } from "../polled/lenient.ts";
import type { MachineApi } from "../polled/machine.ts";
import { uploadForm } from "./legacy-api.ts";

const statusReply = v.object({
  printer: v.object({
    state: shortText,
    status_printer: lenient(v.object({ ok: lenient(v.boolean()), message: lenient(shortText) })),
    cover_closed: lenient(v.boolean()),
    is_calibrated: lenient(v.boolean()),
  }),
  job: lenient(v.object({ progress: lenient(v.number()) })),
  transfer: lenient(v.object({})),
});

const storageReply = v.object({
  storage_list: v.array(
    v.object({
      type: v.string(),
      path: v.string(),
      read_only: lenient(v.boolean()),
      ro: lenient(v.boolean()),
      available: v.nullish(v.boolean(), true),
      free_space: lenient(v.number()),
    }),
  ),
});

/**
 * States in which a machine can start a print (Prusa-Link-Web). In all others, also unknown ones and those that wait for a person, a print
 * is under way.
 */
const READY_STATES = new Set(["IDLE", "READY", "FINISHED", "STOPPED"]);

/** Version 1 of PrusaLink's interface (spec/openapi.yaml of Prusa-Link-Web), for files in the machine's own storage. */
export function v1Api(calls: MachineCalls, takesPut: boolean): MachineApi {
  const { json, order, remove, status, upload } = calls;
  async function storage(signal: AbortSignal) {
    const { storage_list } = await json("/api/v1/storage", storageReply, signal);
    const local = storage_list.find((one) => one.type === "LOCAL" && one.available && !(one.read_only ?? one.ro));
    if (local) return local;
    throw operationFailed("it has no writable internal storage: look at its screen");
  }
  /** Use the storage path in URLs exactly as reported. */
  const pathOf = async (fileName: string, signal: AbortSignal): Promise<string> =>
    `/api/v1/files${(await storage(signal)).path}/${encodeURIComponent(fileName)}`;
  return {
    async status(signal) {
      const { printer, job, transfer } = await json("/api/v1/status", statusReply, signal);
      const hindrances = [
        ...(printer.cover_closed === false ? ["its cover is open"] : []),
        ...(printer.is_calibrated === false ? ["it is not calibrated"] : []),
        ...(printer.status_printer?.ok === false ? [printer.status_printer.message ?? "it reports an error"] : []),
      ];
      const progress = job?.progress === undefined ? [] : [`${Math.round(job.progress)} %`];
      const isReady = READY_STATES.has(printer.state) && hindrances.length === 0 && transfer === undefined;
      return { text: [printer.state, ...progress, ...hindrances].join("; "), isReady };
    },
    freeBytes: async (signal) => (await storage(signal)).free_space,
    async upload(...given) {
      if (!takesPut) return uploadForm(calls, ...given);
      const [fileName, spooled, signal, onSent] = given;
      // The headers `Overwrite` and `Print-After-Upload` are not sent: older versions take any value of them for a yes. The content type is
      // the one that the machine's own page and slicer use, also for resin jobs.
      const headers = { "Content-Type": "text/x.gcode" };
      const body = [{ path: spooled.path, from: 0, to: spooled.bytes }];
      await upload({ method: "PUT", path: await pathOf(fileName, signal), headers, body, signal, onSent });
    },
    has: async (fileName, _, signal) =>
      (await status({ method: "HEAD", path: await pathOf(fileName, signal), signal })) === 200,
    start: async (fileName, signal) => order({ method: "POST", path: await pathOf(fileName, signal), signal }),
    remove: async (fileName, signal) => remove({ method: "DELETE", path: await pathOf(fileName, signal), signal }),
  };
}
