import * as v from "valibot";
import { type Fault, operationFailed } from "../../core/fault.ts";
import { shortened } from "../../core/shortened.ts";
import type { Printer } from "../../printer/printer.ts";
import { servesServer } from "../endpoint.ts";
import { devicesOnWire } from "./devices-on-wire.ts";
import { devicesReply } from "./schema.ts";

/** The interface names none; printers that announce themselves do so every few seconds. */
const DEFAULT_TIMEOUT_S = 10;

export const discoverDevices = servesServer(
  {
    method: "POST",
    path: "/v1/device/discover/",
    summary:
      "Waits for printers to announce themselves, or for the one named; answers the connected ones, virtual ones not.",
    body: v.strictObject({
      timeout_seconds: v.optional(v.pipe(v.number(), v.integer(), v.minValue(0)), DEFAULT_TIMEOUT_S),
      printer: v.optional(v.string()),
    }),
    bodyOptional: true,
    reply: devicesReply,
    async: true,
  },
  async ({ printers }, { body: { timeout_seconds, printer } }, { throwIfCancelled }) => {
    if (printer === undefined) await printers.discover(timeout_seconds, throwIfCancelled);
    else {
      const found = await printers.findWithin(printer, timeout_seconds, throwIfCancelled);
      if (!found) throw nobody(printer);
      if (isVirtual(found)) return devicesOnWire([]);
    }
    return devicesOnWire(printers.list().filter((one) => !isVirtual(one)));
  },
);

const isVirtual = (printer: Printer): boolean => printer.describe().connection_type === "VIRTUAL";

const nobody = (target: string): Fault =>
  operationFailed(
    `No connected printer is called "${shortened(target)}", and none announced itself in time: check its serial name or ` +
      "address, and that it is switched on and in this network.",
  );
