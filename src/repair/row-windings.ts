import type { Progress } from "../core/progress.ts";
import { voxelCount } from "../geometry/distance-transform.ts";
import { bodiesOf, closedBodies } from "../mesh/bodies.ts";
import { edgesOf } from "../mesh/edges.ts";
import { type Surface, triangleCount, vertexCount } from "../mesh/mesh.ts";
import type { VoxelGrid } from "../mesh/voxel/voxel-grid.ts";

/** Most crossings of facets with rows: about two seconds. */
const MAX_CROSSINGS = 2e8;
const FACETS_PER_REPORT = 1024;
/** Share of the progress at which the crossings of all facets are known. The rest adds them up. Estimated. */
const CROSSED_SHARE = 0.8;
/** 10 ns for each crossing and 0.3 µs for each facet, in addition to one step for each voxel. */
const STEPS_PER_CROSSING = 0.7;
const STEPS_PER_FACET = 20;

/** Whether each edge has the same number of facets in both directions: then the winding number is an integer everywhere. */
export function isClosed(surface: Surface): boolean {
  const edges = edgesOf(surface.triangles, vertexCount(surface));
  return closedBodies(surface, edges, bodiesOf(surface, edges)).every((one) => one === 1);
}

/** Whether the facets of a surface cross the rows of a grid more than {@link MAX_CROSSINGS} times. */
export function crossesTooOften({ vertices, triangles }: Surface, { voxelMm }: VoxelGrid): boolean {
  let area = 0;
  for (let at = 0; at < triangles.length; at += 3) {
    const [a, b, c] = [3 * triangles[at], 3 * triangles[at + 1], 3 * triangles[at + 2]];
    const [uy, uz] = [vertices[b + 1] - vertices[a + 1], vertices[b + 2] - vertices[a + 2]];
    const [vy, vz] = [vertices[c + 1] - vertices[a + 1], vertices[c + 2] - vertices[a + 2]];
    area += Math.abs(uy * vz - uz * vy) / 2;
  }
  return area > MAX_CROSSINGS * voxelMm * voxelMm;
}

/**
 * The winding number of a closed surface at each voxel of a grid. Along each row of voxels in x it changes by 1 where the row crosses
 * a facet. Adjacent facets agree on which of them a row crosses: they compute the points of their common edge in the same way.
 */
export function rowWindings(surface: Surface, grid: VoxelGrid, progress: Progress): Int16Array {
  const { triangles } = surface;
  const { columns, rows, layers } = grid;
  const changes = new Int16Array(voxelCount(grid));
  const inVoxels = positionsInVoxels(surface, grid);
  const crossing = progress.part(0, CROSSED_SHARE);
  const adding = progress.part(CROSSED_SHARE, 1);
  let steps = 0;
  for (let facet = 0; facet < triangleCount(surface); facet++) {
    if (facet % FACETS_PER_REPORT === 0) {
      crossing.report(facet / triangleCount(surface), steps);
      steps = STEPS_PER_FACET * FACETS_PER_REPORT;
    }
    const corners = triangles.subarray(3 * facet, 3 * facet + 3);
    const zs = [inVoxels[3 * corners[0] + 2], inVoxels[3 * corners[1] + 2], inVoxels[3 * corners[2] + 2]];
    const lastLayer = Math.min(layers - 1, Math.ceil(Math.max(...zs)) - 1);
    for (let layer = Math.max(0, Math.ceil(Math.min(...zs))); layer <= lastLayer; layer++) {
      let [upX, upY, downX, downY] = [0, 0, 0, 0];
      for (let k = 0; k < 3; k++) {
        const [from, to] = [corners[k], corners[(k + 1) % 3]];
        const [isFromBelow, isToBelow] = [zs[k] <= layer, zs[(k + 1) % 3] <= layer];
        if (isFromBelow === isToBelow) continue;
        const [low, high] = [3 * Math.min(from, to), 3 * Math.max(from, to)];
        const share = (layer - inVoxels[low + 2]) / (inVoxels[high + 2] - inVoxels[low + 2]);
        const x = inVoxels[low] + share * (inVoxels[high] - inVoxels[low]);
        const y = inVoxels[low + 1] + share * (inVoxels[high + 1] - inVoxels[low + 1]);
        if (isFromBelow) [upX, upY] = [x, y];
        else [downX, downY] = [x, y];
      }
      const lastRow = Math.min(rows - 1, Math.ceil(Math.max(upY, downY)) - 1);
      // The normal has a positive x if the upward edge is at the greater y.
      const change = upY > downY ? -1 : 1;
      for (let row = Math.max(0, Math.ceil(Math.min(upY, downY))); row <= lastRow; row++) {
        const x = upX + ((row - upY) / (downY - upY)) * (downX - upX);
        const column = Math.min(Math.max(Math.ceil(x), 0), columns - 1);
        changes[(layer * rows + row) * columns + column] += change;
        steps += STEPS_PER_CROSSING;
      }
    }
  }
  for (let from = 0; from < changes.length; from += columns) {
    if (from % (rows * columns) === 0) adding.report(from / changes.length, rows * columns);
    for (let at = from + 1; at < from + columns; at++) changes[at] += changes[at - 1];
  }
  return changes;
}

/** x, y, z of each vertex, in voxels from the centre of the first voxel. */
function positionsInVoxels({ vertices }: Surface, { origin, voxelMm }: VoxelGrid): Float64Array {
  return Float64Array.from(vertices, (value, at) => (value - origin[at % 3]) / voxelMm);
}
