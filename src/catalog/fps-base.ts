import { canonicalMachineType, ENTRIES } from "./catalog.ts";
import type { FpsDocument } from "./fps-document.ts";
import { resolveCombination } from "./resolve.ts";
import type { LayerThickness, Setting } from "./setting.ts";

/**
 * How far a file's base thickness may lie from a shipped one, as a ratio, for the shipped profile to be a usable
 * base.
 */
const MAX_RATIO = 2;

/**
 * The shipped setting that an `.fps` document overrides. Files may name a thickness of their own as that of their base;
 * the nearest shipped one is meant then. Fault INPUT_ERROR where the catalog has none.
 */
export function fpsBase(document: FpsDocument): Setting {
  const base = document.metadata.base_material_identifier;
  return resolveCombination({
    machine_type: base.machine_type_id,
    material_code: base.versioned_material_code,
    print_setting: base.print_setting,
    layer_thickness_mm: nearestShipped(base),
  });
}

function nearestShipped(base: FpsDocument["metadata"]["base_material_identifier"]): LayerThickness {
  const wanted = base.layer_thickness_mm;
  if (wanted === "ADAPTIVE") return wanted;
  const machineType = canonicalMachineType(base.machine_type_id);
  const ratio = (thicknessMm: number): number => Math.max(thicknessMm / wanted, wanted / thicknessMm);
  const near = ENTRIES.map(({ combination }) => combination)
    .filter((one) => one.machineType === machineType && one.materialCode === base.versioned_material_code)
    .filter((one) => base.print_setting === undefined || one.printSetting === base.print_setting)
    .map((one) => one.layerThicknessMm)
    .filter((thickness) => typeof thickness === "number" && ratio(thickness) <= MAX_RATIO) as number[];
  return near.reduce((best, one) => (ratio(one) < ratio(best) ? one : best), near[0] ?? wanted);
}
