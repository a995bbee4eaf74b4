import * as v from "valibot";

/** A name or a state, fit to be shown to users. */
export const shortText = v.pipe(
  v.string(),
  v.maxLength(200),
  v.transform((text) => text.replace(/\p{C}+/gu, " ")),
);

/** The schema of an optional field: undefined where the field is missing or malformed, for example null. */
export const lenient = <Value>(schema: v.GenericSchema<unknown, Value>) => v.fallback(v.optional(schema), undefined);
