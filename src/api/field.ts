import * as v from "valibot";

/**
 * An entry of a body, query or reply: its schema, and the sentence on it that the OpenAPI document and the page show. `object` and
 * `strictObject` take no other entries, so that a field without a sentence does not compile.
 */
export type Field<S extends v.GenericSchema = v.GenericSchema> = v.SchemaWithPipe<
  readonly [S, v.DescriptionAction<v.InferOutput<S>, string>]
>;

export type Fields = Readonly<Record<string, Field>>;

/** A field: `sentence` says what its value means, with unit and default where the schema does not have them. */
export const field = <const S extends v.GenericSchema>(schema: S, sentence: string): Field<S> =>
  v.pipe(schema, v.description<v.InferOutput<S>, string>(sentence));

/** `v.object` of fields, for replies. */
export const object = <const F extends Fields>(fields: F): v.ObjectSchema<F, undefined> => v.object(fields);

/** `v.strictObject` of fields, for bodies: other keys are refused. */
export const strictObject = <const F extends Fields>(fields: F): v.StrictObjectSchema<F, undefined> =>
  v.strictObject(fields);
