import * as v from "valibot";
import { excerpt, notFound, operationFailed } from "../../core/api-error.ts";
import { parseId } from "../../core/id.ts";
import type { Device } from "../../printer/device.ts";
import { type JobTarget, isPrinter } from "../../printer/printer.ts";
import type { Printers } from "../../printer/printers.ts";
import { servesServer } from "../../api/endpoint.ts";
import { field, object, strictObject } from "../../api/field.ts";
import { integer, uuid } from "../../api/schema.ts";
import { notConnectedMessage } from "../../api/preconditions.ts";

const CONNECTION_TYPES = ["UNKNOWN", "VIRTUAL", "REMOTE", "USB", "WIFI", "ETHERNET"] as const;

const commonFields = {
  id: field(v.string(), "Serial name of the printer, or id of the queue."),
  product_name: field(v.string(), "Name of the product."),
  status: field(v.string(), "Activity of the printer, as text for people."),
  is_connected: field(v.boolean(), "Whether the printer is connected."),
  firmware_version: field(v.string(), "Version of the printer's firmware."),
};

const genericDevice = object({
  ...commonFields,
  connection_type: field(v.optional(v.picklist(CONNECTION_TYPES)), "How the printer is connected."),
  ip_address: field(v.optional(v.string()), "Address of the printer in the network."),
  ready_to_print_now: field(v.optional(v.boolean()), "Whether the printer can begin a print now."),
});

const networkFields = {
  ...commonFields,
  connection_type: field(v.picklist(CONNECTION_TYPES), "How the printer is connected."),
  ip_address: field(v.string(), "Address of the printer in the network."),
  ready_to_print_now: field(v.boolean(), "Whether the printer can begin a print now."),
};

const resinFields = {
  ...networkFields,
  estimated_print_time_remaining_ms: field(
    integer,
    "Time left of the current print in milliseconds (ms); 0 if there is none.",
  ),
  tank_id: field(v.string(), "Id of the resin tank."),
  tank_material_code: field(v.string(), "Code of the resin for which the tank is used."),
  cartridge_data: field(
    v.record(
      v.string(),
      object({
        materialCode: field(v.string(), "Code of the resin in the cartridge."),
        cartridgeEstimatedVolumeDispensed_mL: field(v.number(), "Resin dispensed by the cartridge so far, in ml."),
        cartridgeOriginalVolume_mL: field(v.number(), "Resin in the full cartridge, in ml."),
      }),
    ),
    "The resin cartridges by their ids, as the printer reports them.",
  ),
};

const remoteResinFields = {
  ...resinFields,
  is_remote_print_enabled: field(v.boolean(), "Whether jobs may start without a person at the printer."),
};

const powderDevice = object({
  ...networkFields,
  bed_temperature_c: field(v.number(), "Temperature of the powder bed in °C."),
  powder_level: field(v.string(), "How much powder is left, in words for people."),
  printing_layer: field(integer, "Number of the layer that is printed, 1-based; 0 if none is."),
  printing_guid: field(v.string(), "Id of the job that is printed; empty if there is none."),
  material_code: field(v.string(), "Code of the powder in the printer."),
  cylinder_serial: field(v.string(), "Serial number of the build cylinder."),
  powder_credit_g: field(v.number(), "Powder that may still be used, in grams (g)."),
});

const queueDevice = object({
  ...commonFields,
  connection_type: field(v.optional(v.picklist(CONNECTION_TYPES)), "How the printer is connected."),
  dashboard_group_id: field(uuid, "Id of the group of printers."),
  dashboard_queue_id: field(uuid, "Id of the queue, to which jobs can be sent."),
  ready_to_print_now: field(v.boolean(), "Whether the printer can begin a print now."),
  queue_paused: field(v.boolean(), "Whether the queue currently sends no jobs to its printers."),
  has_form_auto: field(v.boolean(), "Whether a printer of the queue has an automated handling accessory."),
  supported_machine_type_ids: field(v.array(v.string()), "Ids of the machine types."),
  printers: field(
    v.array(
      object({
        id: field(v.string(), "Serial name of the printer."),
        machine_type_id: field(v.string(), "Id of the machine type of the printer."),
      }),
    ),
    "The printers of the queue.",
  ),
});

/** Printers, each in the variant of its family (interface, "Device fields"). */
const devicesReply = object({
  count: field(integer, "Number of devices."),
  devices: field(
    v.array(
      v.union([
        object({
          ...remoteResinFields,
          form_auto_status: field(v.string(), "Activity of the automated handling accessory, as text for people."),
        }),
        object(remoteResinFields),
        object(resinFields),
        powderDevice,
        queueDevice,
        genericDevice,
      ]),
    ),
    "Printers and queues.",
  ),
});

export const listDevices = servesServer(
  {
    method: "GET",
    path: "/v1/device/list/",
    summary:
      "Lists the connected printers and queues. With `can_print` it lists only the printers that accept a job now, to print it or to hold it (see ready_to_print_now). With `devices` it lists the named printers in the given order, and ignores `can_print`.",
    query: object({
      can_print: field(
        v.optional(v.picklist(["true", "false"]), "false"),
        "Whether only printers are listed that can take a job now; ignored with devices.",
      ),
    }),
    body: strictObject({
      devices: field(
        v.optional(v.array(v.string()), []),
        "Serial names of the printers to list; all if absent or empty.",
      ),
    }),
    bodyOptional: true,
    reply: devicesReply,
  },
  ({ printers }, { query, body }) => {
    // An empty list selects all printers, as everywhere in the interface.
    if (body.devices.length > 0) return devicesOnWire(findPrinters(printers, body.devices));
    const connected = printers.list();
    return devicesOnWire(query.can_print === "true" ? connected.filter(acceptsJobs) : connected);
  },
);

const acceptsJobs = (target: JobTarget): boolean =>
  isPrinter(target) && (target.acceptsJobs ? target.acceptsJobs() : target.isReady());

function findPrinters(printers: Printers, serialNames: readonly string[]): JobTarget[] {
  const connected = new Map(printers.list().map((printer) => [printer.id, printer]));
  return [...new Set(serialNames)].map((name) => {
    const printer = connected.get(name) ?? connected.get(parseId(name) ?? name);
    if (!printer)
      throw notFound(`No connected device is called "${excerpt(name)}": list all with device/list without names.`);
    return printer;
  });
}

/** Our choice, the interface has no default: printers announce themselves every few seconds. */
const DEFAULT_TIMEOUT_S = 10;
/** Our choice: a synchronous call has ten minutes, and asks for printers again sooner than that. */
const MAX_TIMEOUT_S = 540;

export const discoverDevices = servesServer(
  {
    method: "POST",
    path: "/v1/device/discover/",
    summary:
      "Waits, for nine minutes at most, until printers announce themselves, or until the named printer does. Lists the connected printers except virtual printers.",
    body: strictObject({
      timeout_seconds: field(
        v.optional(v.pipe(v.number(), v.integer(), v.minValue(0)), DEFAULT_TIMEOUT_S),
        "Time to wait for printers in seconds; values above 540 count as 540.",
      ),
      printer: field(v.optional(v.string()), "Serial name or address of the printer."),
    }),
    bodyOptional: true,
    reply: devicesReply,
    async: true,
  },
  async ({ printers }, { body: { timeout_seconds, printer } }, { signal, report }) => {
    const timeoutS = Math.min(timeout_seconds, MAX_TIMEOUT_S);
    if (printer === undefined) await printers.discover(timeoutS, signal, report);
    else {
      const found = await printers.findWithin(printer, timeoutS, signal, report);
      if (!found) throw operationFailed(notConnectedMessage(printers, printer, NOT_DISCOVERED));
      if (isVirtual(found)) return devicesOnWire([]);
    }
    return devicesOnWire(printers.list().filter((one) => !isVirtual(one)));
  },
);

const isVirtual = (target: JobTarget): boolean => target.describe().connection_type === "VIRTUAL";

const NOT_DISCOVERED =
  ", and none announced itself in time: check its serial name or address, and that it is switched on and in this network";

/** The reply for printers and queues in their current state. */
function devicesOnWire(printers: readonly JobTarget[]): { count: number; devices: Device[] } {
  return { count: printers.length, devices: printers.map((printer) => printer.describe()) };
}
