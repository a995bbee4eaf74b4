// What device/list tells of a printer (interface, "Device fields"), in the words of the wire: clients tell the variants
// apart by their field sets, so each is exactly these fields.

export type ConnectionType = "UNKNOWN" | "VIRTUAL" | "REMOTE" | "USB" | "WIFI" | "ETHERNET";

interface CommonFields {
  /** Its serial name. */
  readonly id: string;
  readonly product_name: string;
  /** For people; never to be matched on. */
  readonly status: string;
  readonly is_connected: boolean;
  readonly firmware_version: string;
}

/** A printer of no family that has fields of its own. */
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

/** By cartridge id. The keys are those that printers send; they are passed on as they come. */
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
  /** Whole; 0 if it does not print. */
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
  /** For people; never to be matched on. */
  readonly form_auto_status: string;
}

export interface PowderDevice extends NamedFamilyFields {
  readonly bed_temperature_c: number;
  /** For people; never to be matched on. */
  readonly powder_level: string;
  /** Counted from 1; 0 before the first layer and while it does not print. */
  readonly printing_layer: number;
  /** Id of the job that it prints, else empty. */
  readonly printing_guid: string;
  readonly material_code: string;
  readonly cylinder_serial: string;
  readonly powder_credit_g: number;
}

export type Device = GenericDevice | ResinDevice | RemoteResinDevice | FormAutoDevice | PowderDevice;
