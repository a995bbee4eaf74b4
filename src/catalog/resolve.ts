import { type ApiError, excerpt, inputError } from "../core/api-error.ts";
import {
  type CatalogEntry,
  printerTypes,
  acceptedEntries,
  canonicalMachineType,
  catalogEntries,
  earlierEntriesOf,
  entriesOf,
  isReserved,
} from "./catalog.ts";
import {
  DEFAULT_PRINT_SETTING,
  DEFAULT_SETTING_LABEL,
  type LayerThickness,
  type Setting,
  isSameThickness,
  parseLayerThickness,
} from "./setting.ts";
import { must } from "../core/must.ts";

/** A combination in a request. Aliases of machine types are accepted. */
export interface CombinationRequest {
  readonly machine_type: string;
  readonly material_code: string;
  /** By default, and for `DEFAULT`, the default profile for the other three fields. */
  readonly print_setting?: string | undefined;
  /** Millimetres, `ADAPTIVE`, or a number written as a string. */
  readonly layer_thickness_mm: number | string;
}

/** The fields of a combination, any of which may be missing. */
type CombinationFields = { readonly [Field in keyof CombinationRequest]?: CombinationRequest[Field] | undefined };

/**
 * The setting that a request names, from the first printer type that has it. Without `print_setting`, or with `DEFAULT` if no setting
 * has that name, it is the default profile: the first whose label says so, else the first listed. Settings of earlier catalogs are found by
 * their names. Throws INPUT_ERROR if the machine type is reserved or nothing matches; the message names the first field that does not
 * match, and its closest valid values.
 */
export function resolveCombination(request: CombinationRequest): Setting {
  const { machine_type, material_code, print_setting, layer_thickness_mm } = request;
  requireKnownMachine(machine_type);
  const machineType = canonicalMachineType(machine_type);
  const thickness = parseLayerThickness(layer_thickness_mm);

  const ofMachine = printerTypes()
    .filter((one) => one.machineType === machineType)
    .flatMap(entriesOf);
  if (ofMachine.length === 0) {
    requireCatalogued(machine_type);
    throw withOwnFilesHint(
      mismatchError("machine_type", machine_type, "", fieldValues(catalogEntries(), "machineType")),
    );
  }

  const ofMaterial = ofMachine.filter(({ combination }) => combination.materialCode === material_code);
  const onMachine = ` for machine_type ${machine_type}`;
  if (ofMaterial.length === 0) {
    const error = mismatchError("material_code", material_code, onMachine, fieldValues(ofMachine, "materialCode"));
    // Materials of Formlabs are published with their printers.
    throw ofMachine.some(({ printerType }) => printerType.job === "form") ? error : withOwnFilesHint(error);
  }

  const ofThickness = ofMaterial.filter(
    ({ combination }) => thickness !== undefined && isSameThickness(combination.layerThicknessMm, thickness),
  );
  const withMaterial = `${onMachine} and material_code ${material_code}`;
  if (ofThickness.length === 0) {
    throw mismatchError(
      "layer_thickness_mm",
      layer_thickness_mm,
      withMaterial,
      fieldValues(ofMaterial, "layerThicknessMm"),
    );
  }

  const byDefault =
    ofThickness.find(({ label }) => label.endsWith(DEFAULT_SETTING_LABEL)) ?? must(ofThickness[0], "a setting");
  if (print_setting === undefined) return settingOf(byDefault);
  const earlier = [...new Set(ofThickness.map(({ printerType }) => printerType))].flatMap(earlierEntriesOf);
  const named = [...ofThickness, ...earlier.filter(isOf(byDefault))];
  const entry =
    named.find(({ combination }) => combination.printSetting === print_setting) ??
    (print_setting === DEFAULT_PRINT_SETTING ? byDefault : undefined);
  if (!entry) {
    const where = `${withMaterial} at layer_thickness_mm ${layer_thickness_mm}`;
    throw mismatchError("print_setting", print_setting, where, fieldValues(ofThickness, "printSetting"));
  }
  return settingOf(entry);
}

/** Whether an entry has the material and layer thickness of another. */
const isOf =
  ({ combination: one }: CatalogEntry) =>
  ({ combination: other }: CatalogEntry): boolean =>
    one.materialCode === other.materialCode && isSameThickness(one.layerThicknessMm, other.layerThicknessMm);

const settingOf = ({ combination, printerType }: CatalogEntry): Setting => ({ combination, printerType });

/** Throws INPUT_ERROR for the reserved machine type and its aliases. */
function requireKnownMachine(machineType: string): void {
  if (!isReserved(machineType)) return;
  throw inputError(`machine_type ${machineType} is reserved for unknown printers: choose one from print-setting/list.`);
}

/** Machine types of powder printers of 2026, whose settings are not published. */
const UNCATALOGUED = /^FUSX/i;

/**
 * Reason why the catalog lacks an existing machine type, without a full stop; undefined for machine types of the catalog and unknown
 * ones.
 */
export function whyUncatalogued(machineType: string): string | undefined {
  if (!UNCATALOGUED.test(machineType)) return undefined;
  return `${JSON.stringify(excerpt(machineType))} is a printer of 2026 whose build volume and print settings the catalog does not have: prepare its jobs with the maker's program, or choose another printer`;
}

/** Throws INPUT_ERROR for existing machine types that the catalog lacks. */
function requireCatalogued(machineType: string): void {
  const why = whyUncatalogued(machineType);
  if (why !== undefined) throw inputError(`machine_type ${why} that print-setting/list offers.`);
}

const fieldValues = (entries: readonly CatalogEntry[], field: keyof CatalogEntry["combination"]): string[] =>
  entries.map(({ combination }) => String(combination[field]));

/** Most valid values in a message; print-setting/list lists all of them. */
const MAX_SUGGESTIONS = 6;

function mismatchError(field: string, given: string | number, where: string, valid: readonly string[]): ApiError {
  const ordered = closestMatches(String(given), valid);
  const offered = ordered.slice(0, MAX_SUGGESTIONS).join(", ");
  const others = ordered.length > MAX_SUGGESTIONS ? ", … (print-setting/list has all)" : "";
  const shown = JSON.stringify(typeof given === "string" ? excerpt(given) : given);
  return inputError(`No print setting has ${field} ${shown}${where}. Valid: ${offered}${others}.`);
}

/** The error with the way out for printers and resins of the user, which the catalog has only with their files. */
const withOwnFilesHint = ({ message }: ApiError): ApiError =>
  inputError(`${message} One of your own is known where its file is given at the start: --machines FILE.`);

/** The setting of a new scene: a mid-size resin printer, grey general-purpose resin, 0.1 mm (interface supplement, section 3). */
export const defaultSetting = (): Setting =>
  resolveCombination({ machine_type: "FORM-4-0", material_code: "FLGPGR05", layer_thickness_mm: 0.1 });

/** The valid values of the field that a request lacks. */
export interface CombinationOptions {
  /** Canonical ids, without aliases. */
  machine_types?: string[];
  material_codes?: string[];
  print_settings?: string[];
  layer_thicknesses_mm?: LayerThickness[];
}

export interface CombinationValidity {
  valid: boolean;
  /** If one field is missing: a list of its valid values. */
  options?: CombinationOptions;
}

/**
 * Whether the catalog has a combination, from three or four of its fields. For three, `options` has the values of the fourth in the order
 * of the catalog, and `valid` says whether there are any. `DEFAULT` names the default profile. Unknown values are invalid; the reserved
 * machine type throws INPUT_ERROR.
 */
export function validateCombination(request: CombinationFields): CombinationValidity {
  const { machine_type, material_code, print_setting, layer_thickness_mm } = request;
  if (machine_type !== undefined) requireKnownMachine(machine_type);
  const machineType = machine_type === undefined ? undefined : canonicalMachineType(machine_type);
  const thickness = layer_thickness_mm === undefined ? undefined : parseLayerThickness(layer_thickness_mm);

  const fits = ({ combination }: CatalogEntry): boolean =>
    (machine_type === undefined || combination.machineType === machineType) &&
    (material_code === undefined || combination.materialCode === material_code) &&
    // Every combination has a default profile.
    (print_setting === undefined ||
      print_setting === DEFAULT_PRINT_SETTING ||
      combination.printSetting === print_setting) &&
    (layer_thickness_mm === undefined ||
      (thickness !== undefined && isSameThickness(combination.layerThicknessMm, thickness)));
  const listed = catalogEntries().filter(fits);
  // Settings of earlier catalogs are accepted, but offered only for a request that names one.
  const fitting = listed.length > 0 ? listed : acceptedEntries().filter(fits);
  return { valid: fitting.length > 0, ...missingFieldOptions(request, fitting) };
}

function missingFieldOptions(
  request: CombinationFields,
  fitting: readonly CatalogEntry[],
): { options?: CombinationOptions } {
  const distinct = <Field extends keyof CatalogEntry["combination"]>(
    field: Field,
  ): CatalogEntry["combination"][Field][] => [...new Set(fitting.map(({ combination }) => combination[field]))];
  if (request.machine_type === undefined) return { options: { machine_types: distinct("machineType") } };
  if (request.material_code === undefined) return { options: { material_codes: distinct("materialCode") } };
  if (request.print_setting === undefined) return { options: { print_settings: distinct("printSetting") } };
  if (request.layer_thickness_mm !== undefined) return {};
  return { options: { layer_thicknesses_mm: distinct("layerThicknessMm") } };
}

/** Most characters of a value that are compared, since requests may have megabytes. */
const MAX_COMPARED = 64;

/** The distinct values, sorted by their edit distance from `given`; equal distances keep their order. */
export function closestMatches(given: string, values: readonly string[]): string[] {
  const compared = given.slice(0, MAX_COMPARED);
  return [...new Set(values)]
    .map((value) => ({ value, distance: editDistance(compared, value) }))
    .sort((a, b) => a.distance - b.distance)
    .map(({ value }) => value);
}

/** The Levenshtein distance: the smallest number of insertions, deletions and replacements of characters. */
function editDistance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i++) {
    let [left, diagonal] = [i, i - 1];
    row = row.map((above, j) => {
      if (j > 0) [left, diagonal] = [Math.min(above + 1, left + 1, diagonal + (a[i - 1] === b[j - 1] ? 0 : 1)), above];
      return left;
    });
  }
  return row.at(-1) ?? 0;
}
