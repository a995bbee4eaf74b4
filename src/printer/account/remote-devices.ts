import { printerTypes, printableMachineTypes } from "../../catalog/catalog.ts";
import { type PrinterType, UNKNOWN_MACHINE_TYPE } from "../../catalog/setting.ts";
import { type ApiError, operationFailed } from "../../core/api-error.ts";
import { type CartridgeData, type Device, QUEUE_PRODUCT_NAME, type QueueDevice, deviceVariant } from "../device.ts";
import type { JobTarget } from "../printer.ts";
import type { AccountState, ServiceGroup, ServicePrinter } from "./account-state.ts";

/** A printer without a ping for this long is not connected (reference of the account service). */
const PING_MS = 5 * 60_000;

/** The connected printers and the groups of an account, as targets that accept no jobs. `nowMs` is the clock of `state.readAtMs`. */
export function remoteDevices(state: AccountState, nowMs: number): JobTarget[] {
  const sinceMs = nowMs - state.readAtMs;
  const connected = state.printers.filter((printer) => isConnected(printer, state.serverMs + sinceMs));
  const groups = sinceMs < PING_MS ? state.groups : [];
  return [
    ...connected.map((printer) => printerTarget(printer, groupOf(printer, state.groups))),
    ...groups.map((group) => groupTarget(group, state.printers, connected)),
  ];
}

function isConnected({ printer_status }: ServicePrinter, nowMs: number): boolean {
  const pingedMs = Date.parse(printer_status?.last_pinged_at ?? "");
  return nowMs - pingedMs < PING_MS;
}

const groupOf = (printer: ServicePrinter, groups: readonly ServiceGroup[]): ServiceGroup | undefined =>
  groups.find(({ id, printers }) => id === printer.group?.id || printers?.includes(printer.serial));

function printerTarget(printer: ServicePrinter, group: ServiceGroup | undefined): JobTarget {
  const { serial, alias, machine_type_id } = printer;
  const printerType = typeOf(machine_type_id);
  return {
    id: serial,
    label: printerType?.label ?? `printer of ${machine_type_id ? `the type ${machine_type_id}` : "an unreported type"}`,
    otherNames: alias ? [alias] : [],
    machineTypes: machineTypesOf(machine_type_id),
    refusesAllJobs: true,
    remotePrinter: { printerType },
    describe: () => describe(printer, printerType, group),
    submit: () => Promise.reject(refusalOf(`printer "${serial}"`, "jobs", JOB_ADVICE)),
    installFirmware: () => Promise.reject(refusalOf(`printer "${serial}"`, "firmware", FIRMWARE_ADVICE)),
  };
}

const JOB_ADVICE =
  "name the server of the maker's program by --printer preform://HOST, or export the scene with its supports as .stl or .3mf with /v1/scene/export/";
const FIRMWARE_ADVICE = "install it at the printer or with the maker's program";

const refusalOf = (what: string, kind: string, advice: string): ApiError =>
  operationFailed(`The ${what} is known by its maker's account service alone, which takes no ${kind}: ${advice}.`);

/** Undefined for a type that the catalog lacks. */
const typeOf = (machineType: string | null | undefined): PrinterType | undefined => {
  const [own] = machineTypesOf(machineType);
  return printerTypes().find((type) => type.machineType === own);
};

/** A type that the catalog lacks is passed through. */
function machineTypesOf(machineType: string | null | undefined): string[] {
  if (!machineType) return [];
  const printable = printableMachineTypes(machineType);
  return printable.length > 0 ? printable : [machineType];
}

/** Describes a printer in the variant of its family. Fields that the service did not report are empty, 0 or false. */
function describe(printer: ServicePrinter, type: PrinterType | undefined, group: ServiceGroup | undefined): Device {
  const { printer_status: status, tank_status } = printer;
  const run = status?.current_print_run;
  const generic = {
    id: printer.serial,
    product_name: type?.productNames[0] ?? printer.machine_type_id ?? "Unknown printer",
    status: status?.status ?? "Unknown",
    is_connected: true,
    connection_type: "REMOTE",
    firmware_version: printer.firmware_version ?? "",
    ready_to_print_now: isReady(printer),
  } as const;
  const named = { ...generic, ip_address: "" };
  const resin = {
    ...named,
    estimated_print_time_remaining_ms: Math.max(0, Math.round(run?.estimated_time_remaining_ms ?? 0)),
    tank_id: tank_status?.tank?.serial ?? "",
    tank_material_code: tank_status?.tank?.material ?? "",
    cartridge_data: cartridgeData(printer),
  };
  const remote = { ...resin, is_remote_print_enabled: group?.remote_print_enabled_override ?? false };
  switch (type && deviceVariant(type)) {
    case "resin family 2":
      return resin;
    case "resin family 3":
      return { ...remote, form_auto_status: hasFormAuto(printer) ? "Installed" : "Not installed" };
    case "resin family 4":
      return remote;
    case "powder":
      return {
        ...named,
        bed_temperature_c: status?.current_temperature ?? 0,
        powder_level: status?.hopper_level == null ? "Unknown" : String(status.hopper_level),
        printing_layer: Math.round(run?.currently_printing_layer ?? 0),
        printing_guid: run?.guid ?? "",
        material_code: status?.hopper_material ?? "",
        cylinder_serial: "",
        powder_credit_g: status?.material_credit ?? 0,
      };
    default:
      return generic;
  }
}

/** The other values end in words such as `NOT_READY`. */
const isReady = ({ printer_status }: ServicePrinter): boolean =>
  printer_status?.ready_to_print === "READY_TO_PRINT_READY";

const hasFormAuto = ({ printer_status }: ServicePrinter): boolean => Boolean(printer_status?.form_cell);

function cartridgeData({ cartridge_status }: ServicePrinter): CartridgeData {
  const slots = Array.isArray(cartridge_status) ? cartridge_status : [cartridge_status];
  const cartridges = slots.flatMap((slot) => slot?.cartridge ?? []);
  return Object.fromEntries(
    cartridges.flatMap(({ serial, material, initial_volume_ml, volume_dispensed_ml }) => {
      const data = {
        materialCode: material ?? "",
        cartridgeEstimatedVolumeDispensed_mL: volume_dispensed_ml ?? 0,
        cartridgeOriginalVolume_mL: initial_volume_ml ?? 0,
      };
      return serial ? [[serial, data]] : [];
    }),
  );
}

function groupTarget(
  group: ServiceGroup,
  printers: readonly ServicePrinter[],
  connected: readonly ServicePrinter[],
): JobTarget {
  const { id, name } = group;
  const serials = [...new Set((group.printers ?? []).filter((serial) => serial !== null && serial !== undefined))];
  const bySerial = new Map(printers.map((printer) => [printer.serial, printer]));
  const members = serials.flatMap((serial) => bySerial.get(serial) ?? []);
  const ready = connected.filter((printer) => serials.includes(printer.serial) && isReady(printer)).length;
  const types = [...new Set(members.flatMap(({ machine_type_id }) => machine_type_id || []))];
  const device: QueueDevice = {
    id,
    product_name: QUEUE_PRODUCT_NAME,
    status: `${name ?? "A group"}: ${ready} of ${serials.length} ${serials.length === 1 ? "printer" : "printers"} ready`,
    is_connected: true,
    firmware_version: "",
    dashboard_group_id: id,
    dashboard_queue_id: id,
    ready_to_print_now: ready > 0,
    queue_paused: false,
    has_form_auto: members.some(hasFormAuto),
    supported_machine_type_ids: types,
    printers: serials.map((serial) => ({
      id: serial,
      machine_type_id: bySerial.get(serial)?.machine_type_id ?? UNKNOWN_MACHINE_TYPE,
    })),
  };
  return {
    id,
    label: "group of printers",
    otherNames: name ? [name] : [],
    machineTypes: [...new Set(types.flatMap(machineTypesOf))],
    refusesAllJobs: true,
    describe: () => device,
    submit: () => Promise.reject(refusalOf(`group "${name ?? id}"`, "jobs", JOB_ADVICE)),
    installFirmware: () => Promise.reject(refusalOf(`group "${name ?? id}"`, "firmware", FIRMWARE_ADVICE)),
  };
}
