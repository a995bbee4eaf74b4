import * as v from "valibot";

const CONNECTION_TYPES = ["UNKNOWN", "VIRTUAL", "REMOTE", "USB", "WIFI", "ETHERNET"] as const;

const common = {
  id: v.string(),
  product_name: v.string(),
  status: v.string(),
  is_connected: v.boolean(),
  firmware_version: v.string(),
};

const generic = v.object({
  ...common,
  connection_type: v.optional(v.picklist(CONNECTION_TYPES)),
  ip_address: v.optional(v.string()),
  ready_to_print_now: v.optional(v.boolean()),
});

const named = {
  ...common,
  connection_type: v.picklist(CONNECTION_TYPES),
  ip_address: v.string(),
  ready_to_print_now: v.boolean(),
};

const resin = {
  ...named,
  estimated_print_time_remaining_ms: v.pipe(v.number(), v.integer()),
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

const remoteResin = { ...resin, is_remote_print_enabled: v.boolean() };

const powder = v.object({
  ...named,
  bed_temperature_c: v.number(),
  powder_level: v.string(),
  printing_layer: v.pipe(v.number(), v.integer()),
  printing_guid: v.string(),
  material_code: v.string(),
  cylinder_serial: v.string(),
  powder_credit_g: v.number(),
});

/** Printers, each in the variant of its family (interface, "Device fields"). */
export const devicesReply = v.object({
  count: v.pipe(v.number(), v.integer()),
  devices: v.array(
    v.union([
      v.object({ ...remoteResin, form_auto_status: v.string() }),
      v.object(remoteResin),
      v.object(resin),
      powder,
      generic,
    ]),
  ),
});
