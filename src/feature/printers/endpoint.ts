import * as v from "valibot";
import { excerpt, notFound, operationFailed } from "../../core/api-error.ts";
import { parseId } from "../../core/id.ts";
import type { Device } from "../../printer/device.ts";
import { type JobTarget, isPrinter } from "../../printer/printer.ts";
import type { Printers } from "../../printer/printers.ts";
import { servesServer } from "../../api/endpoint.ts";
import { notConnectedMessage } from "../../api/preconditions.ts";
import { integer, uuid } from "../../api/schema.ts";

const CONNECTION_TYPES = ["UNKNOWN", "VIRTUAL", "REMOTE", "USB", "WIFI", "ETHERNET"] as const;

const commonFields = {
  id: v.string(),
  product_name: v.string(),
  status: v.string(),
  is_connected: v.boolean(),
  firmware_version: v.string(),
};

const genericDevice = v.object({
  ...commonFields,
  connection_type: v.optional(v.picklist(CONNECTION_TYPES)),
  ip_address: v.optional(v.string()),
  ready_to_print_now: v.optional(v.boolean()),
});

const networkFields = {
  ...commonFields,
  connection_type: v.picklist(CONNECTION_TYPES),
  ip_address: v.string(),
  ready_to_print_now: v.boolean(),
};

const resinFields = {
  ...networkFields,
  estimated_print_time_remaining_ms: integer,
  tank_id: v.string(),
  tank_material_code: v.string(),
  cartridge_data: v.record(
    v.string(),
    v.object({
      materialCode: v.string(),
      cartridgeEstimatedVolumeDispensed_mL: v.number(),
      cartridgeOriginalVolume_mL: v.number(),
    }),
  ),
};

const remoteResinFields = { ...resinFields, is_remote_print_enabled: v.boolean() };

const powderDevice = v.object({
  ...networkFields,
  bed_temperature_c: v.number(),
  powder_level: v.string(),
  printing_layer: integer,
  printing_guid: v.string(),
  material_code: v.string(),
  cylinder_serial: v.string(),
  powder_credit_g: v.number(),
});

const queueDevice = v.object({
  ...commonFields,
  connection_type: v.optional(v.picklist(CONNECTION_TYPES)),
  dashboard_group_id: uuid,
  dashboard_queue_id: uuid,
  ready_to_print_now: v.boolean(),
  queue_paused: v.boolean(),
  has_form_auto: v.boolean(),
  supported_machine_type_ids: v.array(v.string()),
  printers: v.array(v.object({ id: v.string(), machine_type_id: v.string() })),
});

/** Printers, each in the variant of its family (interface, "Device fields"). */
const devicesReply = v.object({
  count: integer,
  devices: v.array(
    v.union([
      v.object({ ...remoteResinFields, form_auto_status: v.string() }),
      v.object(remoteResinFields),
      v.object(resinFields),
      powderDevice,
      queueDevice,
      genericDevice,
    ]),
  ),
});

export const listDevices = servesServer(
  {
    method: "GET",
    path: "/v1/device/list/",
    summary:
      "Lists the connected printers and queues, or with can_print only the printers that take a job now, to print it or to hold it (ready_to_print_now tells which). With `devices` it lists the named ones, in that order, regardless of `can_print`.",
    query: v.object({ can_print: v.optional(v.picklist(["true", "false"]), "false") }),
    body: v.strictObject({ devices: v.optional(v.array(v.string()), []) }),
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
      "Waits until printers announce themselves, or until the named one does, for nine minutes at most. Lists the connected printers without virtual ones.",
    body: v.strictObject({
      timeout_seconds: v.optional(v.pipe(v.number(), v.integer(), v.minValue(0)), DEFAULT_TIMEOUT_S),
      printer: v.optional(v.string()),
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

/** The reply for printers and queues in their present state. */
function devicesOnWire(printers: readonly JobTarget[]): { count: number; devices: Device[] } {
  return { count: printers.length, devices: printers.map((printer) => printer.describe()) };
}
