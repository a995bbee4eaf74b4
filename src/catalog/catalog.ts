import type { Vec3 } from "../core/geometry.ts";
import machines from "./machines.json" with { type: "json" };
import materials from "./materials.json" with { type: "json" };
import type { Figure } from "./profile-types.ts";
import type { Combination, Family, JobKind, LayerThickness, PrinterType, Raster, Setting } from "./setting.ts";
import { UNKNOWN_MACHINE_TYPE } from "./setting.ts";

/** machines.json: the facts of a machine. Figures that are not sourced are marked so. */
interface MachineFacts {
  readonly label: string;
  readonly family: Family;
  readonly machineType: string;
  readonly supportedMachineTypes: readonly string[];
  readonly productNames: readonly string[];
  readonly dimensionsMm: Vec3;
  readonly filletRadiusMm: Figure<number>;
  /** A display has so many pixels; a projected or drawn layer is as fine as its pixel, in micrometres. */
  readonly raster: { readonly pixels: readonly [number, number] } | { readonly pixelUm: Figure<number> };
  readonly mirrorX: boolean;
  readonly portrait?: Figure<boolean>;
  readonly job: JobKind;
  readonly fpsCategory?: string;
}

interface MaterialFacts {
  readonly label: string;
  readonly code: string;
  readonly settings: readonly (readonly [LayerThickness, printSetting: string, label: string])[];
}

export interface MaterialSetting {
  readonly label: string;
  readonly combination: Combination;
}

export interface Material {
  readonly label: string;
  readonly code: string;
  /** In the order published. */
  readonly settings: readonly MaterialSetting[];
}

/** A setting that the catalog ships, with the printer type and material it belongs to. */
export interface Entry extends MaterialSetting {
  readonly printerType: PrinterType;
  readonly material: Material;
}

/** Pixels; 353 mm / 0.1 mm must not come out one above. */
const ROUNDING = 1e-6;

/** Every printer type with its materials, in the order of the catalog. */
export const CATALOG: readonly { readonly printerType: PrinterType; readonly materials: readonly Material[] }[] = (
  machines.printerTypes as unknown as MachineFacts[]
).map((facts) => ({
  printerType: toPrinterType(facts),
  materials: (materials as unknown as Record<string, MaterialFacts[]>)[facts.label]!.map((material) =>
    toMaterial(material, facts.machineType),
  ),
}));

export const ENTRIES: readonly Entry[] = CATALOG.flatMap(({ printerType, materials }) =>
  materials.flatMap((material) => material.settings.map((setting) => ({ ...setting, printerType, material }))),
);

/** The material of a setting, as its printer type ships it. */
export const materialOf = ({ combination, printerType }: Setting): Material =>
  ENTRIES.find((entry) => entry.printerType === printerType && entry.material.code === combination.materialCode)!
    .material;

/** Ids that fold to another one, which scene settings carry. */
const ALIASES: ReadonlyMap<string, string> = new Map(Object.entries(machines.aliases));

/** The id that scene settings carry; an id the catalog does not know stays as it is. */
export const canonicalMachineType = (id: string): string => ALIASES.get(id) ?? id;

export const isReserved = (machineType: string): boolean => canonicalMachineType(machineType) === UNKNOWN_MACHINE_TYPE;

function toPrinterType(facts: MachineFacts): PrinterType {
  const { label, family, machineType, supportedMachineTypes, productNames, dimensionsMm, raster, mirrorX } = facts;
  return {
    label,
    family,
    machineType,
    supportedMachineTypes,
    productNames,
    volume: { dimensionsMm, filletRadiusMm: facts.filletRadiusMm.value },
    raster: { ...gridOf(dimensionsMm, raster), mirrorX, portrait: facts.portrait?.value ?? false },
    job: facts.job,
    fpsCategory: facts.fpsCategory,
  };
}

function gridOf([width, depth]: Vec3, raster: MachineFacts["raster"]): Pick<Raster, "pixels" | "pixelMm"> {
  if ("pixels" in raster) {
    const [columns, rows] = raster.pixels;
    return { pixels: [columns, rows], pixelMm: [width / columns, depth / rows] };
  }
  const pixelMm = raster.pixelUm.value / 1000;
  const pixelsOver = (lengthMm: number): number => Math.ceil(lengthMm / pixelMm - ROUNDING);
  return { pixels: [pixelsOver(width), pixelsOver(depth)], pixelMm: [pixelMm, pixelMm] };
}

function toMaterial({ label, code, settings }: MaterialFacts, machineType: string): Material {
  return {
    label,
    code,
    settings: settings.map(([layerThicknessMm, printSetting, settingLabel]) => ({
      label: settingLabel,
      combination: { machineType, materialCode: code, printSetting, layerThicknessMm },
    })),
  };
}
