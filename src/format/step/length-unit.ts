import { Buffer } from "node:buffer";

/** Factors of the SI prefixes (ISO 10303-41, `si_prefix`). */
const PREFIXES: Readonly<Record<string, number>> = {
  EXA: 1e18, PETA: 1e15, TERA: 1e12, GIGA: 1e9, MEGA: 1e6, KILO: 1e3, HECTO: 1e2, DECA: 1e1,
  DECI: 1e-1, CENTI: 1e-2, MILLI: 1e-3, MICRO: 1e-6, NANO: 1e-9, PICO: 1e-12, FEMTO: 1e-15, ATTO: 1e-18,
};
const METRE_MM = 1000;

/** Longest entity instance that is looked at; those of units have some hundred characters. */
const MAX_INSTANCE_BYTES = 4096;
/** Units that are defined by units are followed this far. */
const MAX_STEPS = 4;

/**
 * Millimetres per length unit of a STEP file (ISO 10303-21): the unit that its representation contexts assign. Undefined
 * where there is none, or where contexts have different ones.
 */
export function lengthUnitMm(file: Uint8Array): number | undefined {
  const bytes = Buffer.from(file.buffer, file.byteOffset, file.byteLength);
  const lengths = new Map([
    ...instances(bytes, "LENGTH_UNIT"),
    ...instances(bytes, "LENGTH_MEASURE_WITH_UNIT"),
  ]);
  const units = new Set<number>();
  for (const [, context] of instances(bytes, "GLOBAL_UNIT_ASSIGNED_CONTEXT")) {
    const [, references = ""] = /GLOBAL_UNIT_ASSIGNED_CONTEXT\s*\(\s*\(([^)]*)\)/.exec(context) ?? [];
    for (const id of references.match(/#\d+/g) ?? []) {
      const unitMm = resolve(lengths, id, MAX_STEPS);
      if (unitMm !== undefined) units.add(unitMm);
    }
  }
  return units.size === 1 ? [...units][0] : undefined;
}

/** Millimetres of an SI unit, of a unit converted from a measure, or of a measure with a unit. */
function resolve(lengths: ReadonlyMap<string, string>, id: string, steps: number): number | undefined {
  const instance = lengths.get(id);
  if (instance === undefined || steps === 0) return undefined;
  const si = /SI_UNIT\s*\(\s*(?:\$|\*|\.(\w+)\.)\s*,\s*\.METRE\.\s*\)/.exec(instance);
  if (si) return rounded(METRE_MM * (si[1] === undefined ? 1 : PREFIXES[si[1]]));
  const converted = /CONVERSION_BASED_UNIT\s*\(\s*'[^']*'\s*,\s*(#\d+)\s*\)/.exec(instance);
  if (converted) return resolve(lengths, converted[1], steps - 1);
  const measure = /MEASURE_WITH_UNIT\s*\(\s*(?:\w+\s*\(\s*)?([\d.+\-E]+)\s*\)?\s*,\s*(#\d+)\s*\)/.exec(instance);
  const base = measure && resolve(lengths, measure[2], steps - 1);
  return base ? rounded(base * Number(measure[1])) : undefined;
}

/** Products of decimal numbers, free of their binary dust; undefined for what is no length. */
function rounded(unitMm: number): number | undefined {
  return unitMm > 0 && Number.isFinite(unitMm) ? Number(unitMm.toPrecision(12)) : undefined;
}

/** The entity instances `#id = …` in which a keyword stands, by id. */
function* instances(bytes: Buffer, keyword: string): Generator<[id: string, text: string]> {
  for (let at = bytes.indexOf(keyword); at >= 0; at = bytes.indexOf(keyword, at + keyword.length)) {
    const before = bytes.toString("latin1", Math.max(0, at - MAX_INSTANCE_BYTES), at);
    const after = bytes.toString("latin1", at, at + MAX_INSTANCE_BYTES);
    const text = before.slice(before.lastIndexOf(";") + 1) + after.slice(0, after.indexOf(";") + 1);
    const [, id] = /^\s*(#\d+)\s*=/.exec(text) ?? [];
    if (id !== undefined) yield [id, text];
  }
}
