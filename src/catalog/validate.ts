import { canonicalMachineType, ENTRIES, type Entry } from "./catalog.ts";
import { isSameThickness, parseLayerThickness } from "./layer-thickness.ts";
import { type CombinationRequest, requireKnownMachine } from "./resolve.ts";
import type { LayerThickness } from "./setting.ts";

/** The valid values of the field that a request left out. */
export interface CombinationOptions {
  /** Canonical ids, also where an alias would do. */
  machine_types?: string[];
  material_codes?: string[];
  print_settings?: string[];
  layer_thicknesses_mm?: LayerThickness[];
}

export interface Verdict {
  valid: boolean;
  /** With exactly one list, where one field was left out. */
  options?: CombinationOptions;
}

/**
 * Whether the catalog ships a combination of which three or four fields are given. With three, `options` holds the
 * values of the fourth in catalog order, and `valid` tells whether there is any. Values the catalog does not know are
 * not valid; the reserved machine type is a fault INPUT_ERROR.
 */
export function validateCombination(request: Partial<CombinationRequest>): Verdict {
  const { machine_type, material_code, print_setting, layer_thickness_mm } = request;
  if (machine_type !== undefined) requireKnownMachine(machine_type);
  const machineType = machine_type === undefined ? undefined : canonicalMachineType(machine_type);
  const thickness = layer_thickness_mm === undefined ? undefined : parseLayerThickness(layer_thickness_mm);

  const fitting = ENTRIES.filter(
    ({ combination }) =>
      (machine_type === undefined || combination.machineType === machineType) &&
      (material_code === undefined || combination.materialCode === material_code) &&
      (print_setting === undefined || combination.printSetting === print_setting) &&
      (layer_thickness_mm === undefined ||
        (thickness !== undefined && isSameThickness(combination.layerThicknessMm, thickness))),
  );
  return { valid: fitting.length > 0, ...optionsOf(request, fitting) };
}

function optionsOf(request: Partial<CombinationRequest>, fitting: readonly Entry[]): { options?: CombinationOptions } {
  const distinct = <Field extends keyof Entry["combination"]>(field: Field): Entry["combination"][Field][] => [
    ...new Set(fitting.map(({ combination }) => combination[field])),
  ];
  if (request.machine_type === undefined) return { options: { machine_types: distinct("machineType") } };
  if (request.material_code === undefined) return { options: { material_codes: distinct("materialCode") } };
  if (request.print_setting === undefined) return { options: { print_settings: distinct("printSetting") } };
  if (request.layer_thickness_mm !== undefined) return {};
  return { options: { layer_thicknesses_mm: distinct("layerThicknessMm") } };
}
