import { statSync } from "node:fs";
import { join } from "node:path";
import { inputError } from "../core/api-error.ts";
import type { PrinterType } from "../catalog/setting.ts";
import { usualResins } from "../catalog/open-printers.ts";
import { type ResinFigures, resinFiguresSchema } from "../catalog/resin.ts";
import { matchSchema } from "../core/match-schema.ts";
import { chooseSetting } from "./choose-setting.ts";
import { numberOf, type parseWords, vectorOf } from "./parse-words.ts";
import { PIPE_OPTIONS } from "./pipes.ts";
import type { GivenStep } from "./steps-file.ts";

const text = { type: "string" } as const;
const flag = { type: "boolean", default: false } as const;

/** The options that prepare a scene from parts, in the form of `parseArgs`. */
export const PREPARE_OPTIONS = {
  printer: text,
  material: text,
  layer: text,
  exposure: text,
  "bottom-exposure": text,
  "bottom-layers": text,
  "print-setting": text,
  fps: text,
  units: text,
  ...PIPE_OPTIONS,
  repair: flag,
  scale: text,
  rotate: text,
  copies: text,
  hollow: text,
  infill: text,
  "infill-cell": text,
  "infill-wall": text,
  drain: flag,
  orient: flag,
  support: flag,
  density: text,
  touchpoint: text,
  layout: flag,
  "no-layout": flag,
  spacing: text,
} as const;

export const PREPARE_USAGE = `The printer and its layers:
  --printer NAME       machine type or product name, such as PRUSA-SL1S or "Form 4"; printwright printers lists them
  --material NAME      code or name of a material of the printer (default: its only one, or Grey V5);
                       printwright materials --printer NAME lists them
  --resin FILE         your resin: a JSON file (docs/own-printers.md) or a material of PrusaSlicer (.ini); also in place of
                       that of a project
  --layer MM           layer thickness, or adaptive (default 0.05, else 0.1, else the material's first)
  --exposure S         seconds of exposure of a layer, on other printers than those of Formlabs
  --bottom-exposure S, --bottom-layers N
                       seconds of exposure of the bottom layers, and their number
  --print-setting NAME print setting, where the material has several (default: the material's own)
  --fps FILE           all of these from an .fps file

The parts, in the order in which it is done:
  --units mm|inch      units of files that state none
  --format EXT         the format, such as stl, of the part that - reads from standard input
  --repair             repair parts that are not closed; without it they are refused
  --scale FACTOR       scale, such as 1.02
  --rotate X,Y,Z       turn by these angles in degrees, about x, then y, then z
  --hollow MM          hollow to walls of this thickness, without the holes that let the resin out
  --infill KIND        fill the hollow with gyroid, schwarz-p or schwarz-d sheets, or struts (--infill-cell MM, --infill-wall MM)
  --orient             turn each part so that it prints best
  --drain              drill the fewest holes by which hollow parts let air in and resin out as they are printed
  --support            supports (--density FACTOR, --touchpoint MM change the print setting's own)
  --copies N           as many of each part
  --layout             arrange the parts on the platform, or pack them into a powder chamber (--spacing MM); without it
                       that is done only where it is needed: for several parts, copies, turns or supports
  --no-layout          leave the parts where their files have them
`;

/** The values of {@link PREPARE_OPTIONS}. */
export type PrepareValues = ReturnType<typeof parseWords<typeof PREPARE_OPTIONS>>["values"];

export interface PreparePlan {
  /** The steps; the first is named `scene` or `project`. */
  readonly steps: readonly GivenStep[];
  /** A reference to the id of the scene, for the bodies of steps. */
  readonly scene: { readonly $: string };
  /** The printer type; undefined where only the project or the file of the print setting determines it. */
  readonly printerType?: PrinterType | undefined;
}

interface PreparePolicy {
  /** Whether files with meshes that are not closed are refused, as by default, or imported unchanged. */
  readonly unrepaired?: "ERROR" | "IGNORE";
  /** Whether the setting with which a server starts is used where no printer is named. */
  readonly isPrinterOptional?: boolean;
}

/** The steps that prepare a scene from model files, or open the one of a `.form` project. Throws INPUT_ERROR for wrong values. */
export function planPreparation(
  files: readonly string[],
  values: PrepareValues,
  policy: PreparePolicy = {},
): PreparePlan {
  const [first] = files;
  if (first === undefined) throw inputError("name the files of the parts; --help has more");
  const isProject = files.some((file) => /\.form$/i.test(file));
  if (isProject && files.length > 1) throw inputError("a .form project is opened alone, without other files");
  if (values.layout && values["no-layout"]) throw inputError("--layout and --no-layout exclude each other");
  const opened = isProject ? openProject(first, values) : importParts(files, values, policy);
  const changes = changesOf(values, opened, isProject ? 0 : files.length);
  return { ...opened, steps: [...opened.steps, ...changes] };
}

/** The fields of a combination from the options, and its printer type. */
function settingOf(values: PrepareValues): { body: object; printerType?: PrinterType } {
  const { printer, material, layer, fps } = values;
  const figures = figuresOf(values);
  if (fps !== undefined) {
    if (printer ?? material ?? layer ?? values["print-setting"] ?? figures)
      throw inputError("--fps gives the printer, the material and the layers: leave the other options for them out");
    return { body: { fps_file: fps } };
  }
  if (printer === undefined) throw inputError("name the printer with --printer; printwright printers lists them all");
  const words = { printer, material, layer, printSetting: values["print-setting"], figures };
  const { request, printerType } = chooseSetting(words);
  return { body: request, printerType };
}

/** The figures of the resin that options give; undefined without any. Throws INPUT_ERROR, with the option, for those out of range. */
function figuresOf(values: PrepareValues): ResinFigures | undefined {
  const given = FIGURE_OPTIONS.flatMap(([option, key, unit]) => {
    const value = numberOf(option, values[option], unit);
    return value === undefined ? [] : [[key, value] as const];
  });
  if (given.length === 0) return undefined;
  const optionOf = (why: string): string =>
    FIGURE_OPTIONS.reduce((text, [option, key]) => text.replace(`"/${key}":`, `--${option}`), why);
  return matchSchema(resinFiguresSchema, Object.fromEntries(given), (why) => inputError(optionOf(why)));
}

/** Options for figures of the resin, and the unit that may follow their numbers. */
const FIGURE_OPTIONS = [
  ["exposure", "exposure_s", "s"],
  ["bottom-exposure", "bottom_exposure_s", "s"],
  ["bottom-layers", "bottom_layers", ""],
] as const;

function importParts(files: readonly string[], values: PrepareValues, policy: PreparePolicy): PreparePlan {
  for (const file of files) requireFileName(file);
  const { steps, scene, printerType } = newScene(values, policy);
  const imports = files.map((file, i) => ({
    name: `part${i + 1}`,
    request: "scene/model/import",
    body: {
      scene_id: scene,
      file,
      repair_behavior: values.repair ? "REPAIR" : (policy.unrepaired ?? "ERROR"),
      ...(values.units !== undefined && { units: unitsOf(values.units) }),
    },
  }));
  return { steps: [...steps, ...imports], scene, printerType };
}

function requireFileName(file: string): void {
  if (file === "") throw inputError("the name of a part is empty: check the shell's variables in the command");
  if (statSync(file, { throwIfNoEntry: false })?.isDirectory())
    throw inputError(`"${file}" is a folder: name the files in it, such as ${join(file, "*.stl")}`);
}

function newScene(values: PrepareValues, { isPrinterOptional = false }: PreparePolicy): PreparePlan {
  if (isPrinterOptional && namedSetting(values) === undefined)
    return { steps: [{ name: "scene", request: "scene/list" }], scene: { $: "scene.scenes.0.id" } };
  const { body, printerType } = settingOf(values);
  const step = { name: "scene", request: "scene/create", body: { ...body } };
  return { steps: [step], scene: { $: "scene.scene_id" }, printerType };
}

/** A given option that names the setting or a part of it. */
const namedSetting = (values: PrepareValues) => SETTING_OPTIONS.find((option) => values[option] !== undefined);

const SETTING_OPTIONS = [
  "printer",
  "fps",
  "material",
  "layer",
  "print-setting",
  "exposure",
  "bottom-exposure",
  "bottom-layers",
] as const;

/** Opens the first scene of a project, and changes it to another printer where one is named. */
function openProject(file: string, values: PrepareValues): PreparePlan {
  if (values.units !== undefined) throw inputError("--units is for model files, not for projects");
  const scene = { $: "project.scenes.0.scene_id" };
  const open = { name: "project", request: "scene/open", body: { file } };
  const repair = { name: "repair", request: "scene/model/repair", body: { scene_id: scene } };
  const repairs = values.repair ? [repair] : [];
  const { body, printerType } = namedSetting(values) === undefined ? resinOfProject() : settingOf(values);
  if (body === undefined) return { steps: [open, ...repairs], scene };
  const update = { name: "scene", request: "scene/update", body: { scene_id: scene, ...body } };
  return { steps: [open, update, ...repairs], scene, printerType };
}

/** The resin of `--resin` in place of that of a project, whose printer and layers stay; without the option no body. */
function resinOfProject(): { body?: object; printerType?: undefined } {
  const codes = usualResins();
  if (codes.length === 0) return {};
  if (codes.length > 1)
    throw inputError(`--resin has several materials: name one with --material, and --printer: ${codes.join(", ")}`);
  const saved = (key: string): object => ({ $: `project.scenes.0.scene_settings.${key}` });
  return {
    body: {
      machine_type: saved("machine_type"),
      material_code: codes[0],
      layer_thickness_mm: saved("layer_thickness_mm"),
    },
  };
}

const UNITS: Readonly<Record<string, string>> = {
  mm: "MILLIMETERS",
  millimeters: "MILLIMETERS",
  in: "INCHES",
  inch: "INCHES",
  inches: "INCHES",
};

function unitsOf(text: string): string {
  const units = UNITS[text.toLowerCase()];
  if (units === undefined) throw inputError(`--units must be mm or inch, not "${text}"`);
  return units;
}

const INFILLS: Readonly<Record<string, string>> = {
  gyroid: "GYROID",
  "schwarz-p": "SCHWARZ_P",
  "schwarz-d": "SCHWARZ_D",
  struts: "STRUTS",
};

/** The field of `hollow` for the options of infill. */
function infillOf(values: PrepareValues): object {
  const { infill } = values;
  const [cell, wall] = [numberOf("infill-cell", values["infill-cell"]), numberOf("infill-wall", values["infill-wall"])];
  if (infill === undefined) {
    if ((cell ?? wall) !== undefined)
      throw inputError("--infill-cell and --infill-wall are for infill: add --infill gyroid");
    return {};
  }
  if (values.hollow === undefined) throw inputError("--infill fills hollow parts: add --hollow MM");
  const kind = INFILLS[infill.toLowerCase()];
  if (kind === undefined) throw inputError(`--infill must be ${Object.keys(INFILLS).join(", ")}, not "${infill}"`);
  return {
    infill: {
      kind,
      ...(cell !== undefined && { cell_size_mm: cell }),
      ...(wall !== undefined && { wall_thickness_mm: wall }),
    },
  };
}

/** The steps that change all models of the scene, of which `newParts` are new and have no position yet. */
function changesOf(values: PrepareValues, { scene, printerType }: PreparePlan, newParts: number): GivenStep[] {
  const scale = numberOf("scale", values.scale);
  const wall = numberOf("hollow", values.hollow);
  const infill = infillOf(values);
  const copies = numberOf("copies", values.copies) ?? 1;
  if (copies < 1 || !Number.isInteger(copies)) throw inputError(`--copies must be a whole number, not "${copies}"`);
  const density = numberOf("density", values.density);
  const touchpoint = numberOf("touchpoint", values.touchpoint);
  const spacing = numberOf("spacing", values.spacing);
  if (!values.support && (density ?? touchpoint) !== undefined)
    throw inputError("--density and --touchpoint are for supports: add --support");
  if (values.support && printerType?.family === "powder")
    throw inputError(`--support is for resin printers: powder carries the parts of a ${printerType.label}`);
  const step = (name: string, request: string, body: object = {}): GivenStep => ({
    name,
    request: `scene/model/${request}`,
    body: { scene_id: scene, ...body },
  });
  if (values.drain && printerType?.family === "powder")
    throw inputError(`--drain is for resin printers: the holes of a ${printerType.label} are drilled by hand`);
  const isLone = newParts === 1 && copies === 1;
  const changesPlace =
    copies > 1 || newParts > 1 || (isLone && (values.orient || values.support || values.rotate !== undefined));
  const lays = values.layout || (changesPlace && !values["no-layout"]);
  const layout = step(
    "layout",
    printerType?.family === "powder" ? "auto-pack" : "auto-layout",
    spacing === undefined ? {} : { model_spacing_mm: spacing },
  );
  const supports = {
    ...(density !== undefined && { density }),
    ...(touchpoint !== undefined && { touchpoint_size_mm: touchpoint }),
  };
  return [
    scale !== undefined && step("scale", "scale", { scale }),
    values.rotate !== undefined && step("rotate", "orient", { orientation: vectorOf("rotate", values.rotate) }),
    wall !== undefined && step("hollow", "hollow", { wall_thickness_mm: wall, ...infill }),
    values.orient && step("orient", "auto-orient"),
    lays && isLone && layout,
    // Before supports, which then keep off the holes, and after turns, which change what drains.
    values.drain && step("drain", "auto-drain", values.support ? { before_supports: true } : {}),
    // Supports of parts at the edge of the platform, where files may place them, are built twice: without the volume, then inside it.
    lays &&
      !isLone &&
      values.support &&
      newParts > 0 &&
      step("centre", "translate", { position: { x: 0, y: 0, z: 0 } }),
    values.support && step("supports", "auto-support", supports),
    copies > 1 && step("copies", "duplicate", { count: copies - 1 }),
    lays && !isLone && layout,
  ].filter((one) => one !== false);
}
