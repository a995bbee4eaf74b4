import { entriesOf } from "../../catalog/catalog.ts";
import type { PowderProfile } from "../../catalog/profile-types.ts";
import { profileOf } from "../../catalog/profile.ts";
import type { PrinterType } from "../../catalog/setting.ts";
import { type CartridgeData, type Device, type PowderDevice, deviceVariant } from "../device.ts";
import { type PrinterSnapshot, currentLayer } from "./snapshot.ts";
import { must } from "../../core/must.ts";

/** Describes a virtual printer in the variant of its family. Values that only a real machine has are plausible inventions. */
export function describe(id: string, printerType: PrinterType, snapshot: PrinterSnapshot): Device {
  const { materialCode, print, isReady, firmwareVersion } = snapshot;
  const generic = {
    id,
    product_name: printerType.productNames[0],
    status: statusText(snapshot),
    is_connected: true,
    connection_type: "VIRTUAL",
    firmware_version: firmwareVersion,
    ready_to_print_now: isReady,
  } as const;
  // Named families always have this field; it is empty for a printer that is not on the network.
  const named = { ...generic, ip_address: "" };
  const resin = {
    ...named,
    estimated_print_time_remaining_ms: Math.round((print?.progress.remainingS ?? 0) * 1000),
    tank_id: `${id}-tank-${materialCode}`,
    tank_material_code: materialCode,
    cartridge_data: cartridgeData(id, snapshot),
  };
  switch (deviceVariant(printerType)) {
    case "resin family 2":
      return resin;
    case "resin family 3":
      return { ...resin, is_remote_print_enabled: true, form_auto_status: "Not installed" };
    case "resin family 4":
      return { ...resin, is_remote_print_enabled: true };
    case "powder":
      return {
        ...named,
        ...powderSupply(printerType, snapshot),
        printing_layer: currentLayer(snapshot),
        printing_guid: print?.job.id ?? "",
        material_code: materialCode,
        cylinder_serial: `${id}-cylinder`,
      };
    case "generic":
      return generic;
  }
}

/** The activity of a printer and the number of jobs it holds, for display. */
function statusText(snapshot: PrinterSnapshot): string {
  const { held } = snapshot;
  if (held === 0) return activityText(snapshot);
  return `${activityText(snapshot)}; holds ${held} ${held === 1 ? "job" : "jobs"}`;
}

function activityText(snapshot: PrinterSnapshot): string {
  const { print, finished, isReceiving } = snapshot;
  if (print) {
    const name = JSON.stringify(print.job.name);
    if (print.progress.phase === "preparing") return `Preparing to print ${name}`;
    if (print.progress.phase === "cooling") return `Cooling down after ${name}`;
    return `Printing ${name}, layer ${currentLayer(snapshot)} of ${print.layerCount}`;
  }
  if (isReceiving) return "Receiving a job";
  return finished === undefined ? "Ready" : `Ready; finished ${JSON.stringify(finished)}`;
}

/** Volume of the cartridge of the smaller machines. */
const CARTRIDGE_ML = 1000;

/** The cartridge of a virtual printer. An empty one is replaced by the next. */
function cartridgeData(id: string, { materialCode, usedMl }: PrinterSnapshot): CartridgeData {
  const usedUp = Math.floor(usedMl / CARTRIDGE_ML);
  return {
    [`${id}-cartridge-${materialCode}-${usedUp + 1}`]: {
      materialCode,
      cartridgeEstimatedVolumeDispensed_mL: usedMl - usedUp * CARTRIDGE_ML,
      cartridgeOriginalVolume_mL: CARTRIDGE_ML,
    },
  };
}

const ROOM_C = 22;
/** Invented: the mass of powder of a new printer, which is refilled when it is empty. */
const CREDIT_G = 12_000;

type Supply = Pick<PowderDevice, "bed_temperature_c" | "powder_level" | "powder_credit_g">;

/** Bed temperature and powder level of a virtual powder printer. Heating and cooling are linear in time. */
function powderSupply(printerType: PrinterType, snapshot: PrinterSnapshot): Supply {
  const profile = profileFor(printerType, snapshot.materialCode);
  const usedG = snapshot.usedMl * profile.densityGPerMl;
  const left = 1 - (usedG % CREDIT_G) / CREDIT_G;
  return {
    bed_temperature_c: bedTemperatureC(profile, snapshot),
    powder_level: `${Math.ceil(left * 100)} % full`,
    powder_credit_g: left * CREDIT_G,
  };
}

function bedTemperatureC({ bedTemperatureC, removalTemperatureC }: PowderProfile, { print }: PrinterSnapshot): number {
  if (!print) return ROOM_C;
  const { phase, share } = print.progress;
  if (phase === "preparing") return ROOM_C + (bedTemperatureC - ROOM_C) * share;
  return phase === "cooling" ? bedTemperatureC + (removalTemperatureC - bedTemperatureC) * share : bedTemperatureC;
}

/** The profile of a material. Temperatures and densities do not depend on the other choices of a setting. */
function profileFor(printerType: PrinterType, materialCode: string): PowderProfile {
  const ofType = entriesOf(printerType);
  const { combination } =
    ofType.find((entry) => entry.combination.materialCode === materialCode) ??
    must(ofType[0], "a setting of the printer type");
  return profileOf({ combination, printerType }) as PowderProfile;
}
