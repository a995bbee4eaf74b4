import * as v from "valibot";
import { notFound } from "../../core/fault.ts";
import { shortened } from "../../core/shortened.ts";
import type { Printer } from "../../printer/printer.ts";
import type { Printers } from "../../printer/printers.ts";
import { servesServer } from "../endpoint.ts";
import { ids } from "../schema.ts";
import { devicesOnWire } from "./devices-on-wire.ts";
import { devicesReply } from "./schema.ts";

export const listDevices = servesServer(
  {
    method: "GET",
    path: "/v1/device/list/",
    summary: "The connected printers; with `devices` those named, in that order, whatever `can_print` says.",
    query: v.object({ can_print: v.optional(v.picklist(["true", "false"]), "false") }),
    body: v.strictObject({ devices: v.optional(ids, []) }),
    bodyOptional: true,
    reply: devicesReply,
  },
  ({ printers }, { query, body }) => {
    // No names select all, as everywhere in the interface where names are optional.
    if (body.devices.length > 0) return devicesOnWire(named(printers, body.devices));
    const connected = printers.list();
    return devicesOnWire(query.can_print === "true" ? connected.filter((printer) => printer.isReady()) : connected);
  },
);

function named(printers: Printers, serialNames: readonly string[]): Printer[] {
  const connected = new Map(printers.list().map((printer) => [printer.id, printer]));
  return [...new Set(serialNames)].map((name) => {
    const printer = connected.get(name);
    if (!printer)
      throw notFound(`No connected device is called "${shortened(name)}": device/list without names has all.`);
    return printer;
  });
}
