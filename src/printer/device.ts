import type { PrinterType } from "../catalog/setting.ts";

// The devices of device/list (interface, "Device fields"), as they are sent. Clients distinguish the variants by their sets of fields, so
// each variant has exactly these.

export type ConnectionType = "UNKNOWN" | "VIRTUAL" | "REMOTE" | "USB" | "WIFI" | "ETHERNET";

interface CommonFields {
  /** Serial name. */
  readonly id: string;
  readonly product_name: string;
  /** For display; clients must not parse it. */
  readonly status: string;
  readonly is_connected: boolean;
  readonly firmware_version: string;
}

/** A printer of a family without further fields. */
export interface GenericDevice extends CommonFields {
  readonly connection_type?: ConnectionType;
  /** On the local network only. */
  readonly ip_address?: string;
  readonly ready_to_print_now?: boolean;
}

interface NamedFamilyFields extends CommonFields {
  readonly connection_type: ConnectionType;
  /** Empty where the printer is not on the local network. */
  readonly ip_address: string;
  readonly ready_to_print_now: boolean;
}

/** By cartridge id. The keys are those that printers send. */
export type CartridgeData = Record<
  string,
  {
    readonly materialCode: string;
    readonly cartridgeEstimatedVolumeDispensed_mL: number;
    readonly cartridgeOriginalVolume_mL: number;
  }
>;

/** A resin printer of family 2. */
export interface ResinDevice extends NamedFamilyFields {
  /** An integer; 0 while it does not print. */
  readonly estimated_print_time_remaining_ms: number;
  readonly tank_id: string;
  readonly tank_material_code: string;
  readonly cartridge_data: CartridgeData;
}

/** A resin printer of family 4. */
export interface RemoteResinDevice extends ResinDevice {
  readonly is_remote_print_enabled: boolean;
}

/** A resin printer of family 3. */
export interface FormAutoDevice extends RemoteResinDevice {
  /** For display; clients must not parse it. */
  readonly form_auto_status: string;
}

export interface PowderDevice extends NamedFamilyFields {
  readonly bed_temperature_c: number;
  /** For display; clients must not parse it. */
  readonly powder_level: string;
  /** 1-based; 0 before the first layer and while it does not print. */
  readonly printing_layer: number;
  /** Id of the current job; empty while it does not print. */
  readonly printing_guid: string;
  readonly material_code: string;
  readonly cylinder_serial: string;
  readonly powder_credit_g: number;
}

/** The product name of a queue. Clients distinguish queues from printers by it. */
export const QUEUE_PRODUCT_NAME = "Printer Group";

/** A queue of printers. `firmware_version` is always empty. A queue without a direct connection has no `connection_type`. */
export interface QueueDevice extends CommonFields {
  readonly connection_type?: ConnectionType;
  /** UUID. */
  readonly dashboard_group_id: string;
  /** UUID. */
  readonly dashboard_queue_id: string;
  readonly ready_to_print_now: boolean;
  readonly queue_paused: boolean;
  /** Whether one of its printers has an automated handling accessory. */
  readonly has_form_auto: boolean;
  readonly supported_machine_type_ids: readonly string[];
  readonly printers: readonly { readonly id: string; readonly machine_type_id: string }[];
}

export type Device = GenericDevice | QueueDevice | ResinDevice | RemoteResinDevice | FormAutoDevice | PowderDevice;

/** The families with further fields, and "generic" for all others. */
export type DeviceVariant = "resin family 4" | "resin family 3" | "resin family 2" | "powder" | "generic";

/**
 * Canonical machine type → family of resin printers (interface, "Device fields"). A family is a generation of the maker's machines,
 * of all sizes. Powder printers are one family, which the catalog knows.
 */
const FAMILIES: Readonly<Record<string, DeviceVariant>> = {
  "FORM-2-0": "resin family 2",
  "FORM-3-1": "resin family 3",
  "FRMB-3-1": "resin family 3",
  "DGSR-1-0": "resin family 3",
  "FRBL-3-0": "resin family 3",
  "FORM-4-0": "resin family 4",
  "FRML-4-0": "resin family 4",
};

export const deviceVariant = ({ family, machineType }: PrinterType): DeviceVariant =>
  family === "powder" ? "powder" : (FAMILIES[machineType] ?? "generic");
