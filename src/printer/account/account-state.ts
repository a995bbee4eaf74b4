import * as v from "valibot";

// The state of printers and groups that the account service reports. Any field may be null, missing or of another type than the service's
// documentation says.

const text = v.fallback(v.nullish(v.string()), undefined);
const number = v.fallback(v.nullish(v.number()), undefined);
const boolean = v.fallback(v.nullish(v.boolean()), undefined);
const anything = v.optional(v.unknown());

const supplied = v.fallback(v.nullish(v.object({ serial: text, material: text })), undefined);
const cartridge = v.object({
  cartridge: v.fallback(
    v.nullish(v.object({ serial: text, material: text, initial_volume_ml: number, volume_dispensed_ml: number })),
    undefined,
  ),
});

const printer = v.object({
  serial: v.pipe(v.string(), v.nonEmpty()),
  alias: text,
  machine_type_id: text,
  firmware_version: text,
  group: v.fallback(v.nullish(v.object({ id: text })), undefined),
  printer_status: v.fallback(
    v.nullish(
      v.object({
        status: text,
        last_pinged_at: text,
        hopper_level: number,
        material_credit: number,
        hopper_material: text,
        current_temperature: number,
        ready_to_print: text,
        form_cell: anything,
        current_print_run: v.fallback(
          v.nullish(v.object({ guid: text, currently_printing_layer: number, estimated_time_remaining_ms: number })),
          undefined,
        ),
      }),
    ),
    undefined,
  ),
  // A single cartridge, or a list.
  cartridge_status: v.fallback(
    v.nullish(v.union([v.array(v.fallback(v.nullish(cartridge), null)), cartridge])),
    undefined,
  ),
  tank_status: v.fallback(v.nullish(v.object({ tank: supplied })), undefined),
});

const group = v.object({
  id: v.pipe(v.string(), v.uuid(), v.toLowerCase()),
  name: text,
  remote_print_enabled_override: boolean,
  printers: v.fallback(v.nullish(v.array(v.fallback(v.nullish(v.string()), null))), undefined),
});

export type ServicePrinter = v.InferOutput<typeof printer>;
export type ServiceGroup = v.InferOutput<typeof group>;

/** The last reported state of an account. */
export interface AccountState {
  readonly printers: readonly ServicePrinter[];
  readonly groups: readonly ServiceGroup[];
  /** The clock of the service at that time, ms since 1970. The clocks of printers and of this machine may differ from it. */
  readonly serverMs: number;
  /** The monotonic clock of this process at that time, ms. */
  readonly readAtMs: number;
}

/** Reads printers, or groups. Skips entries that are none, such as those without a name. */
export const readPrinters = (entries: readonly unknown[]): ServicePrinter[] => matching(printer, entries);
export const readGroups = (entries: readonly unknown[]): ServiceGroup[] => matching(group, entries);

const matching = <S extends v.GenericSchema>(schema: S, entries: readonly unknown[]): v.InferOutput<S>[] =>
  entries.flatMap((entry) => {
    const parsed = v.safeParse(schema, entry);
    return parsed.success ? [parsed.output] : [];
  });
