import * as v from "valibot";

/** Where a figure comes from and when it was measured, since figures of other printers and of data sheets mislead. */
export const origin = {
  source: v.pipe(
    v.string(),
    v.nonEmpty(),
    v.maxLength(500),
    v.description("Where the figure comes from, such as the meter and the panel."),
  ),
  date: v.pipe(v.string(), v.isoDate("must be a date such as 2026-11-29"), v.description("Day of the measurement.")),
};

/** An optional figure with its origin. */
export const measuredFigure = <const S extends v.GenericSchema>(value: S, sentence: string) =>
  v.pipe(
    v.optional(v.strictObject({ value: v.pipe(value, v.description(sentence)), ...origin })),
    v.description(sentence),
  );

/** Standard deviation of a blur, in mm: a twentieth of the smallest pixel to ten of the largest. */
export const blurMm = v.pipe(v.number(), v.minValue(0.001), v.maxValue(0.5));
