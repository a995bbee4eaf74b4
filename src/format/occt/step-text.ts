import { Buffer } from "node:buffer";
import type { StepInstances } from "./step-instances.ts";

/**
 * Bytes of the texts into which a file is divided. OpenCASCADE keeps all results of a text until it is done with it: texts of this size
 * take 50 MiB and half a second. The preparation of each text takes 16 ms.
 */
export const BYTES_PER_TEXT = 2 ** 19;

/** Instances that are appended to those of another file. */
export interface StepLines {
  /** Adds an instance with this text and returns its id: `#12`. */
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

/** Writes products with the given names; returns the id of the shape of each (ISO 10303-41). */
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

/** A file with the header of another one, some of its instances, unchanged or with a replacement, and further lines. */
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
