import { lazy, memoize } from "../core/memoize.ts";
import type { Vec3 } from "../geometry/vector.ts";
import machines from "./machines.json" with { type: "json" };
import materials from "./materials.json" with { type: "json" };
import { type OpenPrinter, openPrinterType } from "./open-printer.ts";
import { openPrinters, resinsFor } from "./open-printers.ts";
import { GENERIC_RESIN, type Resin } from "./resin.ts";
import type { Figure } from "./profile-types.ts";
import {
  type Combination,
  DEFAULT_PRINT_SETTING,
  DEFAULT_SETTING_LABEL,
  type Family,
  type LayerThickness,
  type PrinterType,
  type Setting,
  UNKNOWN_MACHINE_TYPE,
} from "./setting.ts";
import { must } from "../core/must.ts";

/** A machine of Formlabs in machines.json. Figures without a source are marked as such. */
interface MachineFacts {
  readonly label: string;
  readonly family: Family;
  readonly machineType: string;
  readonly supportedMachineTypes: readonly string[];
  /** At least one, the usual name first. */
  readonly productNames: readonly [string, ...string[]];
  readonly dimensionsMm: Vec3;
  readonly filletRadiusMm: Figure<number>;
  readonly pixelUm: Figure<number>;
  readonly fpsCategory?: string;
}

/** A material in materials.json. */
interface MaterialFacts {
  readonly label: string;
  readonly code: string;
  readonly settings: readonly SettingFacts[];
  readonly earlierSettings?: readonly SettingFacts[];
}

type SettingFacts = readonly [LayerThickness, printSetting: string, label: string];

interface MaterialSetting {
  readonly label: string;
  readonly combination: Combination;
}

export interface Material {
  readonly label: string;
  readonly code: string;
  /** Settings in the published order. */
  readonly settings: readonly MaterialSetting[];
  /** Settings of earlier catalogs: still accepted, but not listed and never a default. */
  readonly earlierSettings: readonly MaterialSetting[];
}

/** A setting of the catalog with its printer type and material. */
export interface CatalogEntry extends MaterialSetting {
  readonly printerType: PrinterType;
  readonly material: Material;
}

/** Tolerance in pixels. It keeps rounding errors from adding a pixel to a quotient such as 353 mm / 0.1 mm. */
const ROUNDING = 1e-6;

// `as unknown as`: the inferred types of JSON imports have arrays and strings in place of tuples and literals.

/** All printer types: those of Formlabs in the published order, then open printers, those of the user last. */
export const printerTypes = lazy((): readonly PrinterType[] => [
  ...(machines.printerTypes as unknown as MachineFacts[]).map(toPrinterType),
  ...openPrinters().map(openPrinterType),
]);

/**
 * The materials of a printer type of the catalog, in the published order. Made at the first use: the start of the program needs the
 * materials of one machine only, and making all of them takes longer.
 */
export const materialsOf = memoize(({ label, machineType }: PrinterType): readonly Material[] => {
  const open = openPrinters().find((printer) => printer.machine_type === machineType);
  const facts = open
    ? [genericResin(open), ...resinsFor(machineType).map(resinFacts)]
    : must((materials as unknown as Record<string, MaterialFacts[]>)[label], label);
  return facts.map((material) => toMaterial(material, machineType));
});

const genericResin = ({ layer_thicknesses_mm }: OpenPrinter): MaterialFacts => ({
  label: "Generic resin",
  code: GENERIC_RESIN,
  settings: layer_thicknesses_mm.map(defaultSettingAt),
});

const resinFacts = ({ name, code, settings }: Resin): MaterialFacts => ({
  label: name,
  code,
  settings: settings.map(({ layer_mm }) => defaultSettingAt(layer_mm)),
});

const defaultSettingAt = (mm: number): SettingFacts => [
  mm,
  DEFAULT_PRINT_SETTING,
  `${mm.toFixed(3)} mm ${DEFAULT_SETTING_LABEL}`,
];

/** The settings of a printer type of the catalog, in the published order. */
export const entriesOf = (printerType: PrinterType): CatalogEntry[] =>
  materialsOf(printerType).flatMap((material) =>
    material.settings.map((setting) => ({ ...setting, printerType, material })),
  );

/** The settings of earlier catalogs. */
export const earlierEntriesOf = (printerType: PrinterType): CatalogEntry[] =>
  materialsOf(printerType).flatMap((material) =>
    material.earlierSettings.map((setting) => ({ ...setting, printerType, material })),
  );

/** All settings, in the published order. */
export const catalogEntries = lazy((): readonly CatalogEntry[] => printerTypes().flatMap(entriesOf));

/** {@link catalogEntries}, followed by the entries of earlier catalogs. */
export const acceptedEntries = lazy((): readonly CatalogEntry[] => [
  ...catalogEntries(),
  ...printerTypes().flatMap(earlierEntriesOf),
]);

/** The material of a setting. Every setting is resolved against the catalog, so it has one. */
export const materialOf = ({ combination, printerType }: Setting): Material =>
  materialsOf(printerType).find(({ code }) => code === combination.materialCode)!;

/** Extensions of the jobs of all machines, with the dot. */
export const jobExtensions = lazy(
  (): ReadonlySet<string> => new Set(printerTypes().map(({ jobExtension }) => jobExtension)),
);

/** Canonical id by alias of a machine type id. */
const ALIASES: ReadonlyMap<string, string> = new Map(Object.entries(machines.aliases));

/** The canonical id of a machine type, as scene settings have it. An unknown id is returned unchanged. */
export const canonicalMachineType = (id: string): string => ALIASES.get(id) ?? id;

/**
 * The canonical machine types of the scenes that a printer with this id can print: its own type, and each printer type that lists the
 * id as supported.
 */
export const printableMachineTypes = (id: string): string[] => {
  const own = canonicalMachineType(id);
  const printable = printerTypes().filter(
    (type) => type.machineType === own || type.supportedMachineTypes.includes(id),
  );
  return [...new Set(printable.map(({ machineType }) => machineType))];
};

export const isReserved = (machineType: string): boolean => canonicalMachineType(machineType) === UNKNOWN_MACHINE_TYPE;

function toPrinterType({ dimensionsMm, filletRadiusMm, pixelUm, ...facts }: MachineFacts): PrinterType {
  const [width, depth] = dimensionsMm;
  const pixelMm = pixelUm.value / 1000;
  const pixelsOver = (lengthMm: number): number => Math.ceil(lengthMm / pixelMm - ROUNDING);
  return {
    ...facts,
    maker: "Formlabs",
    volume: { dimensionsMm, filletRadiusMm: filletRadiusMm.value },
    raster: {
      pixels: [pixelsOver(width), pixelsOver(depth)],
      pixelMm: [pixelMm, pixelMm],
      mirrorX: false,
      portrait: false,
    },
    job: "form",
    jobExtension: ".printjob",
    nameInJobs: facts.label,
  };
}

function toMaterial({ label, code, settings, earlierSettings = [] }: MaterialFacts, machineType: string): Material {
  const toSetting = ([layerThicknessMm, printSetting, settingLabel]: SettingFacts): MaterialSetting => ({
    label: settingLabel,
    combination: { machineType, materialCode: code, printSetting, layerThicknessMm },
  });
  return { label, code, settings: settings.map(toSetting), earlierSettings: earlierSettings.map(toSetting) };
}

/** The `printer_types` of print-setting/list. Each `scene_settings` is a valid body of scene/create and print-setting/validate. */
export const listPrinterTypes = () =>
  printerTypes().map((printerType) => ({
    label: printerType.label,
    supported_machine_type_ids: [...printerType.supportedMachineTypes],
    supported_product_names: [...printerType.productNames],
    build_volume_dimensions_mm: [...printerType.volume.dimensionsMm],
    materials: materialsOf(printerType).map(({ label, settings }) => ({
      label,
      description: "",
      material_settings: settings.map(settingToJson),
    })),
  }));

const settingToJson = ({ label, combination }: MaterialSetting) => ({
  label,
  scene_settings: {
    machine_type: combination.machineType,
    material_code: combination.materialCode,
    print_setting: combination.printSetting,
    layer_thickness_mm: combination.layerThicknessMm,
  },
});
