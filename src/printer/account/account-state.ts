import * as v from "valibot";

// What the account service tells of printers and groups. Any field may be null, absent or of another kind than its document says.

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
  // One, or a list.
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

/** An account as the service told of it. */
export interface AccountState {
  readonly printers: readonly ServicePrinter[];
  readonly groups: readonly ServiceGroup[];
  /** The clock of the service then, ms since 1970: those of printers and ours may differ from it. */
  readonly serverMs: number;
  /** Our monotonic clock then, ms. */
  readonly readAtMs: number;
}

/** Entries that are no printers or groups, as those without a name, are left out. */
export const readPrinters = (entries: readonly unknown[]): ServicePrinter[] => matching(printer, entries);
export const readGroups = (entries: readonly unknown[]): ServiceGroup[] => matching(group, entries);

const matching = <S extends v.GenericSchema>(schema: S, entries: readonly unknown[]): v.InferOutput<S>[] =>
  entries.flatMap((entry) => {
    const parsed = v.safeParse(schema, entry);
    return parsed.success ? [parsed.output] : [];
  });
