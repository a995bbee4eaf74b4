import type { Setting } from "../../catalog/setting.ts";
import { boxSize } from "../../geometry/box.ts";
import { BOUNDS_TOLERANCE_MM } from "../../geometry/build-volume.ts";
import type { Vec3 } from "../../geometry/vector.ts";
import { bodyBox, sceneBox } from "../../scene/placement.ts";
import { type Model, quotedName } from "../../scene/project.ts";
import type { Weakness } from "../../hold/hold-walk.ts";
import type { SupportedModel } from "../../support/support-model.ts";
import { waysOut, weaknessesInWords } from "../check/hold-words.ts";

/** Warnings about the new supports of a model: each has the problem, its place and the way out. */
export const supportWarnings = (
  model: Model,
  { unreached, weaknesses, slender, isLoose }: Omit<SupportedModel, "pose" | "supports">,
  setting: Setting,
): string[] => [
  ...unreachedWarning(model, unreached),
  ...weakWarning(model, weaknesses),
  ...slenderWarning(model, slender),
  ...(isLoose ? [looseWarning(model)] : []),
  ...liftedWarning(model, setting),
];

function unreachedWarning(model: Model, unreached: readonly Vec3[]): string[] {
  if (unreached.length === 0) return [];
  const total = model.supports?.touchpoints.length ?? unreached.length;
  return [
    `${unreached.length} of ${total} touchpoints of ${quotedName(model)} could not be reached, at ${listed(unreached)}: ` +
      "orient the model differently, or allow internal supports.",
  ];
}

/** `weaknesses`: sorted, the worst first. */
function weakWarning(model: Model, weaknesses: readonly Weakness[]): string[] {
  if (weaknesses.length === 0) return [];
  const named = weaknesses.map(({ kind, point, heldShare, neckMm }) => ({
    kind,
    heightMm: point[2],
    percentHeld: 100 * heldShare,
    neckMm,
  }));
  const described = weaknessesInWords(named);
  const more = weaknesses.length - described.length;
  const kinds = named.map(({ kind }) => kind);
  return [
    `${quotedName(model)} is not held while it prints (heights above the platform): ${described.join("; ")}` +
      `${more > 0 ? `; and ${more} more` : ""}. It helps to ${waysOut(kinds, model.supports?.settings)}.`,
  ];
}

function slenderWarning(model: Model, slender: readonly Vec3[]): string[] {
  if (slender.length === 0) return [];
  return [
    `${slender.length} of the supports of ${quotedName(model)} may buckle under the peel force, and the model leaves no room for ` +
      `thicker ones or braces, at ${listed(slender)}: orient the model differently, or raise the density.`,
  ];
}

const looseWarning = (model: Model): string =>
  `The raft of ${quotedName(model)} is too small to hold its largest layer on the platform, and has no room to be wider: choose a ` +
  "full raft, more height above it, another place or another orientation.";

/** Warns about a model that fits into the volume by itself, but reaches out of it on top of its supports. */
function liftedWarning(model: Model, { printerType }: Setting): string[] {
  const heightMm = printerType.volume.dimensionsMm[2];
  const topMm = sceneBox(model).max[2];
  const mostMm = heightMm + BOUNDS_TOLERANCE_MM;
  if (topMm <= mostMm || boxSize(bodyBox(model))[2] > mostMm) return [];
  return [
    `Supports lift ${quotedName(model)} to ${topMm.toFixed(1)} mm, ${(topMm - heightMm).toFixed(1)} mm out of the build volume, ` +
      `which is ${heightMm.toFixed(1)} mm high: lower height_above_raft_mm or raft_thickness_mm, orient the model ` +
      "differently, or scale it down.",
  ];
}

/** Most places that a warning lists. */
const MAX_LISTED_PLACES = 5;

function listed(places: readonly Vec3[]): string {
  const first = places.slice(0, MAX_LISTED_PLACES).map((place) => `(${place.map((mm) => mm.toFixed(1)).join(", ")})`);
  return `${first.join(", ")} mm${places.length > MAX_LISTED_PLACES ? " and elsewhere" : ""}`;
}
