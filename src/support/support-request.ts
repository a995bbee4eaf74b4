import type { Progress } from "../core/progress.ts";
import { toSharedMemory } from "../core/typed-arrays.ts";
import type { BuildVolume } from "../geometry/build-volume.ts";
import { type PartLayers, partLayers } from "../hold/part-sections.ts";
import { type Bvh, buildSharedBvh } from "../mesh/bvh/bvh.ts";
import { placedSurface } from "../mesh/mesh.ts";
import type { Outline } from "../mesh/outline.ts";
import type { PlacedMesh } from "../mesh/placed-mesh.ts";
import { layerBoundariesMm } from "../slice/layer-heights.ts";
import type { SupportArea } from "./plan/support-area.ts";
import type { Touchpoint } from "./points/touchpoint.ts";
import type { WalkedPart } from "./points/walk-part.ts";
import { lifted } from "./lifted.ts";
import type { SupportSettings } from "./support-settings.ts";

export interface SupportRequest {
  /** The model's pose; its height is ignored, supports lift the model to their own. */
  readonly placed: PlacedMesh;
  readonly outline: Outline;
  readonly settings: SupportSettings;
  readonly layerThicknessMm: number;
  /** Text of the raft's label, if the settings ask for one. */
  readonly label: string;
  /** In model space. If absent, they are computed. */
  readonly touchpoints?: readonly Touchpoint[];
  /** In model space: points that stay while the others are computed. Used only without `touchpoints`. */
  readonly kept?: readonly Touchpoint[] | undefined;
  /** Where supports must not touch the model, and where touchpoints are denser. */
  readonly areas?: readonly SupportArea[] | undefined;
  /** Supports stay inside. If absent, they have no limits. */
  readonly volume?: BuildVolume;
  /** The {@link supportLayers} of the model, if other threads have rasterised them. */
  readonly layers?: PartLayers | undefined;
  /** The walk through these layers, if another thread has done it. Used only without touchpoints. */
  readonly walked?: WalkedPart | undefined;
  /** The {@link obstacleTree} of the model, if another thread has built it. */
  readonly obstacles?: Bvh | undefined;
}

/** The boundaries of the layers of a lifted model. */
export const layerBoundaries = ({ pose }: PlacedMesh, { outline, layerThicknessMm }: SupportRequest): Float64Array =>
  layerBoundariesMm(layerThicknessMm, pose.position[2] + pose.scale * outline.box.max[2], []);

/**
 * The layers of a lifted model in shared memory; none is rasterised. They depend on the orientation, scale and settings of the model, not
 * on its place.
 */
export function supportLayers(request: SupportRequest, progress: Progress): PartLayers {
  const placed = lifted(request);
  const { surface, ...layers } = partLayers(placed, layerBoundaries(placed, request), progress);
  const { vertices, triangles } = surface;
  return { ...layers, surface: { vertices: toSharedMemory(vertices), triangles: toSharedMemory(triangles) } };
}

/** The facets of a lifted model as obstacles of its supports, in shared memory. */
export const obstacleTree = (request: SupportRequest, progress: Progress): Bvh =>
  buildSharedBvh(placedSurface(lifted(request)), progress);
