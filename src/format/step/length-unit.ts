import { Buffer } from "node:buffer";

/** Factors of the SI prefixes (ISO 10303-41, `si_prefix`). */
const PREFIXES: Readonly<Record<string, number>> = {
  EXA: 1e18, PETA: 1e15, TERA: 1e12, GIGA: 1e9, MEGA: 1e6, KILO: 1e3, HECTO: 1e2, DECA: 1e1,
  DECI: 1e-1, CENTI: 1e-2, MILLI: 1e-3, MICRO: 1e-6, NANO: 1e-9, PICO: 1e-12, FEMTO: 1e-15, ATTO: 1e-18,
};
const METRE_MM = 1000;

/** Longest entity instance that is looked at; those of units have some hundred characters. */
const MAX_INSTANCE_BYTES = 4096;

/**
 * Millimetres per length unit of a STEP file (ISO 10303-21): the unit that its representation contexts assign, SI or
 * converted from SI by a measure. Undefined where there is none, where contexts have different ones, and where it is
 * defined in a way that OpenCASCADE does not follow either: that reads such a file as millimetres.
 */
export function lengthUnitMm(file: Uint8Array): number | undefined {
  const bytes = Buffer.from(file.buffer, file.byteOffset, file.byteLength);
  const definitions = new Map([...instances(bytes, "LENGTH_UNIT"), ...instances(bytes, "MEASURE_WITH_UNIT")]);
  const units = new Set<number>();
  for (const [, context] of instances(bytes, "GLOBAL_UNIT_ASSIGNED_CONTEXT")) {
    const [, references = ""] = /GLOBAL_UNIT_ASSIGNED_CONTEXT\s*\(\s*\(([^)]*)\)/.exec(context) ?? [];
    for (const id of references.match(/#\d+/g) ?? []) {
      const unitMm = unitOf(definitions, id);
      if (unitMm > 0 && Number.isFinite(unitMm)) units.add(Number(unitMm.toPrecision(SOUND_DIGITS)));
    }
  }
  return units.size === 1 ? [...units][0] : undefined;
}

/** Products of decimal numbers are free of their binary dust when they are rounded to so many digits. */
const SOUND_DIGITS = 12;

/** NaN for what is no length unit. */
function unitOf(definitions: ReadonlyMap<string, string>, id: string): number {
  const unit = definitions.get(id) ?? "";
  const [, measureId] = /CONVERSION_BASED_UNIT\s*\(\s*'[^']*'\s*,\s*(#\d+)\s*\)/.exec(unit) ?? [];
  if (measureId === undefined) return siUnitOf(unit);
  const measure = /=\s*(?:LENGTH_)?MEASURE_WITH_UNIT\s*\(\s*LENGTH_MEASURE\s*\(([^)]*)\)\s*,\s*(#\d+)\s*\)/;
  const [, factor, baseId = ""] = measure.exec(definitions.get(measureId) ?? "") ?? [];
  return Number(factor) * siUnitOf(definitions.get(baseId) ?? "");
}

function siUnitOf(unit: string): number {
  const [found, prefix] = /SI_UNIT\s*\(\s*(?:\$|\.(\w+)\.)\s*,\s*\.METRE\.\s*\)/.exec(unit) ?? [];
  if (found === undefined) return NaN;
  return METRE_MM * (prefix === undefined ? 1 : PREFIXES[prefix]);
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
