import { orientationScaleKey } from "../../geometry/pose.ts";
import type { PartLayers } from "../../hold/part-sections.ts";
import type { LiftSettings } from "../../hold/support-lift.ts";
import type { Bvh } from "../../mesh/bvh/bvh.ts";
import type { SupportRequest } from "../../support/support-request.ts";
import type { Compute } from "../../worker/compute.ts";
import type { BatchItem } from "../../worker/task.ts";
import { LEAST_TREE_BYTES, keptOfMesh, keyOfMesh } from "../kept-of-mesh.ts";
import { obstacleTreeTask } from "./task.ts";

// What supports need of a large part and what does not depend on most of their settings: a person who tries another density or size of
// touchpoints waits for it once.

/** The layers of a part that `make` returns, or those of an earlier request. Calls `make` at once or not at all. */
export const keptLayers = (
  request: SupportRequest,
  context: Compute,
  make: () => Promise<PartLayers>,
): Promise<PartLayers> => keptOfMesh(request.placed.mesh, layersKey(request), context, make);

/** The tree of the facets of a part as obstacles, or that of an earlier request. */
export const keptObstacles = (
  item: BatchItem<SupportRequest>,
  context: Compute,
  make = (): Promise<Bvh> => context.compute(obstacleTreeTask, item),
): Promise<Bvh> => keptOfMesh(item.input.placed.mesh, obstaclesKey(item.input), context, make, LEAST_TREE_BYTES);

/** The tree that {@link keptObstacles} has made, if it is still kept. */
export const knownObstacles = (request: SupportRequest, { held }: Compute): Bvh | undefined =>
  held?.kept(keyOfMesh(request.placed.mesh, obstaclesKey(request)));

/** The loads of the layers of a part that `make` returns, packed, or those of an earlier request: small, but a person waits for the first draft. */
export const keptLoads = (
  request: SupportRequest,
  context: Compute,
  make: () => Promise<{ readonly loads: Float64Array }>,
): Promise<{ readonly loads: Float64Array }> => keptOfMesh(request.placed.mesh, loadsKey(request), context, make, 0);

/** Equal for models of a mesh that have the same layers, wherever they are. */
export const layersKey = ({ placed: { mesh, pose }, settings, layerThicknessMm }: SupportRequest): string =>
  JSON.stringify(["layers", orientationScaleKey(mesh.hash, pose), liftKey(settings), layerThicknessMm]);

/** Equal for models of a mesh that are at the same place. */
const obstaclesKey = ({ placed: { mesh, pose }, settings }: SupportRequest): string =>
  JSON.stringify(["obstacles", orientationScaleKey(mesh.hash, pose), pose.position.slice(0, 2), liftKey(settings)]);

const loadsKey = (request: SupportRequest): string =>
  JSON.stringify(["loads", layersKey(request), request.placed.pose.position.slice(0, 2)]);

/** The settings that decide the height of a model on its supports. */
const liftKey = ({ raftType, raftThicknessMm, heightAboveRaftMm, zCompressionCorrectionMm }: LiftSettings) =>
  [raftType, raftThicknessMm, heightAboveRaftMm, zCompressionCorrectionMm] as const;
