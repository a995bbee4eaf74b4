import { Buffer } from "node:buffer";
import type { StepInstances } from "./step-instances.ts";

/**
 * OpenCASCADE keeps what it makes of a text until all of it is done: those of this size take it 50 MiB, and half a second, in which it reads
 * about three times as much as it takes to make it ready.
 */
export const BYTES_PER_TEXT = 2 ** 19;

/** Instances that are written behind those of another file. */
export interface StepLines {
  /** Writes an instance with a text, and gives its id: `#12`. */
  add(text: string): string;
  text(): string;
}

/** Instances with ids above those of a file. */
export function newLines({ ids }: Pick<StepInstances, "ids">): StepLines {
  const last = ids.reduce((highest, id) => Math.max(highest, id), 0);
  const lines: string[] = [];
  return {
    add(text) {
      const id = `#${last + lines.length + 1}`;
      lines.push(`${id}=${text};`);
      return id;
    },
    text: () => lines.join("\n"),
  };
}

/** Writes products, each with the given name; gives the id of its shape (ISO 10303-41). */
export function newProducts(add: StepLines["add"]): (name: string) => string {
  const application = add("APPLICATION_CONTEXT('automotive design')");
  const productContext = add(`PRODUCT_CONTEXT('',${application},'mechanical')`);
  const definitionContext = add(`PRODUCT_DEFINITION_CONTEXT('part definition',${application},'design')`);
  return (name) => {
    const product = add(`PRODUCT('${name}','${name}','',(${productContext}))`);
    const formation = add(`PRODUCT_DEFINITION_FORMATION('','',${product})`);
    const definition = add(`PRODUCT_DEFINITION('','',${formation},${definitionContext})`);
    return add(`PRODUCT_DEFINITION_SHAPE('','',${definition})`);
  };
}

/** A file with the header of another one, some of its instances, each as it is or with the text for it, and more lines. */
export function stepFileOf(
  { bytes, from, to }: StepInstances,
  kept: Iterable<number>,
  more: StepLines,
  textOf: ReadonlyMap<number, string> = new Map(),
): Uint8Array {
  const pieces = [bytes.subarray(0, from[0])];
  for (const i of Uint32Array.from(kept).sort()) {
    const text = textOf.get(i);
    pieces.push(text === undefined ? bytes.subarray(from[i], to[i]) : Buffer.from(text, "latin1"), LINE_END);
  }
  return Buffer.concat([...pieces, Buffer.from(`${more.text()}${STEP_END}`, "latin1")]);
}

const LINE_END = Buffer.from("\n");
/** The end of the data and of the file. */
export const STEP_END = "\nENDSEC;\nEND-ISO-10303-21;\n";

/** A real of ISO 10303-21, which has a decimal point. */
export const realText = (value: number): string => {
  const [mantissa, exponent] = String(value).split("e");
  const point = mantissa.includes(".") ? "" : ".";
  return exponent === undefined ? `${mantissa}${point}` : `${mantissa}${point}E${exponent}`;
};
