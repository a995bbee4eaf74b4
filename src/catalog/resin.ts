import * as v from "valibot";
import { BOTTOM, otherLiftFields, waitS } from "./lift-fields.ts";
import { blurMm, measuredFigure } from "./measured-figure.ts";
import { idSchema, layerMm, oneLine } from "./open-printer.ts";

// Resins as data, in the units of other slicers: seconds, millimetres and millimetres a minute.

/** The code of the resin that every open printer has. */
export const GENERIC_RESIN = "GENERIC-RESIN";

const exposureS = v.pipe(v.number(), v.gtValue(0), v.maxValue(1000));
/** Layers of the bottom and of the transition to normal ones. */
const layerCount = v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(1000));
/** Pulse width of the light: 255 is full. */
const lightLevel = v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(255));
/** Factor of a length: resins shrink by a few percent. */
const factor = v.pipe(v.number(), v.minValue(0.5), v.maxValue(2));

const described = <const S extends v.GenericSchema>(schema: S, sentence: string) =>
  v.pipe(v.optional(schema), v.description(sentence));

/** What happens between two exposures; `layers` ends the sentences, for the bottom layers. */
const cycleFields = (layers: string) => ({
  ...otherLiftFields(layers),
  light_off_delay_s: described(
    waitS,
    `Time without light between two exposures, the motions included, in seconds, in place of the rests${layers}.`,
  ),
  light: described(lightLevel, `Power of the light: 255 is full${layers}.`),
});

/** Figures of one kind of layers beside their exposure. */
export type CycleFigures = v.InferOutput<v.StrictObjectSchema<ReturnType<typeof cycleFields>, undefined>>;

/** What was measured of how the resin cures; the model is in docs/print-quality.md. */
const cureSchema = v.strictObject({
  penetration_mm: measuredFigure(
    v.pipe(v.number(), v.minValue(0.01), v.maxValue(5)),
    "Depth of resin in mm over which light fades to 1/e.",
  ),
  exposure_ratio: measuredFigure(
    v.pipe(v.number(), v.gtValue(1), v.maxValue(100)),
    "Dose of a white pixel at the film in a normal layer, in units of the least dose that cures.",
  ),
  blur_mm: measuredFigure(
    blurMm,
    "Standard deviation of the blur of the dose in this resin in mm. Default: that of the optics of the printer.",
  ),
  edge_growth_mm: measuredFigure(
    v.pipe(v.number(), v.minValue(-0.5), v.maxValue(0.5)),
    "How far each edge prints beyond its place in normal layers, in mm; negative if parts come out too thin. Default: from blur_mm and exposure_ratio.",
  ),
  print_through_mm: measuredFigure(
    v.pipe(v.number(), v.minValue(0), v.maxValue(5)),
    "How far a thick body cures beyond its faces that look down, in mm. Default: from penetration_mm, exposure_ratio and the layer thickness.",
  ),
});

const corrected = (what: string) => described(v.boolean(), `${what} Default true.`);

const compensationSchema = v.strictObject({
  shrinkage: corrected("Whether parts are enlarged by correction."),
  edges: corrected("Whether edges are moved against their growth."),
  foot: corrected("Whether the edges of the layers with longer exposures are moved by what they grow more."),
  over_cure: corrected("Whether faces that look down are moved against their print-through."),
});

const figureFields = {
  exposure_s: described(exposureS, "Exposure of a layer in seconds."),
  bottom_exposure_s: described(exposureS, "Exposure of the bottom layers in seconds."),
  bottom_layers: described(layerCount, "Number of bottom layers."),
  transition_layers: described(
    layerCount,
    "Number of layers after these, over which the exposure falls in equal steps to that of a layer.",
  ),
  ...cycleFields(""),
  bottom: described(v.strictObject(cycleFields(BOTTOM)), "What else differs for the bottom layers."),
  density_g_ml: described(v.pipe(v.number(), v.minValue(0.5), v.maxValue(5)), "Density of the cured resin in g/ml."),
  correction: described(
    v.strictTuple([factor, factor, factor]),
    "Factors along x, y and z by which parts are enlarged against shrinkage.",
  ),
  cure: described(
    cureSchema,
    "What was measured of how it cures; without the figures that a correction needs, there is none.",
  ),
  compensation: described(
    compensationSchema,
    "Which corrections are made, of those whose figures are known. Default: all.",
  ),
};

/** Figures in place of those of the printer and of its generic resin, which count for all that is not given. */
export type ResinFigures = v.InferOutput<v.StrictObjectSchema<typeof figureFields, undefined>>;

const WAITS = ["wait_after_cure_s", "wait_after_lift_s", "wait_before_cure_s"] as const;

/** Why figures contradict each other; undefined where they do not. */
function conflictIn({ bottom, ...figures }: ResinFigures): string | undefined {
  const conflicts = [figures, bottom ?? {}].map((cycle: CycleFigures) => {
    const wait = WAITS.find((key) => cycle[key] !== undefined);
    return wait === undefined || cycle.light_off_delay_s === undefined ? undefined : wait;
  });
  const [own, ofBottom] = conflicts;
  if (own !== undefined) return `has ${own} and light_off_delay_s: give one of them`;
  return ofBottom === undefined ? undefined : `has ${ofBottom} and light_off_delay_s in bottom: give one of them`;
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
