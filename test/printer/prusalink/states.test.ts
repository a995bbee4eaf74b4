import assert from "node:assert/strict";
import { test } from "node:test";
import * as v from "valibot";
import type { MachineCalls } from "../../../src/printer/polled/machine-calls.ts";
import { legacyApi } from "../../../src/printer/prusalink/legacy-api.ts";
import { v1Api } from "../../../src/printer/prusalink/v1-api.ts";

const { signal } = new AbortController();

/** A machine that answers every request with `body`. */
const answering = (body: unknown): MachineCalls =>
  ({ json: async (_: string, schema: v.GenericSchema) => v.parse(schema, body) }) as unknown as MachineCalls;

const V1: readonly (readonly [printer: object, rest: object, isReady: boolean, text: string])[] = [
  [{ state: "IDLE" }, {}, true, "IDLE"],
  [{ state: "READY", cover_closed: true, is_calibrated: true, status_printer: { ok: true } }, {}, true, "READY"],
  [{ state: "FINISHED", cover_closed: null, is_calibrated: null }, { job: null, transfer: null }, true, "FINISHED"],
  [{ state: "STOPPED" }, { job: { progress: "?" } }, true, "STOPPED"],
  [{ state: "IDLE", cover_closed: false }, {}, false, "IDLE; its cover is open"],
  [{ state: "IDLE", is_calibrated: false }, {}, false, "IDLE; it is not calibrated"],
  [{ state: "IDLE", status_printer: { ok: false, message: "Fan\u0007 stuck" } }, {}, false, "IDLE; Fan  stuck"],
  [{ state: "IDLE" }, { transfer: { id: 3, progress: 12 } }, false, "IDLE"],
  [{ state: "PRINTING" }, { job: { id: 1, progress: 41.6 } }, false, "PRINTING; 42 %"],
  ...["BUSY", "PAUSED", "ERROR", "ATTENTION", "POUR IN RESIN", "FEED ME", "SELECTED", "SOMETHING NEW"].map(
    (state) => [{ state }, {}, false, state] as const,
  ),
];

test("version 1: a machine accepts a print if it is idle, closed and calibrated, and in no other state", async () => {
  for (const [printer, rest, isReady, text] of V1) {
    assert.deepEqual(await v1Api(answering({ printer, ...rest }), true).status(signal), { text, isReady });
  }
});

const LEGACY: readonly (readonly [text: string, flags: object, coverClosed: unknown, isReady: boolean])[] = [
  ["Ready", { ready: true, operational: true }, true, true],
  ["Operational", { operational: true }, undefined, true],
  ["Ready", { ready: true }, null, true],
  ["Ready", { ready: true }, false, false],
  ["Printing", { operational: true, ready: true, printing: true }, true, false],
  ["Paused", { operational: true, paused: true }, true, false],
  ["Cancelling", { operational: true, cancelling: true }, true, false],
  ["Error", { operational: true, error: true }, true, false],
  ["Offline", { closedOrError: true, ready: true }, true, false],
  ["Busy", {}, true, false],
];

test("older firmware: its flags decide whether it accepts a print", async () => {
  for (const [text, flags, coverClosed, isReady] of LEGACY) {
    const body = { state: { text, flags }, telemetry: coverClosed === undefined ? null : { coverClosed } };
    const expected = { text: coverClosed === false ? `${text}; its cover is open` : text, isReady };
    assert.deepEqual(await legacyApi(answering(body)).status(signal), expected);
  }
});

test("the storage is the machine's own writable one", async () => {
  const usb = { type: "USB", path: "/usb", free_space: 1 };
  const free = (...storage_list: object[]) => v1Api(answering({ storage_list }), true).freeBytes(signal);
  assert.equal(await free(usb, { type: "LOCAL", path: "/local", free_space: 7, available: null }), 7);
  assert.equal(await free({ type: "LOCAL", path: "/local", read_only: false, free_space: null }), undefined);
  for (const unfit of [{ read_only: true }, { ro: true }, { available: false }]) {
    await assert.rejects(free(usb, { type: "LOCAL", path: "/local", ...unfit }), /no writable internal storage/);
  }
});
