import { Buffer } from "node:buffer";
import { realText } from "./step-text.ts";

/** Factors of the SI prefixes (ISO 10303-41, `si_prefix`). */
const PREFIXES: Readonly<Record<string, number>> = {
  EXA: 1e18,
  PETA: 1e15,
  TERA: 1e12,
  GIGA: 1e9,
  MEGA: 1e6,
  KILO: 1e3,
  HECTO: 1e2,
  DECA: 1e1,
  DECI: 1e-1,
  CENTI: 1e-2,
  MILLI: 1e-3,
  MICRO: 1e-6,
  NANO: 1e-9,
  PICO: 1e-12,
  FEMTO: 1e-15,
  ATTO: 1e-18,
};
const METRE_MM = 1000;

/** Millimetres per unit for the names of context-dependent units (ISO 10303-41), which are given by name only. */
const NAMED_MM: Readonly<Record<string, number>> = {
  MICROMETRE: 1e-3,
  MICROMETER: 1e-3,
  MICRON: 1e-3,
  MILLIMETRE: 1,
  MILLIMETER: 1,
  MM: 1,
  CENTIMETRE: 10,
  CENTIMETER: 10,
  CM: 10,
  METRE: METRE_MM,
  METER: METRE_MM,
  M: METRE_MM,
  MIL: 0.0254,
  INCH: 25.4,
  INCHES: 25.4,
  IN: 25.4,
  FOOT: 304.8,
  FEET: 304.8,
  FT: 304.8,
  YARD: 914.4,
};

/** Longest entity instance that is examined; those of units have about a hundred characters. */
const MAX_INSTANCE_BYTES = 4096;
/** Most conversions from a unit to one of the SI, such as feet to inches to millimetres. */
const MAX_UNIT_STEPS = 8;
/** Rounding to this many digits removes binary rounding errors from products of decimal numbers. */
const SIGNIFICANT_DIGITS = 12;

/** An entity instance `#id = …;` of the file. */
interface Instance {
  readonly from: number;
  readonly to: number;
  /** Text between `=` and `;`, without comments and with one blank for each run of blanks. */
  readonly text: string;
}

type Instances = ReadonlyMap<string, Instance>;

export interface StepUnits {
  /** The file with length units that OpenCASCADE can read. The same object if it could before. */
  readonly bytes: Uint8Array;
  /**
   * Millimetres per length unit of all representation contexts. Undefined if there is none, if contexts have different ones, and
   * if the size of the unit is unknown: OpenCASCADE then reads the file as millimetres.
   */
  readonly unitMm?: number;
}

/**
 * The length unit of a STEP file (ISO 10303-21), in any spelling that exporters use: SI, converted from other units in several steps, by a
 * measure with or without a type or as a complex instance, or only named. OpenCASCADE knows some of these spellings and silently reads the
 * rest as millimetres: those are rewritten.
 */
export function withReadableUnits(file: Uint8Array): StepUnits {
  const bytes = Buffer.from(file.buffer, file.byteOffset, file.byteLength);
  const definitions = unitInstances(bytes);
  const sizes = new Set<number>();
  const rewritten = new Map<string, number>();
  for (const { text } of definitions.values()) {
    const [, references = ""] = /GLOBAL_UNIT_ASSIGNED_CONTEXT ?\( ?\(([^)]*)\)/.exec(text) ?? [];
    for (const id of references.match(/#\d+/g) ?? []) {
      const unitMm = Number(unitOf(definitions, id, MAX_UNIT_STEPS).toPrecision(SIGNIFICANT_DIGITS));
      if (!(unitMm > 0 && Number.isFinite(unitMm))) continue;
      sizes.add(unitMm);
      if (!isReadable(definitions, id)) rewritten.set(id, unitMm);
    }
  }
  const [unitMm] = sizes;
  return {
    bytes: rewritten.size === 0 ? file : withUnits(bytes, definitions, rewritten),
    ...(sizes.size === 1 && { unitMm }),
  };
}

/** Every instance with `_UNIT` in its text: units, measures, and contexts. */
function unitInstances(bytes: Buffer): Instances {
  const found = new Map<string, Instance>();
  const keyword = "_UNIT";
  for (let at = bytes.indexOf(keyword); at >= 0;) {
    const start = Math.max(0, at - MAX_INSTANCE_BYTES);
    const before = bytes.toString("latin1", start, at);
    const end = bytes.indexOf(";", at);
    const isWhole = end >= 0 && end - at < MAX_INSTANCE_BYTES;
    const from = start + before.lastIndexOf(";") + 1;
    const text = isWhole ? bytes.toString("latin1", from, end) : "";
    const [, id, value] = /^\s*(#\d+)\s*=\s*([^]*)$/.exec(text.replaceAll(/\/\*[^]*?\*\//g, " ")) ?? [];
    if (id !== undefined) found.set(id, { from, to: end + 1, text: value.replaceAll(/\s+/g, " ") });
    at = bytes.indexOf(keyword, isWhole ? end : at + keyword.length);
  }
  return found;
}

/** `CONVERSION_BASED_UNIT('name',#measure)`. */
const CONVERTED = /CONVERSION_BASED_UNIT ?\( ?'(?:[^']|'')*' ?, ?(#\d+) ?\)/;
/** `MEASURE_WITH_UNIT(LENGTH_MEASURE(factor),#unit)`, alone or in a complex instance, with or without the type of the factor. */
const MEASURE = /MEASURE_WITH_UNIT ?\( ?(?:\w+ ?\( ?)?([-+.\dEe]+) ?\)? ?, ?(#\d+) ?\)/;
const SI = /SI_UNIT ?\( ?(?:\$|\.(\w+)\.) ?, ?\.METRE\. ?\)/;
const CONTEXT_DEPENDENT = /CONTEXT_DEPENDENT_UNIT ?\( ?'((?:[^']|'')*)' ?\)/;

/** Millimetres per unit of the instance with an id; NaN if it is no length unit. */
function unitOf(definitions: Instances, id: string, steps: number): number {
  const text = definitions.get(id)?.text ?? "";
  const [, measureId] = CONVERTED.exec(text) ?? [];
  if (measureId !== undefined && steps > 0) {
    const [, factor, baseId = ""] = MEASURE.exec(definitions.get(measureId)?.text ?? "") ?? [];
    return Number(factor) * unitOf(definitions, baseId, steps - 1);
  }
  const [, name] = CONTEXT_DEPENDENT.exec(text) ?? [];
  if (name !== undefined) return NAMED_MM[name.trim().toUpperCase()] ?? NaN;
  const [found, prefix] = SI.exec(text) ?? [];
  if (found === undefined) return NaN;
  return METRE_MM * (prefix === undefined ? 1 : PREFIXES[prefix]);
}

/** Spellings that OpenCASCADE reads, as tested. Others, and factors without a decimal point, give millimetres or no shapes. */
const READABLE_SI = /^\( ?LENGTH_UNIT ?\( ?\) ?NAMED_UNIT ?\([^)]*\) ?SI_UNIT ?\([^)]*\) ?\)$/;
const READABLE_CONVERTED = /^\( ?CONVERSION_BASED_UNIT ?\([^)]*\) ?LENGTH_UNIT ?\( ?\) ?NAMED_UNIT ?\([^)]*\) ?\)$/;
const READABLE_MEASURE = /^(?:LENGTH_)?MEASURE_WITH_UNIT ?\( ?(?:\w+ ?\( ?)?[-+]?\d+\.[-+.\dEe]* ?\)? ?, ?(#\d+) ?\)$/;

function isReadable(definitions: Instances, id: string): boolean {
  const text = definitions.get(id)!.text.trim();
  const [, measureId] = CONVERTED.exec(text) ?? [];
  if (measureId === undefined) return READABLE_SI.test(text);
  const [, baseId = ""] = READABLE_MEASURE.exec(definitions.get(measureId)!.text.trim()) ?? [];
  return READABLE_CONVERTED.test(text) && READABLE_SI.test(definitions.get(baseId)?.text.trim() ?? "");
}

/** The file with units, given as millimetres, defined in the one way that every reader knows. */
function withUnits(bytes: Buffer, definitions: Instances, rewritten: ReadonlyMap<string, number>): Uint8Array {
  const pieces: Uint8Array[] = [];
  let at = 0;
  let nextId = freeId(bytes);
  const inOrder = [...rewritten].sort(([a], [b]) => definitions.get(a)!.from - definitions.get(b)!.from);
  for (const [id, unitMm] of inOrder) {
    const { from, to } = definitions.get(id)!;
    const [exponents, base, measure] = [nextId++, nextId++, nextId++].map((number) => `#${number}`);
    const text =
      `\n${exponents}=DIMENSIONAL_EXPONENTS(1.,0.,0.,0.,0.,0.,0.);` +
      `\n${base}=(LENGTH_UNIT()NAMED_UNIT(*)SI_UNIT(.MILLI.,.METRE.));` +
      `\n${measure}=LENGTH_MEASURE_WITH_UNIT(LENGTH_MEASURE(${realText(unitMm)}),${base});` +
      `\n${id}=(CONVERSION_BASED_UNIT('',${measure})LENGTH_UNIT()NAMED_UNIT(${exponents}));`;
    pieces.push(bytes.subarray(at, from), Buffer.from(text, "latin1"));
    at = to;
  }
  return Buffer.concat([...pieces, bytes.subarray(at)]);
}

/** A number above the ids of all instances. */
function freeId(bytes: Buffer): number {
  let highest = 0;
  for (let at = bytes.indexOf("#"); at >= 0; at = bytes.indexOf("#", at + 1)) {
    let id = 0;
    for (let i = at + 1; bytes[i] >= 0x30 && bytes[i] <= 0x39; i++) id = 10 * id + bytes[i] - 0x30;
    highest = Math.max(highest, id);
  }
  return highest + 1;
}
