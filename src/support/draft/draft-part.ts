import type { Progress } from "../../core/progress.ts";
import { toSharedMemory } from "../../core/typed-arrays.ts";
import type { BuildVolume } from "../../geometry/build-volume.ts";
import type { Vec3 } from "../../geometry/vector.ts";
import { type LayerLoad, layerLoads } from "../../hold/layer-loads.ts";
import { partSections } from "../../hold/part-sections.ts";
import { groundMm } from "../../hold/support-lift.ts";
import { type Bvh, buildSharedBvh } from "../../mesh/bvh/bvh.ts";
import { type Surface, placedSurface } from "../../mesh/mesh.ts";
import type { PlacedMesh } from "../../mesh/placed-mesh.ts";
import type { SupportArea } from "../plan/support-area.ts";
import { type SupportRequest, layerBoundaries } from "../support-request.ts";
import { lifted } from "../lifted.ts";
import type { SupportSettings } from "../support-settings.ts";

/** The obstacles of the supports of a part, in shared memory. */
export interface DraftObstacles {
  /** The part at the height of its supports, and its position there. */
  readonly surface: Surface;
  readonly position: Vec3;
  readonly bvh: Bvh;
  readonly groundMm: number;
  /** If given, supports stay inside. */
  readonly volume: BuildVolume | undefined;
  readonly settings: SupportSettings;
  /** The part at that height, and areas of its surface that no foot may stand on. */
  readonly placed: PlacedMesh;
  readonly areas: readonly SupportArea[];
}

/** What drafts need of a part at a place. */
export interface DraftPart extends DraftObstacles {
  /** Equal for equal parts at one place with one set of settings. */
  readonly key: string;
  /** {@link LOAD_STRIDE} numbers of each layer: height, pull, x and y of its middle. */
  readonly loads: Float64Array;
}

const LOAD_STRIDE = 4;

/** The obstacles of a request. */
export function draftObstacles(request: SupportRequest, progress: Progress): DraftObstacles {
  const { settings, volume, areas = [] } = request;
  const placed = lifted(request);
  const { position } = placed.pose;
  const { vertices, triangles } = placedSurface(placed);
  const surface = { vertices: toSharedMemory(vertices), triangles: toSharedMemory(triangles) };
  const bvh = buildSharedBvh(surface, progress);
  return { surface, position, bvh, groundMm: groundMm(settings), volume, settings, placed, areas };
}

/** The {@link layerLoads} of a request, as numbers in shared memory. */
export function draftLoads(request: SupportRequest, progress: Progress): Float64Array {
  const placed = lifted(request);
  const { sections } = partSections(placed, layerBoundaries(placed, request), [], progress, request.layers);
  return toSharedMemory(
    Float64Array.from(layerLoads(sections).flatMap(({ heightMm, n, x, y }) => [heightMm, n, x, y])),
  );
}

/** The loads of a part by layer. */
export const loadsOfPart = ({ loads }: DraftPart): LayerLoad[] =>
  Array.from({ length: loads.length / LOAD_STRIDE }, (_, layer) => {
    const [heightMm, n, x, y] = loads.subarray(LOAD_STRIDE * layer, LOAD_STRIDE * (layer + 1));
    return { heightMm, n, x, y };
  });
