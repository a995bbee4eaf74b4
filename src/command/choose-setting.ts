import { printerTypes, type Material, canonicalMachineType, materialsOf } from "../catalog/catalog.ts";
import { closestMatches, defaultSetting, resolveCombination, whyUncatalogued } from "../catalog/resolve.ts";
import { settingWithFigures } from "../catalog/custom-print-setting.ts";
import { usualResins } from "../catalog/open-printers.ts";
import { GENERIC_RESIN, type ResinFigures } from "../catalog/resin.ts";
import { type LayerThickness, type PrinterType, isSameThickness, parseLayerThickness } from "../catalog/setting.ts";
import { ApiError, excerpt, inputError } from "../core/api-error.ts";
import { must } from "../core/must.ts";

/** The machine, the material and the layers in the words of people. */
export interface SettingWords {
  readonly printer: string;
  readonly material?: string | undefined;
  /** Millimetres, or `adaptive`. */
  readonly layer?: string | undefined;
  readonly printSetting?: string | undefined;
  /** Figures of the resin in place of those of the material. */
  readonly figures?: ResinFigures | undefined;
}

/** Preferred layer thicknesses where none is given, the best first; without a match, the first of the material is used. Millimetres. */
const USUAL_LAYERS_MM = [0.05, 0.1] as const;

/** The body of scene/create for these words. Throws INPUT_ERROR, with the choices, for words that name nothing or are ambiguous. */
export function chooseSetting({ printer, material, layer, printSetting, figures }: SettingWords) {
  const types = findPrinters(printer);
  const { code, settings } = findMaterial(types, material);
  const thicknesses = settings
    .filter(({ combination }) => printSetting === undefined || combination.printSetting === printSetting)
    .map(({ combination }) => combination.layerThicknessMm);
  const usual = USUAL_LAYERS_MM.find((mm) => thicknesses.includes(mm)) ?? thicknesses[0] ?? USUAL_LAYERS_MM[0];
  const request = {
    machine_type: must(types[0], "a printer type").machineType,
    material_code: code,
    layer_thickness_mm: layer?.replace(/ *mm$/, "").toUpperCase() ?? usual,
    ...(printSetting !== undefined && { print_setting: printSetting }),
  };
  const own = figures ?? (isOfOwnThickness(request.layer_thickness_mm, types, thicknesses) ? {} : undefined);
  if (!own) return { request, printerType: resolveCombination(request).printerType };
  return {
    request: { ...request, resin_settings: own },
    printerType: settingWithFigures(request, own).printerType,
  };
}

/** Whether layers have a thickness that only a custom print setting has: open printers have no fixed ones. */
function isOfOwnThickness(
  given: string | number,
  [type]: readonly PrinterType[],
  listed: readonly LayerThickness[],
): boolean {
  const thickness = parseLayerThickness(given);
  return (
    type?.job !== "form" && typeof thickness === "number" && !listed.some((one) => isSameThickness(one, thickness))
  );
}

/** The printer types of the catalog that a machine type, a product name or a part of one names: several may share one machine type. */
export function findPrinters(text: string): PrinterType[] {
  const machineType = canonicalMachineType(text.toUpperCase());
  const byId = printerTypes().filter((type) => type.machineType === machineType);
  if (byId.length > 0) return byId;
  const why = whyUncatalogued(text);
  if (why !== undefined) throw inputError(`${why}; printwright printers lists them all`);
  const found = matching(printerTypes(), text, namesOf, PRINTER_WAYS);
  if (new Set(found.map((type) => type.machineType)).size === 1) return found;
  if (found.length > 0) throw noneOrSeveral("printer", text, found.map(describePrinter), []);
  const similar = searchPrinters(text);
  const listed = (similar.length > 0 ? similar : printerTypes()).map(describePrinter);
  const { code, message } = noneOrSeveral("printer", text, [], listed);
  throw new ApiError(code, `${message}\nA printer of your own is known with its file: --machines FILE`);
}

/** Names of a printer: people also leave out its maker. */
const namesOf = ({ label, maker, productNames }: PrinterType): string[] => [
  label,
  ...productNames,
  label.replace(new RegExp(`^${maker} `), ""),
];

/** The printer types that have all words of a text in their machine type or a name. */
export const searchPrinters = (text: string): PrinterType[] =>
  printerTypes().filter((type) => {
    const names = [type.machineType, type.maker, ...namesOf(type)].map(bare);
    return text.split(/\s+/).every((word) => names.some((name) => name.includes(bare(word))));
  });

export const describePrinter = ({ machineType, label }: PrinterType): string => `${machineType} (${label})`;

function findMaterial(types: readonly PrinterType[], text: string | undefined): Material {
  const materials = types.flatMap(materialsOf);
  const { label } = must(types[0], "a printer type");
  const usual = text === undefined ? usualMaterials(materials, label) : [];
  const found = text === undefined ? usual : matching(materials, text, ({ code, label: name }) => [code, name]);
  const [first] = found;
  if (first && found.every(({ code }) => code === first.code)) return first;
  const describe = ({ code, label: name }: Material): string => `${code} (${name})`;
  throw noneOrSeveral(`material for ${label}`, text, found.map(describe), materials.map(describe));
}

/**
 * The materials that are meant where none is named: those of the user's resin file, else the resin of all open printers, the material of the
 * scene with which a server starts, or the only one. Throws INPUT_ERROR for a resin that is not for the printer.
 */
function usualMaterials(materials: readonly Material[], printer: string): Material[] {
  const codes = usualResins();
  const resins = materials.filter(({ code }) => codes.includes(code));
  if (codes.length > 0 && resins.length === 0)
    throw inputError(`the resin of --resin is not for ${printer}: name its material with --material`);
  if (resins.length > 0) return resins;
  const usual = new Set([GENERIC_RESIN, defaultSetting().combination.materialCode]);
  const found = materials.filter(({ code }) => usual.has(code));
  return found.length === 0 && materials.length === 1 ? [...materials] : found;
}

/** The letters and digits of a name, in lower case: people write the rest in different ways. */
const bare = (text: string): string => text.toLowerCase().replace(/[^\p{L}\p{N}+]/gu, "");

/** Ways in which a text can match a name, the surest first: it is equal, it is a word of it, it is a part of it. */
const WAYS: readonly ((name: string, text: string) => boolean)[] = [
  (name, text) => bare(name) === bare(text),
  (name, text) => name.split(/\s/).some((word) => bare(word) === bare(text)),
  (name, text) => bare(name).includes(bare(text)),
];

/** Printers are also called by the end of their names: "M5s" is the Photon Mono M5s, not the M5s Pro. */
const PRINTER_WAYS: typeof WAYS = [
  ...WAYS.slice(0, 1),
  (name, text) => ` ${name.toLowerCase()}`.endsWith(` ${text.trim().toLowerCase()}`),
  ...WAYS.slice(1),
];

/** The items with a name that the text matches, in the surest way in which any matches. */
function matching<Item>(
  items: readonly Item[],
  text: string,
  namesOf: (item: Item) => readonly string[],
  ways = WAYS,
): Item[] {
  const ofEachWay = ways.map((isMeant) => items.filter((item) => namesOf(item).some((name) => isMeant(name, text))));
  return ofEachWay.find((found) => found.length > 0) ?? [];
}

/** Sorts choices by their word that is closest to a text: "marss" means the Mars, whatever other words its name has. */
function closestByWord(text: string, choices: readonly string[]): readonly string[] {
  const wordsOf = (choice: string): string[] => choice.toLowerCase().split(/[\s()-]+/);
  const words = closestMatches(text.toLowerCase(), choices.flatMap(wordsOf));
  const rank = (choice: string): number => Math.min(...wordsOf(choice).map((word) => words.indexOf(word)));
  return choices.toSorted((a, b) => rank(a) - rank(b));
}

/** Most choices in a message. */
const MAX_CHOICES = 20;

function noneOrSeveral(
  what: string,
  text: string | undefined,
  found: readonly string[],
  all: readonly string[],
): ApiError {
  const distinct = [...new Set(found.length > 0 ? found : closestByWord(text ?? "", all))];
  const choices = distinct.slice(0, MAX_CHOICES).map((choice) => `\n  ${choice}`);
  const more = distinct.length > MAX_CHOICES ? `\n  and ${distinct.length - MAX_CHOICES} more` : "";
  const problem =
    text === undefined ? "" : `: ${found.length > 0 ? "several are" : "none is"} called "${excerpt(text)}"`;
  return inputError(`choose a ${what}${problem}. The choices:${choices.join("")}${more}`);
}
