import * as v from "valibot";
import { distanceMm, idSchema, layerMm, oneLine, speedMmPerMin, waitS } from "./open-printer.ts";

// Resins as data, in the units of other slicers: seconds, millimetres and millimetres a minute.

/** The code of the resin that every open printer has. */
export const GENERIC_RESIN = "GENERIC-RESIN";

const exposureS = v.pipe(v.number(), v.gtValue(0), v.maxValue(1000));
/** Layers of the bottom and of the transition to normal ones. */
const layerCount = v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(1000));
/** Height of a second stage, which machines need not have. */
const stageMm = v.pipe(v.number(), v.minValue(0), v.maxValue(200));
/** Pulse width of the light: 255 is full. */
const lightLevel = v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(255));
/** Factor of a length: resins shrink by a few percent. */
const factor = v.pipe(v.number(), v.minValue(0.5), v.maxValue(2));

const described = <const S extends v.GenericSchema>(schema: S, sentence: string) =>
  v.pipe(v.optional(schema), v.description(sentence));

/** What happens between two exposures; `layers` ends the sentence, for the bottom layers. */
const cycleFields = (layers: string) => ({
  wait_after_cure_s: described(waitS, `Rest after the exposure, before the lift, in seconds${layers}.`),
  wait_after_lift_s: described(waitS, `Rest between the lift and the way back, in seconds${layers}.`),
  wait_before_cure_s: described(waitS, `Rest after the way back, before the next exposure, in seconds${layers}.`),
  light_off_delay_s: described(
    waitS,
    `Time without light between two exposures, the motions included, in seconds, in place of the rests${layers}.`,
  ),
  lift_mm: described(distanceMm, `Height of the lift, or of its first, slow stage, in mm${layers}.`),
  lift_mm_min: described(speedMmPerMin, `Its speed in mm/min${layers}.`),
  lift2_mm: described(stageMm, `Height of the second stage of the lift in mm${layers}.`),
  lift2_mm_min: described(speedMmPerMin, `Its speed in mm/min${layers}.`),
  retract_mm_min: described(speedMmPerMin, `Speed of the way back, or of its first, fast stage, in mm/min${layers}.`),
  retract2_mm: described(stageMm, `Height of the second, slow stage of the way back in mm${layers}.`),
  retract2_mm_min: described(speedMmPerMin, `Its speed in mm/min${layers}.`),
  light: described(lightLevel, `Power of the light: 255 is full${layers}.`),
});

type CycleFields = ReturnType<typeof cycleFields>;

const bottomFields = Object.fromEntries(
  Object.entries(cycleFields("; of the bottom layers")).map(([key, schema]) => [`bottom_${key}`, schema]),
) as { [Key in keyof CycleFields as `bottom_${Key}`]: CycleFields[Key] };

const figureFields = {
  exposure_s: described(exposureS, "Exposure of a layer in seconds."),
  bottom_exposure_s: described(exposureS, "Exposure of the bottom layers in seconds."),
  bottom_layers: described(layerCount, "Number of bottom layers."),
  transition_layers: described(
    layerCount,
    "Number of layers after these, over which the exposure falls in equal steps to that of a layer.",
  ),
  ...cycleFields(""),
  ...bottomFields,
  density_g_ml: described(v.pipe(v.number(), v.minValue(0.5), v.maxValue(5)), "Density of the cured resin in g/ml."),
  correction: described(
    v.strictTuple([factor, factor, factor]),
    "Factors along x, y and z by which parts are enlarged against shrinkage.",
  ),
};

/** Figures in place of those of the printer and of its generic resin, which count for all that is not given. */
export type ResinFigures = v.InferOutput<v.StrictObjectSchema<typeof figureFields, undefined>>;

const WAITS = ["wait_after_cure_s", "wait_after_lift_s", "wait_before_cure_s"] as const;

/** Why figures contradict each other; undefined where they do not. */
function conflictIn(figures: ResinFigures): string | undefined {
  for (const prefix of ["", "bottom_"] as const) {
    const wait = WAITS.map((key) => `${prefix}${key}` as const).find((key) => figures[key] !== undefined);
    if (wait !== undefined && figures[`${prefix}light_off_delay_s`] !== undefined)
      return `has ${wait} and ${prefix}light_off_delay_s: give one of them`;
  }
  const { lift_mm, lift2_mm = 0, retract2_mm = 0 } = figures;
  if (lift_mm !== undefined && retract2_mm > lift_mm + lift2_mm)
    return `has a retract2_mm of ${retract2_mm} that is longer than its lift of ${lift_mm + lift2_mm} mm`;
  return undefined;
}

const consistent = <Figures extends ResinFigures>() =>
  v.rawCheck<Figures>(({ dataset, addIssue }) => {
    const conflict = dataset.typed ? conflictIn(dataset.value) : undefined;
    if (conflict !== undefined) addIssue({ message: conflict });
  });

export const resinFiguresSchema = v.pipe(v.strictObject(figureFields), consistent());

const resinSettingSchema = v.pipe(
  v.strictObject({ layer_mm: v.pipe(layerMm, v.description("Layer thickness in mm.")), ...figureFields }),
  consistent(),
);

export const resinSchema = v.strictObject({
  code: v.pipe(idSchema, v.description("Id that scenes and commands give, such as ACME-TOUGH.")),
  name: v.pipe(oneLine, v.description("Name of the resin, with its maker.")),
  printers: v.pipe(
    v.optional(v.pipe(v.array(v.string()), v.nonEmpty(), v.maxLength(1000))),
    v.description("The machine types of the printers that it is for. Default: all but those of Formlabs."),
  ),
  settings: v.pipe(
    v.array(resinSettingSchema),
    v.nonEmpty(),
    v.maxLength(50),
    v.check(
      (all) => new Set(all.map(({ layer_mm }) => layer_mm)).size === all.length,
      "has two settings with the same layer_mm: give one for each",
    ),
    v.description("The settings, one for each layer thickness, the usual one first."),
  ),
});

export type Resin = v.InferOutput<typeof resinSchema>;
