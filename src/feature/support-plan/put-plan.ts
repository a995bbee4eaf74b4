import { inputError } from "../../core/api-error.ts";
import { paired } from "../../core/paired.ts";
import { type PlacedBox, rotationMatrix, toSceneSpace } from "../../geometry/pose.ts";
import { type Vec3, dot } from "../../geometry/vector.ts";
import type { Mesh } from "../../mesh/mesh.ts";
import { type Model, quotedName } from "../../scene/project.ts";
import { type CanonicalPoints, canonicalPoints, facesUp } from "./canonical-points.ts";
import type { Snapped } from "../../support/plan/snap-points.ts";
import type { SupportArea } from "../../support/plan/support-area.ts";
import type { Touchpoint } from "../../support/points/touchpoint.ts";
import type { Compute } from "../../worker/compute.ts";
import { areaOf, placesWithoutNormal } from "./areas-on-wire.ts";
import type { DraftPoints, NewPoint } from "./draft-points.ts";
import type { NewAreaBody } from "./plan-fields.ts";
import { snapped } from "./snapped.ts";
import { barredPointsTask } from "./task.ts";

/** A point that a request asks for and the plan does not take. */
export interface DroppedPoint {
  /** In the coordinates of the raw mesh. */
  readonly position: Vec3;
  readonly reason: string;
}

export interface PlanDraft {
  readonly model: Model;
  readonly draft: DraftPoints;
  /** Absent: the present ones stay. */
  readonly areas: readonly NewAreaBody[] | undefined;
  readonly presentAreas: readonly SupportArea[];
  /** Largest distance of a new point from the part, mm in the scene. */
  readonly snapMm: number;
}

export interface PutPlan extends Pick<CanonicalPoints, "points"> {
  readonly areas: readonly SupportArea[];
  readonly dropped: readonly DroppedPoint[];
}

/** Distances up to this count as 0, mm: coordinates of the scene are rounded. */
const TOUCHING_MM = 1e-3;

/** The points and areas of a request on the surface of a model. Throws INPUT_ERROR for a point that is too far from it. */
export async function putPlan(request: PlanDraft, context: Compute): Promise<PutPlan> {
  const { model, draft, areas, presentAreas, snapMm } = request;
  const open = (areas ?? []).flatMap((area) => placesWithoutNormal(area, model));
  const points = [...draft.added.map(({ position }) => position), ...open];
  const { mesh } = model;
  const places = points.length === 0 ? [] : await snapped(mesh, points, context);
  const added = paired(draft.added, places.slice(0, draft.added.length)).map(([point, surface]) =>
    onSurface(point, surface, model, snapMm),
  );
  const normals = new Map(paired(points, places).map(([place, { normal }]) => [place.join(" "), normal]));
  const normalAt = (place: Vec3): Vec3 => normals.get(place.join(" "))!;
  const rotation = rotationMatrix(model.pose.orientation);
  const upward = added.filter((point) => facesUp(point, rotation));
  const marked = areas?.map((area) => areaOf(area, model, normalAt)) ?? presentAreas;
  const { points: distinct, doubled } = canonicalPoints([
    ...draft.kept,
    ...added.filter((point) => !facesUp(point, rotation)),
  ]);
  const barred = await pointsInNever(distinct, marked, mesh, context);
  return {
    points: barred.size === 0 ? distinct : distinct.filter((point) => !barred.has(point)),
    areas: marked,
    dropped: [
      ...upward.map(({ position }) => ({ position, reason: FACES_UP })),
      ...doubled.map(({ position }) => ({ position, reason: DOUBLED })),
      ...[...barred].map(({ position }) => ({ position, reason: BARRED })),
    ],
  };
}

const FACES_UP = "the part faces up there: no support can hold it";
const BARRED = "it is in an area that supports must not touch";
const DOUBLED = "another point is at the same place";

async function pointsInNever(
  points: readonly Touchpoint[],
  areas: readonly SupportArea[],
  mesh: Mesh,
  context: Compute,
): Promise<ReadonlySet<Touchpoint>> {
  if (points.length === 0 || areas.every(({ mode }) => mode === "ALWAYS")) return new Set();
  const isBarred = await context.compute(barredPointsTask, { mesh, points, areas });
  return new Set(points.filter((_, i) => isBarred[i]));
}

function onSurface(
  { position, normal, sizeMm, locked, pointer }: NewPoint,
  surface: Snapped,
  model: Model,
  snapMm: number,
): Touchpoint {
  const distanceMm = surface.distanceMm * model.pose.scale;
  if (distanceMm > snapMm + TOUCHING_MM) {
    throw inputError(
      `${pointer}/position: (${placeInWords(position, model)}) is ${distanceMm.toFixed(3)} mm from the surface of ${quotedName(model)}, ` +
        `farther than snap_mm (${snapMm} mm): give a place on the part, or raise snap_mm. Nothing was changed.`,
    );
  }
  if (normal && dot(normal, surface.normal) <= 0) {
    throw inputError(
      `${pointer}/normal points into ${quotedName(model)}: give the direction out of it, or leave it out. Nothing was changed.`,
    );
  }
  return {
    position: surface.position,
    normal: normal ?? surface.normal,
    sizeMm,
    cause: "MANUAL",
    origin: "MANUAL",
    locked,
  };
}

const placeInWords = (position: Vec3, placed: PlacedBox): string =>
  toSceneSpace(placed, position)
    .map((mm) => mm.toFixed(3))
    .join(", ");
