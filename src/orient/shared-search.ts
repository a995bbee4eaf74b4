import type { Progress } from "../core/progress.ts";
import { moveToSharedMemory } from "../core/typed-arrays.ts";
import { type OrientRequest, type OrientedModel, firstSearch, orientShape } from "./orient-model.ts";
import { type PartShape, partShape } from "./part-shape.ts";
import { COARSE_CELLS, FINE_CELLS, HOLD_CELLS, partSurfels, sharedSurfels } from "./part-surfels.ts";
import { type RoughSearch, roughCosts, roughDirections } from "./rough-search.ts";
import type { Surfels } from "./surfels.ts";

/** A search that several threads continue: its arrays are in shared memory. */
export interface SharedSearch {
  readonly search: RoughSearch;
  /** Number of directions that are valued roughly. */
  readonly directions: number;
}

/** With fewer coarse surfels one thread values all directions in a tenth of a second. Lattices and gyroids have more. */
const MIN_SURFELS = 20_000;
/** Share of the progress at which the shape of the part is known. */
const SHAPED_SHARE = 0.4;

/** Prepares the search for the orientation of a large model of free lock. Returns the orientation itself if it has few surfels. */
export function beginOrientation(
  request: OrientRequest,
  progress: Progress,
  minSurfels = MIN_SURFELS,
): OrientedModel | SharedSearch {
  progress.report(0);
  const shape = partShape(request.mesh, request.scale);
  progress.report(SHAPED_SHARE);
  if (partSurfels(shape, COARSE_CELLS).count < minSurfels)
    return orientShape(request, shape, progress.part(SHAPED_SHARE, 1));
  const surfels = [COARSE_CELLS, HOLD_CELLS].map((cells) => sharedSurfels(shape, cells));
  const shared = { ...sharedShape(shape), surfels };
  return { search: firstSearch(request, shared), directions: roughDirections(shape).length };
}

/** The shape in shared memory. The arrays of `shape` are empty afterwards. Marks are no part of it: only supports use them. */
function sharedShape(shape: PartShape): PartShape {
  const { surface } = shape;
  const { starts, items, boxes } = surface.cells;
  const vertices = moveToSharedMemory(surface.vertices);
  const weights = moveToSharedMemory(surface.importance.weights);
  return {
    ...shape,
    surface: {
      ...surface,
      vertices,
      normals: moveToSharedMemory(surface.normals),
      areas: moveToSharedMemory(surface.areas),
      importance: { weights, marks: weights, normals: moveToSharedMemory(surface.importance.normals) },
      cells: {
        vertices,
        starts: moveToSharedMemory(starts),
        items: moveToSharedMemory(items),
        boxes: moveToSharedMemory(boxes),
      },
    },
  };
}

/** The surfels by which the part is measured exactly. */
export const fineSurfels = ({ search }: SharedSearch): Surfels => sharedSurfels(search.shape, FINE_CELLS);

/** The {@link roughCosts} of the directions `from` up to `to`; its progress is their share. */
export const roughCostsOf = (
  { search, directions, from, to }: SharedSearch & { readonly from: number; readonly to: number },
  progress: Progress,
): Float64Array<ArrayBuffer> => roughCosts(search, from, to, progress.part(from / directions, to / directions));
