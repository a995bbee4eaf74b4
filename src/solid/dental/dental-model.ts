import { operationFailed } from "../../core/fault.ts";
import type { Watch } from "../../core/watch.ts";
import { isSelfIntersecting } from "../../mesh/bvh/crossing-facets.ts";
import { facetTree } from "../../mesh/bvh/facet-tree.ts";
import { boxOf } from "../../mesh/measure.ts";
import type { Mesh, Surface } from "../../mesh/mesh.ts";
import { mend } from "../../mesh/repair/mend.ts";
import { based, type Based } from "./base.ts";
import { rimsOf } from "./contours.ts";
import { type Frame, frameOf, type Standing } from "./frame.ts";
import { gumlineOf } from "./gumline.ts";
import { hollowBase, type HollowShape } from "./hollow-base.ts";
import { keptPieces } from "./kept-pieces.ts";
import { oneSolid } from "./one-solid.ts";
import { soundMesh } from "./sound-mesh.ts";
import { trim, type Trimmed } from "./trim.ts";
import { uncrossed } from "./uncrossed.ts";

/** Where a model is cut: at a height above the platform, or so far below its gumline. */
export type Cut = { readonly heightMm: number } | { readonly belowGumlineMm: number };

export interface DentalRequest {
  readonly mesh: Mesh;
  readonly standing: Standing;
  readonly cut: Cut;
  readonly extrudeMm: number;
  readonly isSmoothed: boolean;
  /** Whether pieces that the cut parts from the largest are kept, each on a base of its own. */
  readonly keepsPieces: boolean;
  readonly hollow?: HollowShape;
}

export interface DentalModel {
  readonly mesh: Mesh;
  /** Of a hollow one, the mesh before it was hollowed. */
  readonly solid?: Mesh;
  /** What a client should know, as said of the model. */
  readonly warnings: readonly string[];
}

/**
 * A dental arch on a base: what lies above a level cut, and below it the cut's outline extruded down to a flat bottom. Facets
 * above the cut keep their corners to the bit. Throws OPERATION_FAILED that says of the model why it cannot be done.
 */
export async function dentalModel(request: DentalRequest, watch: Watch): Promise<DentalModel> {
  const { mesh, standing, cut, extrudeMm, isSmoothed, keepsPieces, hollow } = request;
  const frame = frameOf(standing);
  const surface = await oneSolid(mesh, watch.part(0, 0.1));
  const vertices = frame.toScene(surface.vertices);
  const heightMm = heightOf(cut, { vertices, triangles: surface.triangles }, watch.part(0.1, 0.25));
  const above = trim(vertices, surface.triangles, heightMm, watch.part(0.25, 0.3));
  const { trimmed, dropped } = keptPieces(above, heightMm, keepsPieces, watch.part(0.3, 0.35));
  const { contours, openEdges } = rimsOf(trimmed);
  if (contours.length === 0) throw missed(heightMm, vertices);
  const base = await based(trimmed, contours, { heightMm, extrudeMm, isSmoothed }, watch.part(0.35, 0.4));
  const raw = rawOf(base, surface, frame);
  const sound = soundMesh(raw, watch.part(0.4, 0.5));
  const solid = crossesItself(raw, trimmed, watch.part(0.5, 0.52))
    ? uncrossed(sound, mesh, watch.part(0.52, 0.55))
    : sound;
  const warnings = [...droppedWarnings(dropped), ...(openEdges > 0 ? [CLOSED_HOLES] : [])];
  if (!hollow) return { mesh: solid, warnings };
  const hollowed = await hollowBase(solid, base, frame, hollow, watch.part(0.55, 0.9));
  const told = [...warnings, ...hollowed.warnings];
  if (!hollowed.surface) return { mesh: solid, warnings: told };
  const closed = mend(soundMesh(hollowed.surface, watch.part(0.9, 0.94)), watch.part(0.94, 0.95));
  return { mesh: uncrossed(closed, solid, watch.part(0.95, 1)), solid, warnings: told };
}

const heightOf = (cut: Cut, surface: Surface, watch: Watch): number =>
  "heightMm" in cut ? cut.heightMm : gumlineOf(surface, watch) - cut.belowGumlineMm;

/** A based surface in raw coordinates; what was there before keeps its corners. */
function rawOf({ vertices, triangles }: Based, before: Surface, frame: Frame): Surface {
  const raw = new Float64Array(vertices.length);
  raw.set(before.vertices);
  raw.set(frame.toRaw(vertices.subarray(before.vertices.length)), before.vertices.length);
  return { vertices: raw, triangles };
}

/** Whether the base, rounded to single precision, passes through itself: its bottom has slender facets at the sides. */
function crossesItself({ vertices, triangles }: Surface, above: Trimmed, watch: Watch): boolean {
  const base = { vertices, triangles: triangles.subarray(above.triangles.length) };
  if (base.triangles.length === 0) return false;
  return isSelfIntersecting(facetTree(base, watch.part(0, 0.5)), watch.part(0.5, 1));
}

const CLOSED_HOLES = "had holes above the cut, which were closed";

function droppedWarnings(dropped: number): string[] {
  if (dropped === 0) return [];
  const pieces = dropped === 1 ? "1 smaller piece was" : `${dropped} smaller pieces were`;
  return [`fell apart at the cut, and ${pieces} left out: cut lower, or ask for keep_disconnected_mesh_components`];
}

function missed(heightMm: number, vertices: Float64Array): Error {
  const { min, max } = boxOf(vertices);
  return operationFailed(
    `it reaches from ${min[2].toFixed(2)} to ${max[2].toFixed(2)} mm above the platform, and the cut at ` +
      `${heightMm.toFixed(2)} mm leaves nothing to extrude. Choose a height between.`,
  );
}
