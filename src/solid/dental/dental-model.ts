import { operationFailed } from "../../core/api-error.ts";
import type { Progress } from "../../core/progress.ts";
import { boxOf } from "../../geometry/box.ts";
import { isSelfIntersecting } from "../../mesh/bvh/self-intersections.ts";
import type { Mesh, Surface } from "../../mesh/mesh.ts";
import { repairTopology } from "../../repair/repair-topology.ts";
import { type BaseSurface, addBase } from "./base.ts";
import { resolveRoundingIntersections, toClosedManifold, uniteBodies } from "./closed-manifold.ts";
import { gumlineHeight } from "./gumline.ts";
import { type HollowBaseOptions, hollowBase } from "./hollow-base.ts";
import { type TrimmedSurface, findContours, keepPieces, trimBelow } from "./plane-cut.ts";
import { type SceneTransform, type StandingPose, sceneTransform } from "./scene-transform.ts";

/** Height of the cut: above the platform, or below the gumline. */
export type CutHeight = { readonly heightMm: number } | { readonly belowGumlineMm: number };

export interface DentalRequest {
  readonly mesh: Mesh;
  readonly standing: StandingPose;
  readonly cut: CutHeight;
  readonly extrudeMm: number;
  readonly isSmoothed: boolean;
  /** Whether smaller pieces that the cut separates are kept, each on its own base. */
  readonly keepsAllPieces: boolean;
  /** Absent for a solid base. */
  readonly hollow?: HollowBaseOptions | undefined;
}

export interface DentalModel {
  readonly mesh: Mesh;
  /** The mesh before it was hollowed, for a hollow model. */
  readonly solid?: Mesh;
  /** Sentences without their subject, the model. */
  readonly warnings: readonly string[];
}

const CLOSED_HOLES = "had holes above the cut, which were closed";

/**
 * Puts a dental arch on a base: the part above a horizontal cut, and the outline of the cut extruded down to a flat bottom. The
 * vertices of facets above the cut do not change. Throws OPERATION_FAILED with a reason whose subject is the model.
 */
export async function dentalModel(request: DentalRequest, progress: Progress): Promise<DentalModel> {
  const { mesh, standing, cut, extrudeMm, isSmoothed, keepsAllPieces, hollow } = request;
  const transform = sceneTransform(standing);
  const surface = await uniteBodies(mesh, progress.part(0, 0.1));
  const vertices = transform.toScene(surface.vertices);
  const heightMm = resolveCutHeight(cut, { vertices, triangles: surface.triangles }, progress.part(0.1, 0.25));
  const above = trimBelow(vertices, surface.triangles, heightMm, progress.part(0.25, 0.3));
  const { trimmed, dropped } = keepPieces(above, heightMm, keepsAllPieces, progress.part(0.3, 0.35));
  const { contours, openEdges } = findContours(trimmed);
  if (contours.length === 0) throw missedError(heightMm, vertices);
  const base = await addBase(trimmed, contours, { heightMm, extrudeMm, isSmoothed }, progress.part(0.35, 0.4));
  const raw = toRawSurface(base, surface, transform);
  const closed = await toClosedManifold(raw, progress.part(0.4, 0.5));
  const solid = isBaseSelfIntersecting(raw, trimmed, progress.part(0.5, 0.52))
    ? resolveRoundingIntersections(closed, mesh, progress.part(0.52, 0.55))
    : closed;
  const warnings = [...droppedWarnings(dropped), ...(openEdges > 0 ? [CLOSED_HOLES] : [])];
  if (!hollow) return { mesh: solid, warnings };
  const hollowed = await hollowBase(solid, base, transform, hollow, progress.part(0.55, 0.9));
  warnings.push(...hollowed.warnings);
  if (!hollowed.surface) return { mesh: solid, warnings };
  const repaired = repairTopology(
    await toClosedManifold(hollowed.surface, progress.part(0.9, 0.94)),
    progress.part(0.94, 0.95),
  );
  return { mesh: resolveRoundingIntersections(repaired, solid, progress.part(0.95, 1)), solid, warnings };
}

const resolveCutHeight = (cut: CutHeight, surface: Surface, progress: Progress): number =>
  "heightMm" in cut ? cut.heightMm : gumlineHeight(surface, progress) - cut.belowGumlineMm;

/** The surface with its base in raw coordinates. The vertices of `before` are kept to the bit. */
function toRawSurface({ vertices, triangles }: BaseSurface, before: Surface, transform: SceneTransform): Surface {
  const raw = new Float64Array(vertices.length);
  raw.set(before.vertices);
  raw.set(transform.toRaw(vertices.subarray(before.vertices.length)), before.vertices.length);
  return { vertices: raw, triangles };
}

/** Whether the base, rounded to single precision, intersects itself: its bottom has slender facets along the sides. */
function isBaseSelfIntersecting({ vertices, triangles }: Surface, above: TrimmedSurface, progress: Progress): boolean {
  const base = { vertices, triangles: triangles.subarray(above.triangles.length) };
  if (base.triangles.length === 0) return false;
  return isSelfIntersecting(base, progress);
}

function droppedWarnings(dropped: number): string[] {
  if (dropped === 0) return [];
  const pieces = dropped === 1 ? "1 smaller piece was" : `${dropped} smaller pieces were`;
  return [`fell apart at the cut, and ${pieces} left out: cut lower, or ask for keep_disconnected_mesh_components`];
}

function missedError(heightMm: number, vertices: Float64Array): Error {
  const { min, max } = boxOf(vertices);
  return operationFailed(
    `it reaches from ${min[2].toFixed(2)} to ${max[2].toFixed(2)} mm above the platform, and the cut at ` +
      `${heightMm.toFixed(2)} mm leaves nothing to extrude. Choose a height between.`,
  );
}
