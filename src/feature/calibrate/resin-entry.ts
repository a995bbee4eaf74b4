import * as v from "valibot";
import type { Figure, FigureName } from "../../calibrate/resin-of-plate.ts";
import { type MachinesFile, machinesFileSchema } from "../../catalog/machines-file.ts";
import { openPrinters, resinsFor } from "../../catalog/open-printers.ts";
import type { Resin } from "../../catalog/resin.ts";
import { type ErrorFactory, inputError } from "../../core/api-error.ts";
import type { PlateOnWire } from "./plate-job.ts";

/** A resin whose figures come from a plate. */
export interface CalibratedResin {
  readonly plate: PlateOnWire;
  readonly code: string;
  readonly name?: string | undefined;
  readonly figures: readonly Figure[];
  /** What every figure states as its origin. */
  readonly source: string;
  /** Such as 2026-11-29. */
  readonly date: string;
}

type ResinSetting = Resin["settings"][number];

const CURE_FIGURES = {
  penetration_mm: "penetration_mm",
  exposure_ratio: "exposure_ratio",
  blur_mm: "blur_mm",
  edge_growth_mm: "edge_growth_mm",
  print_through_mm: "print_through_mm",
} as const satisfies Partial<Record<FigureName, string>>;

const SAME_MM = 1e-6;
/** Figures are stated to a hundredth of what errors leave certain. */
const DIGITS = 4;

const rounded = (value: number): number => Number(value.toPrecision(DIGITS));

/**
 * The content of a machines file with the figures of a resin: a new entry, or the setting of its layer thickness in the entry that it has. All else
 * stays. Throws INPUT_ERROR if that entry is for other printers, too. The response of the panel, if the plate measured it, goes to the entry of the
 * printer, which the file gets if it has none.
 */
export function withCalibrated(file: MachinesFile, resin: CalibratedResin): MachinesFile {
  const { plate, code } = resin;
  const old = file.resins.find((one) => one.code === code);
  const known = old ?? resinsFor(plate.machine_type).find((one) => one.code === code);
  const isForOthers = known && (known.printers?.length !== 1 || known.printers[0] !== plate.machine_type);
  if (isForOthers)
    throw inputError(
      `The resin ${code} is for other printers, too, and the figures of this plate are not theirs: give another code, such as ${`${code}-${plate.machine_type}`.slice(0, 32).replace(/-$/, "")}.`,
    );
  const entry: Resin = {
    ...(known ?? { code, name: resin.name ?? code, printers: [plate.machine_type] }),
    ...(resin.name !== undefined && { name: resin.name }),
    settings: settingsWith(known?.settings ?? [], resin),
  };
  return {
    ...file,
    printers: printersWith(file.printers, resin),
    resins: old ? file.resins.map((one) => (one === old ? entry : one)) : [...file.resins, entry],
  };
}

function settingsWith(settings: readonly ResinSetting[], resin: CalibratedResin): ResinSetting[] {
  const { layer_thickness_mm: layerMm } = resin.plate;
  const isSame = ({ layer_mm }: ResinSetting): boolean => Math.abs(layer_mm - layerMm) < SAME_MM;
  const old = settings.find(isSame) ?? { layer_mm: layerMm };
  const setting = { ...old, ...figuresOf(old, resin) };
  return settings.some(isSame) ? settings.map((one) => (isSame(one) ? setting : one)) : [...settings, setting];
}

/** The figures that the plate tells. */
function figuresOf(old: ResinSetting, { figures, source, date }: CalibratedResin): Partial<ResinSetting> {
  const told = new Map(figures.filter(({ isDetermined }) => isDetermined).map((figure) => [figure.name, figure]));
  const exposure = told.get("exposure_s");
  const cure = Object.fromEntries(
    Object.entries(CURE_FIGURES).flatMap(([name, key]) => {
      const figure = told.get(name as FigureName);
      if (!figure) return [];
      return [[key, { value: rounded(figure.value), source: `${source}, ± ${rounded(figure.error)}`, date }]];
    }),
  );
  const scales = (["scale_x", "scale_y", "scale_z"] as const).map((name) => told.get(name));
  const factors = scales.map((scale, axis) =>
    scale ? Number((1 / scale.value).toFixed(DIGITS + 1)) : (old.correction?.[axis] ?? 1),
  );
  return {
    ...(exposure && { exposure_s: rounded(exposure.value) }),
    ...(scales.some(Boolean) && { correction: factors as [number, number, number] }),
    ...(Object.keys(cure).length > 0 && { cure: { ...old.cure, ...cure } }),
  };
}

function printersWith(printers: MachinesFile["printers"], resin: CalibratedResin): MachinesFile["printers"] {
  const { plate, source, date } = resin;
  const response = resin.figures.find(({ name }) => name === "response_exponent");
  if (!response?.isDetermined) return printers;
  const own = printers.find((one) => one.machine_type === plate.machine_type);
  const entry = own ?? openPrinters().find((one) => one.machine_type === plate.machine_type);
  if (!entry || entry.optics) return printers;
  const value = rounded(response.value);
  const measured = { value, source: `${source}, ± ${rounded(response.error)}`, date };
  const seen = { ...entry, optics: { response: measured } };
  return own ? printers.map((one) => (one === own ? seen : one)) : [...printers, seen];
}

/** The content as JSON, which a machines file must be. Throws the error of `refuse` for figures that such a file cannot have. */
export function machinesJson(file: MachinesFile, refuse: ErrorFactory): string {
  const parsed = v.safeParse(machinesFileSchema, file);
  if (!parsed.success) throw refuse(parsed.issues.map(({ message }) => message).join("; "));
  return `${JSON.stringify(file, undefined, 2)}\n`;
}
