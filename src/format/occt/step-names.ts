import { NOWHERE, type StepInstances, referencesOf } from "./step-instances.ts";

/** The name of a product, given the instance of its definition; empty if it has none. */
export function productName(instances: StepInstances, definition: number): string {
  const [version = NOWHERE] = definition === NOWHERE ? [] : referencesOf(instances, definition);
  const [product = NOWHERE] = version === NOWHERE ? [] : referencesOf(instances, version);
  const [id = "", name = ""] = product === NOWHERE ? [] : textsOf(instances, product);
  return name || id;
}

/** Longest text that is examined in an instance with the name of a product. */
const MAX_TEXT_BYTES = 2048;

/** The first two texts of an instance. Codes of characters beyond ASCII (ISO 10303-21, 6.4.3) are decoded. */
export function textsOf({ bytes, from, to }: StepInstances, i: number): string[] {
  const text = bytes.toString("latin1", from[i], Math.min(to[i], from[i] + MAX_TEXT_BYTES));
  return [...text.matchAll(/'((?:[^']|'')*)'/g)]
    .slice(0, 2)
    .map(([, inner]) => decoded(inner.replaceAll("''", "'")).trim());
}

const decoded = (text: string): string =>
  text
    .replaceAll(/\\X2\\((?:[\dA-F]{4})+)\\X0\\/gi, (_, codes: string) =>
      String.fromCharCode(...codes.match(/.{4}/g)!.map((code) => Number.parseInt(code, 16))),
    )
    .replaceAll(/\\X\\([\dA-F]{2})/gi, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)));
