import { must } from "../../core/must.ts";
import { wireMm } from "../../scene/wire-numbers.ts";
import type { WeaknessKind } from "../../hold/hold-walk.ts";
import type { SupportSettings } from "../../support/support-settings.ts";

/** A place where a part is not held, as messages name it. */
export interface NamedWeakness {
  readonly kind: WeaknessKind;
  readonly heightMm: number;
  /** Percentage of the pull that is held, or of the required stiffness, from 0 to below 100. */
  readonly percentHeld: number;
  /** Height of the section that breaks; only for a `NECK`. */
  readonly neckMm?: number | undefined;
}

/** The worst weakness of each kind as text. `weaknesses`: sorted, the worst first. */
export const weaknessesInWords = (weaknesses: readonly NamedWeakness[]): string[] =>
  [...Map.groupBy(weaknesses, ({ kind }) => kind).values()].map(([worst]) =>
    inWords(must(worst, "The first of a group")),
  );

/** The held share, its height above the platform, and the reason. */
function inWords({ kind, heightMm, percentHeld, neckMm }: NamedWeakness): string {
  // Rounded down: a share slightly below 100 % does not read "100 %".
  const percent = `only ${Math.floor(percentHeld)} %`;
  const place = `at ${mmWords(heightMm)}`;
  if (kind === "WOBBLE")
    return `it has ${percent} of the stiffness that it needs ${place}, because it is too tall and thin below`;
  return `${percent} of the pull of the film is held ${place}, because ${causeOf(kind, neckMm)}`;
}

/** Rounded as on the wire first, so that messages and replies name the same heights. */
const mmWords = (mm: number): string => `${wireMm(mm).toFixed(1)} mm`;

function causeOf(kind: Exclude<WeaknessKind, "WOBBLE">, neckMm: number | undefined): string {
  switch (kind) {
    case "PULL":
      return "too few supports reach it and too little of it stands on the platform";
    case "LEAN":
      return "it leans out beside what holds it";
    case "NECK":
      return `a thin section below, at ${mmWords(neckMm ?? 0)}, would break`;
  }
}

/** Settings on which the remedies depend. */
type TipSettings = Pick<SupportSettings, "onlyMinima" | "internalSupportsEnabled">;

/** Remedies for weaknesses of these kinds; remedies that the support settings already contain are left out. */
export function waysOut(kinds: readonly WeaknessKind[], settings: TipSettings | undefined): string {
  const needsTips = kinds.includes("PULL") || kinds.includes("LEAN");
  const isThin = kinds.includes("NECK") || kinds.includes("WOBBLE");
  const ways = [
    ...(needsTips && settings?.onlyMinima ? ["turn only_minima off"] : []),
    ...(needsTips && !settings?.onlyMinima ? ["raise the density or touchpoint_size_mm"] : []),
    ...(needsTips && !settings?.internalSupportsEnabled ? ["allow internal supports"] : []),
    ...(isThin ? ["make its thin sections thicker"] : []),
  ];
  // Every kind has a remedy.
  return `orient the model differently, ${ways
    .slice(0, -1)
    .map((way) => `${way}, `)
    .join("")}or ${ways.at(-1)}`;
}
