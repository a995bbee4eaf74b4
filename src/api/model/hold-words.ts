import { wireMm } from "../../core/wire-numbers.ts";
import type { WeaknessKind } from "../../hold/hold-walk.ts";

/** A place where a part is not held, as messages name it. */
export interface NamedWeakness {
  readonly kind: WeaknessKind;
  readonly heightMm: number;
  /** Share of the pull that is held, or of the stiffness that is there, from 0 to below 100. */
  readonly percentHeld: number;
  /** Height of the section that breaks; of a `NECK` alone. */
  readonly neckMm?: number | undefined;
}

/** The worst of each kind in words. `weaknesses`: the worst first. */
export const weaknessesInWords = (weaknesses: readonly NamedWeakness[]): string[] =>
  [...Map.groupBy(weaknesses, ({ kind }) => kind).values()].map(([worst]) => inWords(worst));

/** How much is held, at which height above the platform, and why it is not more. */
function inWords({ kind, heightMm, percentHeld, neckMm }: NamedWeakness): string {
  // Rounded down: what falls short by little is not "100 %".
  const percent = `only ${Math.floor(percentHeld)} %`;
  const place = `at ${mmWords(heightMm)}`;
  if (kind === "WOBBLE")
    return `it has ${percent} of the stiffness that it needs ${place}, so tall and thin is it below`;
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

const WAYS_OUT: Readonly<Record<WeaknessKind, readonly string[]>> = {
  PULL: ["raise the density or touchpoint_size_mm", "allow internal supports"],
  LEAN: ["raise the density or touchpoint_size_mm", "allow internal supports"],
  NECK: ["make its thin sections thicker"],
  WOBBLE: ["make its thin sections thicker"],
};

/** What helps against weaknesses of these kinds. */
export function waysOut(kinds: readonly WeaknessKind[]): string {
  const ways = new Set(["orient the model differently", ...kinds.flatMap((kind) => WAYS_OUT[kind])]);
  const [last, ...others] = [...ways].toReversed();
  return `${others.toReversed().join(", ")}, or ${last}`;
}
