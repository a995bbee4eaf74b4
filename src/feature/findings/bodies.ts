import { partVolume } from "../../catalog/shrink-factors.ts";
import type { VolumeSide } from "../../check/finding-place.ts";
import type { Manifoldness } from "../../check/manifoldness.ts";
import { paired } from "../../core/paired.ts";
import { shortNumber } from "../../core/quantities.ts";
import type { BuildVolume } from "../../geometry/build-volume.ts";
import { poseKey, toModelSpace } from "../../geometry/pose.ts";
import { type Vec3, add, lerp } from "../../geometry/vector.ts";
import { triangleCount } from "../../mesh/mesh.ts";
import { isInBounds, sceneBox } from "../../scene/placement.ts";
import { type Model, type Scene, type SupportLoss, printedBodies } from "../../scene/project.ts";
import type { RequestContext } from "../../api/endpoint.ts";
import { manifoldnessOfModels, thinFeaturesOfModels } from "../check/mesh-endpoints.ts";
import { beyondSide, defectsOf } from "../check/page.ts";
import { findOutsidePlacesTask } from "../check/task.ts";
import { thinRegionsOf } from "../check/thin-features.ts";
import { alone } from "../mesh-tasks.ts";
import type { Found } from "./causes.ts";

// Findings at single models.

/** The models that are not inside the build volume, and a scene without models. */
export async function boundsFindings(scene: Scene, context: RequestContext): Promise<Found[]> {
  const { models, setting } = scene;
  if (models.length === 0) return [{ cause: "EMPTY", models: [], count: 0, size: 0 }];
  const volume = partVolume(setting);
  const { beside = [], outside = [] } = Object.groupBy(
    models.filter((model) => !isInBounds(model, setting)),
    (model) => (isBeside(model, volume) ? "beside" : "outside"),
  );
  const items = outside.map((model) => {
    const bodies = printedBodies(model).map(({ mesh, pose }) => ({ mesh, pose }));
    const keys = bodies.map(({ mesh, pose }) => poseKey(mesh.hash, pose));
    const effort = bodies.reduce((sum, { mesh }) => sum + triangleCount(mesh), 0);
    return { key: ["outside", JSON.stringify(volume), ...keys].join(" "), input: { bodies, volume }, effort };
  });
  const found = await context.computeShared(
    (input, { compute }) => compute(findOutsidePlacesTask, alone(input)),
    items,
  );
  const reaching = paired(outside, found).map(([model, [farthest]]): Found => {
    // Outlines round: the places may be just inside.
    if (!farthest) return { cause: "OUTSIDE", models: [model], count: 1, size: 0, detail: "out of the build volume" };
    const { size, kind, point } = farthest;
    const detail = beyondSide(size, kind as VolumeSide);
    return { cause: "OUTSIDE", models: [model], count: 1, size, detail, places: [toModelSpace(model, point)] };
  });
  const { length: count } = beside;
  return count === 0 ? reaching : [{ cause: "BESIDE", models: beside, count, size: count }, ...reaching];
}

/** Whether a model is completely beside the volume, as layout and packing leave those for which they found no room. */
function isBeside(model: Model, { dimensionsMm: [x, y] }: BuildVolume): boolean {
  const { min, max } = sceneBox(model);
  return min[0] >= x / 2 || max[0] <= -x / 2 || min[1] >= y / 2 || max[1] <= -y / 2;
}

/** The models whose mesh is not closed, or crosses itself. */
export async function meshFindings({ models }: Scene, context: RequestContext): Promise<Found[]> {
  const found = await manifoldnessOfModels(models, context);
  return paired(models, found).flatMap(([model, mesh]): Found[] => {
    const faults = mesh.openEdgeCount + mesh.nonManifoldEdgeCount + mesh.invertedBodyCount;
    const size = Math.max(1, faults);
    const common = { models: [model], count: size, size };
    if (!mesh.isManifold) return [{ ...common, cause: "NOT_CLOSED", detail: defectsInWords(mesh) }];
    return mesh.selfIntersecting ? [{ cause: "CROSSING", models: [model], count: 1, size: 1 }] : [];
  });
}

const defectsInWords = (mesh: Manifoldness): string =>
  defectsOf({
    is_manifold: mesh.isManifold,
    open_edge_count: mesh.openEdgeCount,
    non_manifold_edge_count: mesh.nonManifoldEdgeCount,
    inverted_body_count: mesh.invertedBodyCount,
    self_intersecting: mesh.selfIntersecting,
  }).join(", ");

const LOSSES: Readonly<Record<SupportLoss, string>> = {
  TURNED: "it was turned",
  SCALED: "its size changed",
  MESH: "its mesh changed",
  SETTING: "the print setting changed",
};

/** Supports that were lost, and those that their making found at fault. */
export function supportFindings({ models }: Scene): Found[] {
  return models.flatMap((model): Found[] => {
    const common = { models: [model], count: 1, size: 1 };
    const { lostSupports, supports } = model;
    if (lostSupports) return [{ ...common, cause: "LOST", detail: LOSSES[lostSupports] }];
    const { unreached = [], slender = [], unheld = [], isLoose = false } = supports?.faults ?? {};
    const ofPoints = (cause: "UNREACHED" | "SLENDER" | "UNHELD", points: readonly Vec3[]): Found[] =>
      points.length === 0
        ? []
        : [{ cause, models: [model], count: points.length, size: points.length, places: points }];
    return [
      ...ofPoints("UNREACHED", unreached),
      ...ofPoints("SLENDER", slender),
      ...ofPoints("UNHELD", unheld),
      ...(isLoose ? [{ ...common, cause: "LOOSE_RAFT" } as const] : []),
    ];
  });
}

/** Walls thinner than the threshold, mm. */
export async function thinFindings({ models }: Scene, thresholdMm: number, context: RequestContext): Promise<Found[]> {
  const found = await thinFeaturesOfModels(models, thresholdMm, context);
  const detail = `thinner than ${shortNumber(thresholdMm)} mm`;
  return paired(models, found).flatMap(([model, features]): Found[] => {
    const whole = { models: [model], count: 1, size: 1, detail };
    if (features.status === "TOO_SMALL") return [{ ...whole, cause: "ALL_THIN" }];
    if (features.status === "TOO_LARGE") return [{ ...whole, cause: "NOT_MEASURED" }];
    // The check of closed meshes reports the others.
    const regions = thinRegionsOf(features);
    if (regions.length === 0) return [];
    const size = regions.reduce((sum, { volumeMm3 }) => sum + volumeMm3, 0);
    const places = regions.map(({ box }) => toModelSpace(model, add(lerp(box.min, box.max, 0.5), model.pose.position)));
    return [{ cause: "THIN", models: [model], count: regions.length, size, detail, places }];
  });
}
