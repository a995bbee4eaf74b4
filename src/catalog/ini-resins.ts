import type { ErrorFactory } from "../core/api-error.ts";
import { type CycleFigures, GENERIC_RESIN, type Resin, type ResinFigures } from "./resin.ts";
import { type IniSection, type IniValue, inheritedValues, parseSlicerIni } from "./slicer-ini.ts";

type Values = ReadonlyMap<string, IniValue>;
type NumericFigure = Exclude<keyof ResinFigures, "correction" | "bottom" | "cure" | "compensation">;

/** The figures that the configs of PrusaSlicer state by a key of their own, with the limits of a resin. */
const KEYS: readonly (readonly [key: string, figure: NumericFigure, min: number, max: number])[] = [
  ["exposure_time", "exposure_s", 0.001, 1000],
  ["initial_exposure_time", "bottom_exposure_s", 0.001, 1000],
  ["faded_layers", "transition_layers", 0, 1000],
  ["material_density", "density_g_ml", 0.5, 5],
  ["delay_before_exposure", "wait_before_cure_s", 0, 1000],
  ["delay_after_exposure", "wait_after_cure_s", 0, 1000],
];

/** The custom values of UVtools in the notes of a config, as in LiftHeight_8; with Bottom before them, those of the bottom layers. */
const CUSTOM_VALUES: readonly (readonly [name: string, figure: keyof CycleFigures])[] = [
  ["WaitTimeBeforeCure", "wait_before_cure_s"],
  ["WaitTimeAfterCure", "wait_after_cure_s"],
  ["WaitTimeAfterLift", "wait_after_lift_s"],
  ["LightOffDelay", "light_off_delay_s"],
  ["LiftHeight", "lift_mm"],
  ["LiftSpeed", "lift_mm_min"],
  ["LiftHeight2", "lift2_mm"],
  ["LiftSpeed2", "lift2_mm_min"],
  ["RetractSpeed", "retract_mm_min"],
  ["RetractHeight2", "retract2_mm"],
  ["RetractSpeed2", "retract2_mm_min"],
  ["LightPWM", "light"],
];

/**
 * The resins of a config or a config bundle of PrusaSlicer for SLA printers: one for each material, with a setting for each layer height.
 * Other keys, such as those of supports and of the tilt, are ignored. Throws the error of `refuse`, with the line, for values that
 * contradict each other, and where there is no material. `fileName` names the resin of a config without a name.
 */
export function resinsOfIni(text: string, fileName: string, refuse: ErrorFactory): Resin[] {
  const sections = parseSlicerIni(text, refuse);
  const materials = sections.filter(({ kind }) => kind === "sla_material");
  const prints = inherited(
    sections.filter(({ kind }) => kind === "sla_print"),
    refuse,
  );
  const found =
    materials.length > 0
      ? inherited(materials, refuse).map(({ section, values }) =>
          materialOf(section.name, section.line, values, prints, refuse),
        )
      : sections.filter(isConfig).map(({ values, line }) => {
          requireSla(values, refuse);
          return materialOf(values.get("sla_material_settings_id")?.text || fileName, line, values, [], refuse);
        });
  if (found.length === 0)
    throw refuse("it has no material of an SLA printer: neither exposure_time nor a section [sla_material:NAME]");
  return asResins(found);
}

const isConfig = ({ kind, values }: IniSection): boolean =>
  kind === "" && ["exposure_time", "printer_technology"].some((key) => values.has(key));

function requireSla(values: Values, refuse: ErrorFactory): void {
  const technology = values.get("printer_technology");
  if (technology && technology.text !== "SLA")
    throw refuse(`line ${technology.line}: it is for printers of the technology ${technology.text}, not SLA`);
}

interface Inherited {
  readonly section: IniSection;
  readonly values: Values;
}

/** The sections of a kind with the values that they inherit, without those that are only inherited, whose names have asterisks. */
function inherited(sections: readonly IniSection[], refuse: ErrorFactory): Inherited[] {
  const all = new Map<string, IniSection>();
  for (const section of sections) {
    const { name, kind, line } = section;
    const other = all.get(name);
    if (other)
      throw refuse(`line ${line}: the section [${kind}:${name}] is in line ${other.line}, too: remove one of them`);
    all.set(name, section);
  }
  const own = sections.filter(({ name }) => !/^\*.*\*$/.test(name));
  return own.map((section) => ({ section, values: inheritedValues(section, all, refuse) }));
}

interface Material {
  readonly name: string;
  readonly layerMm: number;
  readonly figures: ResinFigures;
}

function materialOf(
  name: string,
  line: number,
  values: Values,
  prints: readonly Inherited[],
  refuse: ErrorFactory,
): Material {
  const layerMm = layerHeightOf(name, values) ?? onlyValue(prints, "layer_height");
  if (layerMm === undefined || !(layerMm >= 0.005 && layerMm <= 1))
    throw refuse(`line ${line}: ${name} has no layer_height of 0.005 mm to 1 mm`);
  const fitting = prints.filter((print) => Number(print.values.get("layer_height")?.text) === layerMm);
  const faded = onlyValue(fitting, "faded_layers");
  const stated = figuresOf(values, refuse);
  const fading = stated.transition_layers ?? faded;
  const figures = {
    ...(fading !== undefined && { bottom_layers: 1, transition_layers: fading }),
    ...stated,
    ...customValuesOf(values, refuse),
  };
  const correction = correctionOf(values, refuse);
  return { name, layerMm, figures: { ...figures, ...(correction && { correction }) } };
}

/** The layer height of a material: its own, that of the print settings that it demands, or that in its name ("Tough @0.05"). */
function layerHeightOf(name: string, values: Values): number | undefined {
  const demanded = /layer_height\s*==\s*([\d.]+)/.exec(values.get("compatible_prints_condition")?.text ?? "");
  const text = values.get("layer_height")?.text ?? demanded?.[1] ?? HEIGHT_IN_NAME.exec(name)?.[1];
  return text === undefined ? undefined : Number(text);
}

const HEIGHT_IN_NAME = /\s*@?\s*\b(0\.\d+)(?:\s*mm)?\b/;

/** The value of a key that is the same in all of some sections. */
function onlyValue(sections: readonly Inherited[], key: string): number | undefined {
  const [first, ...others] = new Set(sections.map(({ values }) => values.get(key)?.text));
  return first === undefined || others.length > 0 ? undefined : Number(first);
}

function figuresOf(values: Values, refuse: ErrorFactory): ResinFigures {
  const figures: Partial<Record<NumericFigure, number>> = {};
  for (const [key, figure, min, max] of KEYS) {
    const value = values.get(key);
    if (!value) continue;
    // Delays have two values, for layers with less and with more area.
    const number = Math.max(...value.text.split(",").map(Number));
    if (!(number >= min && number <= max))
      throw refuse(`line ${value.line}: ${key} must be ${min} to ${max}, not "${value.text}"`);
    requireWithin(key, number, values, refuse);
    figures[figure] = number;
  }
  return figures;
}

/** Throws where a value is not between its own min_ and max_. */
function requireWithin(key: string, number: number, values: Values, refuse: ErrorFactory): void {
  for (const [bound, isBeyond] of [
    [`min_${key}`, (limit: number) => number < limit],
    [`max_${key}`, (limit: number) => number > limit],
  ] as const) {
    const limit = values.get(bound);
    if (limit && isBeyond(Number(limit.text)))
      throw refuse(
        `line ${values.get(key)?.line}: ${key} ${number} contradicts ${bound} ${limit.text} in line ${limit.line}`,
      );
  }
}

/** Values of 0 mean that the machine uses its own. */
function customValuesOf(values: Values, refuse: ErrorFactory): ResinFigures {
  let figures: ResinFigures = {};
  for (const key of ["printer_notes", "material_notes"]) {
    const { text = "", line = 0 } = values.get(key) ?? {};
    for (const [, name = "", number = ""] of text.matchAll(/\b(\w+?)_([\d.]+)(?![\w.])/g)) {
      const value = Number(number);
      if (Number.isNaN(value)) throw refuse(`line ${line}: ${name}_${number} in ${key} has no number`);
      if (value !== 0) figures = withCustomValue(figures, name, value);
    }
  }
  return figures;
}

function withCustomValue(figures: ResinFigures, name: string, value: number): ResinFigures {
  if (name === "BottomLayerCount") return { ...figures, bottom_layers: value };
  if (name === "TransitionLayerCount") return { ...figures, transition_layers: value };
  const [, bottom, rest] = /^(Bottom)?(.*)$/.exec(name) ?? [];
  const [, figure] = CUSTOM_VALUES.find(([own]) => own === rest) ?? [];
  if (figure === undefined) return figures;
  return bottom === undefined
    ? { ...figures, [figure]: value }
    : { ...figures, bottom: { ...figures.bottom, [figure]: value } };
}

/** The factors of the printer and of the material together; undefined where they change nothing. */
function correctionOf(values: Values, refuse: ErrorFactory): [number, number, number] | undefined {
  const printer = axesOf("relative_correction", values, refuse);
  const material = axesOf("material_correction", values, refuse);
  const both = printer.map(({ factor }, axis) => factor * (material[axis]?.factor ?? 1));
  const wrong = both.findIndex((factor) => !(factor >= 0.5 && factor <= 2));
  if (wrong >= 0)
    throw refuse(`line ${material[wrong]?.line}: the corrections must be 0.5 to 2 in all, not ${both[wrong]}`);
  return both.every((factor) => factor === 1) ? undefined : (both as [number, number, number]);
}

/**
 * Factors along x, y and z: `key_x` and so on, or in older files all in `key`, where two are for the plane and for z. Newer versions of
 * PrusaSlicer write both, with a list of ones or with the list of an older file, which they do not use.
 */
function axesOf(key: string, values: Values, refuse: ErrorFactory): { factor: number; line: number }[] {
  const all = values.get(key);
  const factors = all?.text.split(",").map(Number) ?? [];
  const isUnused = factors.every((factor) => factor === 1);
  return ["x", "y", "z"].map((axis, i) => {
    const own = values.get(`${key}_${axis}`);
    const older = (factors.length === 2 ? factors[Math.max(0, i - 1)] : factors[i]) ?? 1;
    if (own && all && !isUnused && Number(own.text) !== older)
      throw refuse(
        `line ${all.line}: ${key} ${all.text} contradicts ${key}_${axis} ${own.text} in line ${own.line}: remove one of them`,
      );
    return { factor: own ? Number(own.text) : older, line: own?.line ?? all?.line ?? 1 };
  });
}

/** Joins the materials that differ in their layer heights alone, as their names say. */
function asResins(materials: readonly Material[]): Resin[] {
  const groups = new Map<string, Material[]>();
  for (const material of materials) {
    const name = material.name.replace(HEIGHT_IN_NAME, "").trim() || material.name;
    const others = groups.get(name) ?? [];
    const isTaken = others.some(({ layerMm }) => layerMm === material.layerMm);
    if (isTaken) groups.set(material.name, [material]);
    else groups.set(name, [...others, material]);
  }
  const codes = new Set<string>([GENERIC_RESIN]);
  return [...groups].map(([name, settings]) => ({
    code: uniqueCode(name, codes),
    name: name.replace(/\p{C}/gu, " ").slice(0, 100),
    settings: settings.map(({ layerMm, figures }) => ({ layer_mm: layerMm, ...figures })),
  }));
}

/** An id from the letters and digits of a name. */
function uniqueCode(name: string, taken: Set<string>): string {
  const plain = name
    .normalize("NFKD")
    .toUpperCase()
    .match(/[A-Z0-9]+/g) ?? ["RESIN"];
  const base = plain.join("-").slice(0, 28).replace(/-$/, "");
  let code = base;
  for (let n = 2; taken.has(code); n++) code = `${base}-${n}`;
  taken.add(code);
  return code;
}
