import { shortNumber } from "../../core/quantities.ts";
import { type Action, type FindingText, perModel } from "../page-row.ts";

/** A place where a part is not held strongly enough. */
interface Weakness {
  readonly kind: "PULL" | "LEAN" | "NECK" | "WOBBLE";
  readonly position: { readonly x: number; readonly y: number; readonly z: number };
  readonly percent_held: number;
  readonly neck_height_mm?: number;
}

export const holdCheck: Action = {
  path: "/v1/scene/model/validate/hold/",
  group: "check",
  title: "Hold",
  check: {
    findings: perModel(({ weaknesses }: { readonly weaknesses: readonly Weakness[] }) => weaknesses.map(findingOf)),
  },
};

/** Radius of the marker of a weakness. */
const WEAKNESS_RADIUS_MM = 1;

const CAUSES: Readonly<Record<Weakness["kind"], (neckMm: number) => string>> = {
  PULL: () => "too few supports, and too little contact with the platform",
  LEAN: () => "leans out beyond its supports",
  NECK: (neckMm) => `would break at the thin section at ${shortNumber(neckMm, 1)} mm`,
  WOBBLE: () => "too tall and thin, bends sideways",
};

function findingOf({ kind, position: { x, y, z }, percent_held, neck_height_mm = 0 }: Weakness): FindingText {
  // Rounded down, so that a share just below 100 % does not read "100 %".
  const share = `${kind === "WOBBLE" ? "Stiffness" : "Held"} ${Math.floor(percent_held)} %`;
  const label = `${share} at ${shortNumber(z, 1)} mm: ${CAUSES[kind](neck_height_mm)}`;
  return { severity: "warning", text: label, places: [{ point: [x, y, z], radiusMm: WEAKNESS_RADIUS_MM, label }] };
}
