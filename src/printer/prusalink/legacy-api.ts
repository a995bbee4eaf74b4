import { Buffer } from "node:buffer";
import * as v from "valibot";
import { multipartForm } from "../multipart.ts";
import { LIST_BYTES, type MachineCalls } from "../polled/machine-calls.ts";
import { lenient, shortText } from "../polled/lenient.ts";
import type { MachineApi } from "../polled/machine.ts";

const flag = v.nullish(v.boolean(), false);

const printerReply = v.object({
  state: v.object({
    text: shortText,
    flags: v.object({
      ready: flag,
      operational: flag,
      printing: flag,
      paused: flag,
      pausing: flag,
      cancelling: flag,
      error: flag,
      closedOrError: flag,
    }),
  }),
  telemetry: v.nullish(v.object({ coverClosed: lenient(v.boolean()) }), {}),
});

const filesReply = v.object({
  files: v.array(v.object({ name: v.string(), size: lenient(v.number()) })),
  free: lenient(v.number()),
});

/**
 * The interface of the SL1's firmware up to 1.7, which resembles that of OctoPrint. Sources: a capture of a machine, and the server in
 * Prusa-Link-Web.
 */
export function legacyApi(calls: MachineCalls): MachineApi {
  const { json, order, remove } = calls;
  const files = (signal: AbortSignal) => json("/api/files/local", filesReply, signal, LIST_BYTES);
  const pathOf = (fileName: string): string => `/api/files/local/${encodeURIComponent(fileName)}`;
  return {
    async status(signal) {
      const { state, telemetry } = await json("/api/printer", printerReply, signal);
      const { text, flags } = state;
      const isOccupied =
        flags.printing || flags.paused || flags.pausing || flags.cancelling || flags.error || flags.closedOrError;
      const isOpen = telemetry.coverClosed === false;
      const isReady = (flags.ready || flags.operational) && !isOccupied && !isOpen;
      return { text: isOpen ? `${text}; its cover is open` : text, isReady };
    },
    freeBytes: async (signal) => (await files(signal)).free,
    upload: (...given) => uploadForm(calls, ...given),
    async has(fileName, bytes, signal) {
      const found = (await files(signal)).files.find(({ name }) => name === fileName);
      return found !== undefined && (found.size ?? bytes) === bytes;
    },
    async start(fileName, signal) {
      const body = [Buffer.from(JSON.stringify({ command: "select", print: true }))];
      const headers = { "Content-Type": "application/json" };
      await order({ method: "POST", path: pathOf(fileName), headers, body, signal });
    },
    remove: (fileName, signal) => remove({ method: "DELETE", path: pathOf(fileName), signal }),
  };
}

/** Uploads a file as a form, without starting it. */
export function uploadForm(
  { upload }: MachineCalls,
  ...[fileName, { path, bytes }, signal, onSent]: UploadArguments
): Promise<void> {
  const fields = [
    ["path", ""],
    ["print", "false"],
  ] as const;
  const form = multipartForm(fields, { field: "file", fileName, content: { path, from: 0, to: bytes } });
  return upload({ ...form, method: "POST", path: "/api/files/local", signal, onSent });
}

type UploadArguments = Parameters<MachineApi["upload"]>;
