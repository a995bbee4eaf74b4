/** A number that is written with a decimal point even if it is whole. */
export class Decimal {
  readonly value: number;

  constructor(value: number) {
    this.value = value;
  }
}

/** Rounded to millionths, which exact sums of layer heights need; smaller numbers would be written with an exponent. */
export const decimal = (value: number): Decimal => new Decimal(Math.round(value * 1e6) / 1e6);

export type Json = string | number | boolean | Decimal | readonly Json[] | { readonly [key: string]: Json };

/**
 * A value as JSON text. The firmware of these machines distinguishes numbers with a decimal point from whole ones and refuses files with the
 * wrong kind (DragonFruit, issue 327): plain numbers must be whole, others are {@link Decimal}.
 */
export function jsonText(value: Json): string {
  if (value instanceof Decimal) return Number.isInteger(value.value) ? value.value.toFixed(1) : String(value.value);
  if (isList(value)) return `[${value.map(jsonText).join(",")}]`;
  if (typeof value === "object") {
    const members = Object.entries(value).map(([key, member]) => `${JSON.stringify(key)}:${jsonText(member)}`);
    return `{${members.join(",")}}`;
  }
  if (typeof value === "number" && !Number.isInteger(value)) throw new TypeError(`${value} needs a decimal point.`);
  return JSON.stringify(value);
}

const isList = (value: Json): value is readonly Json[] => Array.isArray(value);

/** The text of an object, extended to `length` characters by spaces before its end. */
export function paddedObject(text: string, length: number): string {
  if (text.length > length) throw new RangeError(`A text of ${text.length} characters has ${length} at most.`);
  return `${text.slice(0, -1)}${" ".repeat(length - text.length)}}`;
}
