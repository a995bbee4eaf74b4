import type { PrinterType } from "../../catalog/setting.ts";
import { VERSION } from "../../version.ts";
import type { Device } from "../device.ts";
import { variantOf } from "../variant-of.ts";
import { cartridgeData } from "./cartridge-data.ts";
import { layerOf, type Moment } from "./moment.ts";
import { powderSupply } from "./powder-supply.ts";
import { statusOf } from "./status-of.ts";

/** A virtual printer in the variant of its family. What only a machine could tell is invented and plausible. */
export function describe(id: string, printerType: PrinterType, moment: Moment): Device {
  const { materialCode, print, isReady } = moment;
  const generic = {
    id,
    product_name: printerType.productNames[0],
    status: statusOf(moment),
    is_connected: true,
    connection_type: "VIRTUAL",
    firmware_version: VERSION,
    ready_to_print_now: isReady,
  } as const;
  // The variants of named families always have the field; a printer that is not on the network has nothing to put there.
  const named = { ...generic, ip_address: "" };
  const resin = {
    ...named,
    estimated_print_time_remaining_ms: Math.round((print?.progress.remainingS ?? 0) * 1000),
    tank_id: `${id}-tank-${materialCode}`,
    tank_material_code: materialCode,
    cartridge_data: cartridgeData(id, moment),
  };
  switch (variantOf(printerType)) {
    case "resin family 2":
      return resin;
    case "resin family 3":
      return { ...resin, is_remote_print_enabled: true, form_auto_status: "Not installed" };
    case "resin family 4":
      return { ...resin, is_remote_print_enabled: true };
    case "powder":
      return {
        ...named,
        ...powderSupply(printerType, moment),
        printing_layer: layerOf(moment),
        printing_guid: print?.job.id ?? "",
        material_code: materialCode,
        cylinder_serial: `${id}-cylinder`,
      };
    case "generic":
      return generic;
  }
}
