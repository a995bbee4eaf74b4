import { type Fault, inputError } from "../core/fault.ts";
import { canonicalMachineType, ENTRIES, type Entry, isReserved } from "./catalog.ts";
import { isSameThickness, parseLayerThickness } from "./layer-thickness.ts";
import { shortened } from "../core/shortened.ts";
import { nearest } from "./nearest.ts";
import type { Setting } from "./setting.ts";

/** A combination as requests name it; aliases of machine types are accepted. */
export interface CombinationRequest {
  readonly machine_type: string;
  readonly material_code: string;
  /** Absent: the default profile of the others. */
  readonly print_setting?: string;
  /** Millimetres, `ADAPTIVE`, or a number written as a string. */
  readonly layer_thickness_mm: number | string;
}

/** How the label of a default profile ends (the published catalog). */
const DEFAULT_LABEL = "(Default settings)";

/**
 * The setting that a request names, of the first printer type that ships it. Without `print_setting` the default
 * profile: the first whose label says so, else the first listed. Fault INPUT_ERROR where the machine type is reserved
 * or nothing matches; it names the first field that does not fit those before it, and the nearest values that do.
 */
export function resolveCombination(request: CombinationRequest): Setting {
  const { machine_type, material_code, print_setting, layer_thickness_mm } = request;
  requireKnownMachine(machine_type);
  const machineType = canonicalMachineType(machine_type);
  const thickness = parseLayerThickness(layer_thickness_mm);

  const ofMachine = ENTRIES.filter(({ combination }) => combination.machineType === machineType);
  if (ofMachine.length === 0) throw misfit("machine_type", machine_type, "", values(ENTRIES, "machineType"));

  const ofMaterial = ofMachine.filter(({ combination }) => combination.materialCode === material_code);
  const onMachine = ` for machine_type ${machineType}`;
  if (ofMaterial.length === 0) {
    throw misfit("material_code", material_code, onMachine, values(ofMachine, "materialCode"));
  }

  const ofThickness = ofMaterial.filter(
    ({ combination }) => thickness !== undefined && isSameThickness(combination.layerThicknessMm, thickness),
  );
  const withMaterial = `${onMachine} and material_code ${material_code}`;
  if (ofThickness.length === 0) {
    throw misfit("layer_thickness_mm", layer_thickness_mm, withMaterial, values(ofMaterial, "layerThicknessMm"));
  }

  const entry =
    print_setting === undefined
      ? (ofThickness.find(({ label }) => label.endsWith(DEFAULT_LABEL)) ?? ofThickness[0])
      : ofThickness.find(({ combination }) => combination.printSetting === print_setting);
  if (!entry) {
    const where = `${withMaterial} at layer_thickness_mm ${layer_thickness_mm}`;
    throw misfit("print_setting", print_setting!, where, values(ofThickness, "printSetting"));
  }
  return { combination: entry.combination, printerType: entry.printerType };
}

/** Fault INPUT_ERROR for the reserved machine type and whatever folds to it. */
export function requireKnownMachine(machineType: string): void {
  if (!isReserved(machineType)) return;
  throw inputError(
    `machine_type ${machineType} is reserved for unknown printers: choose one that print-setting/list offers.`,
  );
}

const values = (entries: readonly Entry[], field: keyof Entry["combination"]): string[] =>
  entries.map(({ combination }) => String(combination[field]));

/** Values that a message offers; print-setting/list has the others. */
const MOST_OFFERED = 6;

function misfit(field: string, given: string | number, where: string, valid: readonly string[]): Fault {
  const ordered = nearest(String(given), valid);
  const offered = ordered.slice(0, MOST_OFFERED).join(", ");
  const others = ordered.length > MOST_OFFERED ? ", … (print-setting/list has all)" : "";
  const shown = JSON.stringify(typeof given === "string" ? shortened(given) : given);
  return inputError(`No print setting has ${field} ${shown}${where}. Valid: ${offered}${others}.`);
}
