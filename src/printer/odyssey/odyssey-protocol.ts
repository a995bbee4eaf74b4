import * as v from "valibot";
import { printerTypes } from "../../catalog/catalog.ts";
import { noLog } from "../../core/event-log.ts";
import { httpCall } from "../http-client.ts";
import { multipartForm } from "../multipart.ts";
import { USUAL_PORTS } from "../known-printers.ts";
import { LIST_BYTES, type MachineCalls, newMachineCalls } from "../polled/machine-calls.ts";
import { lenient, shortText } from "../polled/lenient.ts";
import { type Machine, type MachineApi, POLL_TIMING, type PollTiming } from "../polled/machine.ts";
import { type PolledHost, type PolledOptions, polledProtocol } from "../polled/polled-protocol.ts";
import type { Protocol } from "../printer.ts";

/**
 * The protocol of self-built printers with Odyssey, which prints jobs of an SL1. Odyssey does not announce itself: such printers are known
 * or not found.
 */
export function odysseyProtocol({ known, log = noLog, timing = POLL_TIMING }: PolledOptions): Protocol {
  return polledProtocol({ protocol: "odyssey", known, port: USUAL_PORTS.odyssey, identify, timing, log });
}

const statusReply = v.object({
  status: shortText,
  paused: lenient(v.boolean()),
  layer: lenient(v.number()),
  print_data: lenient(v.object({ layer_count: lenient(v.number()) })),
});

const filesReply = v.object({
  files: v.array(v.object({ file_data: v.object({ path: v.string(), file_size: lenient(v.number()) }) })),
  next_index: lenient(v.number()),
});

/**
 * Identifies a machine with Odyssey, which has no name, serial or type. It prints the layers of a job unchanged, and `.sl1` jobs come from
 * the profile of the SL1: unless the user gives another machine type, scenes for the SL1 fit.
 */
async function identify({ base, known }: PolledHost, timing: PollTiming, signal: AbortSignal): Promise<Machine> {
  const limits = { replyMs: timing.replyMs, connectMs: timing.replyMs };
  const send: Parameters<typeof newMachineCalls>[0]["send"] = (call) =>
    httpCall({ ...call, url: new URL(call.path, base), limits: { ...limits, ...call.limits } });
  const api = odysseyApi(newMachineCalls({ base, send, prepare: async () => {} }, timing.uploadReplyMs));
  await api.status(signal);
  const machineType = known.machineType ?? "PRUSA-SL1";
  return {
    id: known.name ?? known.host,
    otherNames: [known.host],
    // The printers file can only name machine types of the catalog.
    printerType: printerTypes().find((type) => type.machineType === machineType)!,
    machineTypes: [machineType],
    firmwareVersion: "",
    firmwareWay: "update Odyssey as its own page says",
    api,
  };
}

function odysseyApi({ json, order, remove, upload }: MachineCalls): MachineApi {
  const place = (fileName: string): string => `file_path=${encodeURIComponent(fileName)}&location=Local`;
  return {
    async status(signal) {
      const { status, paused, layer, print_data } = await json("/status", statusReply, signal);
      const layers = print_data?.layer_count;
      const at = layer !== undefined && layers !== undefined ? `, layer ${layer} of ${layers}` : "";
      return { text: `${status}${paused === true ? ", paused" : ""}${at}`, isReady: status === "Idle" };
    },
    freeBytes: async () => undefined,
    async upload(fileName, { path, bytes }, signal, onSent) {
      const form = multipartForm([], { field: "file", fileName, content: { path, from: 0, to: bytes } });
      await upload({ ...form, method: "POST", path: "/files", signal, onSent });
    },
    async has(fileName, bytes, signal) {
      for (let index: number | null = 0, pages = 0; index !== null && pages < MAX_PAGES; pages++) {
        const path = `/files?location=Local&page_index=${index}&page_size=${PAGE_SIZE}`;
        const page: v.InferOutput<typeof filesReply> = await json(path, filesReply, signal, LIST_BYTES);
        const found = page.files.find(({ file_data }) => file_data.path === fileName);
        if (found) return (found.file_data.file_size ?? bytes) === bytes;
        index = page.next_index ?? null;
      }
      return false;
    },
    start: (fileName, signal) => order({ method: "POST", path: `/print/start?${place(fileName)}`, signal }),
    remove: (fileName, signal) => remove({ method: "DELETE", path: `/file?${place(fileName)}`, signal }),
  };
}

const PAGE_SIZE = 100;
/** Bounds a list that never ends. */
const MAX_PAGES = 100;
