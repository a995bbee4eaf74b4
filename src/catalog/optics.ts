import * as v from "valibot";
import { blurMm, measuredFigure, origin } from "./measured-figure.ts";

// What is known of the light of a printer. Without figures, jobs have the coverages of pixels as greys.

/** Points of a table of doses, for the greys 0, 17, 34 … 255. */
export const DOSE_POINTS = 16;

const dosesSchema = v.pipe(
  v.array(v.pipe(v.number(), v.minValue(0), v.maxValue(1))),
  v.length(DOSE_POINTS),
  v.check(
    (doses) => doses[0] === 0 && doses.at(-1) === 1 && doses.every((dose, i) => i === 0 || dose > (doses[i - 1] ?? 0)),
    "must rise from 0 to 1",
  ),
);

const response = v.union(
  [v.pipe(v.number(), v.minValue(0.2), v.maxValue(6)), dosesSchema],
  `must be an exponent from 0.2 to 6, or ${DOSE_POINTS} doses that rise from 0 to 1`,
);

export const opticsSchema = v.strictObject({
  response: v.pipe(
    v.strictObject({
      value: v.pipe(
        response,
        v.description(
          "The dose of a grey as a share of that of white: the exponent of grey / 255, or the doses of the greys 0, 17, 34 … 255.",
        ),
      ),
      ...origin,
    }),
    v.description("How much light the panel lets through."),
  ),
  grey_levels: measuredFigure(
    v.pipe(v.number(), v.integer(), v.minValue(3), v.maxValue(256)),
    "Levels of brightness of the panel, with black and white, at equal steps of grey.",
  ),
  least_grey: measuredFigure(
    v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(254)),
    "The darkest grey that lets useful light through.",
  ),
  blur_mm: measuredFigure(blurMm, "Standard deviation of the blur of the light at the film in mm."),
  diffusion: v.pipe(
    v.optional(v.boolean()),
    v.description(
      "Whether edges are mixed of the levels of brightness, by diffusion of what each pixel gets too much or too little. For panels of 8 or 16 levels. Default false.",
    ),
  ),
});

export type Optics = v.InferOutput<typeof opticsSchema>;
