import type { Progress } from "../../core/progress.ts";
import { toSharedMemory } from "../../core/typed-arrays.ts";
import type { BuildVolume } from "../../geometry/build-volume.ts";
import type { Vec3 } from "../../geometry/vector.ts";
import { layerLoads } from "../../hold/layer-loads.ts";
import { partSections } from "../../hold/part-sections.ts";
import { groundMm } from "../../hold/support-lift.ts";
import { type Bvh, buildSharedBvh } from "../../mesh/bvh/bvh.ts";
import { type Surface, placedSurface } from "../../mesh/mesh.ts";
import type { PlacedMesh } from "../../mesh/placed-mesh.ts";
import type { SupportArea } from "../plan/support-area.ts";
import { type SupportRequest, layerBoundaries } from "../support-request.ts";
import { lifted } from "../lifted.ts";
import type { SupportSettings } from "../support-settings.ts";
import { packLoads } from "./packed-loads.ts";

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
  /** {@link packLoads} of its layers. */
  readonly loads: Float64Array;
}

/** The obstacles of a request, with its tree of obstacles if it has one. */
export function draftObstacles(request: SupportRequest, progress: Progress): DraftObstacles {
  const { settings, volume, areas = [] } = request;
  const placed = lifted(request);
  const { position } = placed.pose;
  const { vertices, triangles } = placedSurface(placed);
  const surface = { vertices: toSharedMemory(vertices), triangles: toSharedMemory(triangles) };
  const bvh = request.obstacles ?? buildSharedBvh(surface, progress);
  return { surface, position, bvh, groundMm: groundMm(settings), volume, settings, placed, areas };
}

/** The {@link layerLoads} of a request, packed. */
export function draftLoads(request: SupportRequest, progress: Progress): Float64Array {
  const placed = lifted(request);
  const { sections } = partSections(placed, layerBoundaries(placed, request), [], progress, request.layers);
  return packLoads(layerLoads(sections));
}
