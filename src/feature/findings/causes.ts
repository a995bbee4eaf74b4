import { counted, shortNumber } from "../../core/quantities.ts";
import type { Vec3 } from "../../geometry/vector.ts";
import type { Model } from "../../scene/project.ts";
import type { CheckKind, Finding, SizeUnit } from "../../scene/findings.ts";

/** The count, the size and the details of a finding, from which its text is made. */
interface Amount {
  readonly count: number;
  readonly size: number;
  /** Number of models. */
  readonly parts: number;
  /** Words of the check for what it found, such as the side beyond which a model reaches. */
  readonly detail: string;
}

/** What a finding means, whatever its place. */
interface Cause {
  readonly kind: CheckKind;
  readonly severity: Finding["severity"];
  readonly sizeUnit: SizeUnit;
  readonly text: (amount: Amount) => string;
}

const cause = (
  kind: CheckKind,
  severity: Finding["severity"],
  sizeUnit: SizeUnit,
  text: (amount: Amount) => string,
): Cause => ({ kind, severity, sizeUnit, text });

const percent = (size: number): string => `${shortNumber(size, size < 1 ? 2 : 1)} %`;

/** Resin and walls: small ones in mm³, others in ml. */
const volume = (mm3: number): string =>
  mm3 < 100 ? `${shortNumber(mm3, 1)} mm³` : `${shortNumber(mm3 / 1000, mm3 < 1000 ? 2 : 1)} ml`;

/** "1 cup traps", "4 cups trap". */
const does = (count: number, noun: string, verb: string): string =>
  count === 1 ? `1 ${noun} ${verb}s` : `${counted(count, noun)} ${verb}`;

/** Every cause of a finding. */
export const CAUSES = {
  EMPTY: cause("IN_BOUNDS", "ERROR", "COUNT", () => "There is nothing to print yet"),
  OUTSIDE: cause("IN_BOUNDS", "ERROR", "mm", ({ parts, detail }) =>
    parts === 1 ? `Reaches ${detail}` : `${counted(parts, "part")} reach out of the build volume, ${detail}`,
  ),
  BESIDE: cause("IN_BOUNDS", "ERROR", "COUNT", ({ parts }) =>
    parts === 1
      ? "1 part does not fit: it stands outside of the printer"
      : `${counted(parts, "part")} do not fit: they stand outside of the printer`,
  ),
  OVERLAP: cause("INTERFERENCES", "ERROR", "COUNT", ({ parts, detail }) =>
    detail === "" ? `${counted(parts, "part")} overlap` : `${counted(parts, "part")} are ${detail}`,
  ),
  NOT_CLOSED: cause("MANIFOLDNESS", "ERROR", "COUNT", ({ detail }) => `Not closed: ${detail}`),
  CROSSING: cause("MANIFOLDNESS", "WARNING", "COUNT", () => "The surface crosses itself"),
  CUPS: cause("CUPS", "WARNING", "mm3", ({ count, size }) => `${does(count, "cup", "trap")} resin, ${volume(size)}`),
  IN_THE_AIR: cause(
    "MINIMA",
    "ERROR",
    "COUNT",
    ({ count }) => `${does(count, "place", "begin")} in mid-air, and nothing supports the part`,
  ),
  MINIMA: cause("MINIMA", "WARNING", "COUNT", ({ count }) => `${does(count, "place", "begin")} in mid-air`),
  UNSUPPORTED: cause(
    "SUPPORTEDNESS",
    "WARNING",
    "PERCENT",
    ({ size }) => `${percent(size)} of the overhangs have no support`,
  ),
  LOST: cause("SUPPORTS", "ERROR", "COUNT", ({ parts, detail }) =>
    parts === 1 ? `Lost its supports: ${detail}` : `${counted(parts, "part")} lost their supports`,
  ),
  UNREACHED: cause("SUPPORTS", "WARNING", "COUNT", ({ count }) =>
    count === 1 ? "No support reaches 1 point" : `No support reaches ${counted(count, "point")}`,
  ),
  SLENDER: cause("SUPPORTS", "WARNING", "COUNT", ({ count }) =>
    count === 1 ? "1 support is slender and may buckle" : `${counted(count, "support")} are slender and may buckle`,
  ),
  UNHELD: cause("SUPPORTS", "WARNING", "COUNT", ({ count }) =>
    count === 1 ? "Too little holds the part at 1 height" : `Too little holds the part at ${count} heights`,
  ),
  LOOSE_RAFT: cause("SUPPORTS", "WARNING", "COUNT", () => "The raft is too small to hold the part on the platform"),
  THIN: cause("THIN_FEATURES", "WARNING", "mm3", ({ count, size, detail }) =>
    count === 1 ? `1 wall is ${detail}, ${volume(size)}` : `${counted(count, "wall")} are ${detail}, ${volume(size)}`,
  ),
  ALL_THIN: cause("THIN_FEATURES", "WARNING", "COUNT", ({ detail }) => `The whole part is ${detail}`),
  NOT_MEASURED: cause("THIN_FEATURES", "WARNING", "COUNT", () => "Too large to find walls as thin as this"),
} satisfies Readonly<Record<string, Cause>>;

export type CauseName = keyof typeof CAUSES;

/** Something that a check found at a model, or at models together. */
export interface Found {
  readonly cause: CauseName;
  /** The models; none for a finding of the scene as a whole. */
  readonly models: readonly Model[];
  readonly count: number;
  readonly size: number;
  /** Places in the coordinates of the raw mesh of the first model, the largest first. Absent where the meshes say it all. */
  readonly places?: readonly Vec3[];
  readonly detail?: string;
}

/** Sizes of these units are summed over the models of a finding; of the others, the largest counts. */
export const isSummed = (unit: SizeUnit): boolean => unit !== "mm" && unit !== "PERCENT";
