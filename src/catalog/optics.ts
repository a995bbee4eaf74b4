import * as v from "valibot";

// What is known of the light of a printer. Each figure is optional and states where it comes from and when it was measured, since figures of
// other printers and of data sheets mislead. Without figures, jobs have the coverages of pixels as greys.

const origin = {
  source: v.pipe(
    v.string(),
    v.nonEmpty(),
    v.maxLength(500),
    v.description("Where the figure comes from, such as the meter and the panel."),
  ),
  date: v.pipe(v.string(), v.isoDate("must be a date such as 2026-11-29"), v.description("Day of the measurement.")),
};

/** A figure with its origin. */
const figure = <const S extends v.GenericSchema>(value: S, sentence: string) =>
  v.pipe(
    v.optional(v.strictObject({ value: v.pipe(value, v.description(sentence)), ...origin })),
    v.description(sentence),
  );

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
  grey_levels: figure(
    v.pipe(v.number(), v.integer(), v.minValue(3), v.maxValue(256)),
    "Levels of brightness of the panel, with black and white, at equal steps of grey.",
  ),
  least_grey: figure(
    v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(254)),
    "The darkest grey that lets useful light through.",
  ),
  blur_mm: figure(
    v.pipe(v.number(), v.minValue(0.001), v.maxValue(0.5)),
    "Standard deviation of the blur of the light at the film in mm.",
  ),
  diffusion: v.pipe(
    v.optional(v.boolean()),
    v.description(
      "Whether edges are mixed of the levels of brightness, by diffusion of what each pixel gets too much or too little. For panels of 8 or 16 levels. Default false.",
    ),
  ),
});

export type Optics = v.InferOutput<typeof opticsSchema>;
