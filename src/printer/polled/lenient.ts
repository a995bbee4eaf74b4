import * as v from "valibot";

/** A name or a state, which may be shown to users. */
export const shortText = v.pipe(
  v.string(),
  v.maxLength(200),
  v.transform((text) => text.replace(/\p{C}+/gu, " ")),
);

/** What a machine may leave out; what it tells in another form, as null, counts as not told. */
export const lenient = <Value>(schema: v.GenericSchema<unknown, Value>) => v.fallback(v.optional(schema), undefined);
