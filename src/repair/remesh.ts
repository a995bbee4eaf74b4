import { lazy } from "../core/memoize.ts";
import type { Progress } from "../core/progress.ts";
import { boxOf, boxSize } from "../geometry/box.ts";
import { voxelCount } from "../geometry/distance-transform.ts";
import type { Vec3 } from "../geometry/vector.ts";
import { buildBvh, type Bvh } from "../mesh/bvh/bvh.ts";
import { distanceToSurface } from "../mesh/bvh/closest-point.ts";
import { ALL_FACETS, fastWindingNumber, windingBvh } from "../mesh/bvh/fast-winding-number.ts";
import { cornersOf, type Surface, triangleCount } from "../mesh/mesh.ts";
import { makeWellComposed, surfaceNets } from "../mesh/voxel/surface-nets.ts";
import { blocksAlong, type VoxelField, type VoxelGrid, voxelGridOver } from "../mesh/voxel/voxel-grid.ts";
import { crossesTooOften, isClosed, rowWindings } from "./row-windings.ts";
import { CUBE_RADIUS, distancesNear, nearFacetCount, visitVoxelCubes, windingNumbersInCube } from "./voxel-cubes.ts";

/** Points with a greater winding number are inside. */
const THRESHOLD = 0.5;
/** Most voxels along the longest side, and most voxels of the box: those of a cube of 160 along each side. */
const MAX_RESOLUTION = 1600;
const MAX_VOXELS = 160 ** 3;
/** Voxels around the surface. They make the field negative at its boundary. */
const MARGIN = 2;
/**
 * A cube is completely inside or outside if the winding number differs from the threshold by this much, and no facet is nearer than
 * two of its radii. A smaller difference needs a proportionally greater distance.
 */
const CLEAR_DIFFERENCE = 0.35;
/** With a smaller difference a cube is never skipped. */
const MIN_CLEAR_DIFFERENCE = 0.05;
/** Ratio of successive voxel sizes. */
const VOXEL_GROWTH = 1.02;
const VALUES_PER_VOXEL = 1000;
/**
 * Most evaluations of a facet at a voxel, which take about four seconds. Broken models of 10 thousand to a million facets take 5 to 35
 * million, 500 needles at one point 44 million, 500 random facets across one another 160 million.
 */
const MAX_STEPS = 4e7;
/** Depth in gaps between facets, in voxels per unit of the winding number. */
const GAP_DEPTH_VOXELS = 4;

/** The voxel size of {@link remesh}: the finest for which the box has at most {@link MAX_VOXELS} voxels. */
export function remeshVoxelMm({ vertices }: Surface): number {
  const sizes = boxSize(boxOf(vertices));
  let voxelMm = Math.max(...sizes) / MAX_RESOLUTION;
  while (sizes.reduce((count, size) => count * Math.max(1, size / voxelMm), 1) > MAX_VOXELS) voxelMm *= VOXEL_GROWTH;
  return voxelMm;
}

/** Shares of the progress at which the hierarchy is built, winding numbers and depths are known, and the field is well-composed. Estimates. */
const SHARES = { indexed: 0.05, wound: 0.5, measured: 0.8, composed: 0.9 };

/**
 * Makes a new surface around the points with a winding number above ½, in spite of gaps and self-intersections: a closed manifold
 * within about half a voxel of the facets. Empty if there are no such points, or if facets are so dense that it would take more
 * than {@link MAX_STEPS}: they are a heap and bound no solid.
 */
export function remesh(surface: Surface, progress: Progress): Surface {
  const tree = buildBvh(surface, progress.part(0, SHARES.indexed));
  const winding = progress.part(SHARES.indexed, SHARES.wound);
  const isIntegral = isClosed(surface);
  const filled = isIntegral
    ? integralDifferences(surface, remeshVoxelMm(surface), winding)
    : fractionalDifferences(gridAround(surface, remeshVoxelMm(surface)), tree, winding);
  if (!filled) return { vertices: new Float32Array(0), triangles: new Uint32Array(0) };
  const { grid, differences } = filled;
  const field = signedDepthField(
    grid,
    differences,
    isIntegral && meanBoxesAt(surface) > MAX_MEAN_BOXES ? undefined : tree,
    progress.part(SHARES.wound, SHARES.measured),
  );
  makeWellComposed(field, progress.part(SHARES.measured, SHARES.composed));
  return surfaceNets(field, progress.part(SHARES.composed, 1));
}

interface WindingGrid {
  readonly grid: VoxelGrid;
  /** The winding number at each voxel, minus the threshold: positive inside. */
  readonly differences: Float32Array;
}

/** The differences of an open surface; undefined if its facets are too dense. */
const fractionalDifferences = (grid: VoxelGrid, tree: Bvh, progress: Progress): WindingGrid | undefined =>
  takesTooLong(grid, tree) ? undefined : { grid, differences: windingDifferences(grid, tree, progress) };

/** Most rows of voxels that enter and leave a solid. The surface has about six times as many facets. */
const MAX_SIDES = 100_000;
/** Ratio of successive voxel sizes, used until the surface is small enough. */
const COARSENING = 1.4;

/** The differences of a closed surface; undefined if its facets cross too many rows of voxels. */
function integralDifferences(surface: Surface, finestMm: number, progress: Progress): WindingGrid | undefined {
  let rest = progress;
  for (let voxelMm = finestMm; ; voxelMm *= COARSENING) {
    const grid = gridAround(surface, voxelMm);
    if (crossesTooOften(surface, grid)) return undefined;
    const part = rest.part(0, 0.5);
    rest = rest.part(0.5, 1);
    const windings = rowWindings(surface, grid, part);
    let sides = 0;
    for (let at = 1; at < windings.length; at++) if (windings[at] > 0 !== windings[at - 1] > 0) sides++;
    if (sides <= MAX_SIDES) return { grid, differences: Float32Array.from(windings, (one) => one - THRESHOLD) };
  }
}

function gridAround({ vertices }: Surface, voxelMm: number): VoxelGrid {
  const { min, max } = boxOf(vertices);
  const margin = MARGIN * voxelMm;
  return voxelGridOver(
    {
      min: [min[0] - margin, min[1] - margin, min[2] - margin],
      max: [max[0] + margin, max[1] + margin, max[2] + margin],
    },
    voxelMm,
  );
}

/**
 * Mean number of facets whose boxes overlap at a point, above which the distance of a voxel from the facets is not computed. Models
 * have less than one; hundreds of facets as long as the body across one another have a hundred. The remeshed surface of these is
 * half-way between voxels.
 */
const MAX_MEAN_BOXES = 32;

/** The total volume of the boxes of all facets, relative to the box of the surface. */
function meanBoxesAt(surface: Surface): number {
  const volumeOf = (sizes: readonly number[]): number => sizes[0] * sizes[1] * sizes[2];
  let volume = 0;
  for (let facet = 0; facet < triangleCount(surface); facet++) {
    const [a, b, c] = cornersOf(surface, facet);
    volume += volumeOf(
      [0, 1, 2].map((axis) => Math.max(a[axis], b[axis], c[axis]) - Math.min(a[axis], b[axis], c[axis])),
    );
  }
  return volume / volumeOf(boxSize(boxOf(surface.vertices)));
}

/**
 * The depth of voxels below the new surface, negative outside. Without `tree` it follows from the winding number alone. Only its sign
 * is meaningful away from the surface.
 */
function signedDepthField(
  grid: VoxelGrid,
  differences: Float32Array,
  tree: Bvh | undefined,
  progress: Progress,
): VoxelField {
  const { columns, rows, layers, origin, voxelMm } = grid;
  const values = new Int16Array(differences.length);
  const reachMm = (CUBE_RADIUS + GAP_DEPTH_VOXELS * CLEAR_DIFFERENCE) * voxelMm;
  visitVoxelCubes(grid, progress, ({ centre, visitVoxels }) => {
    const distances = tree && lazy(() => distancesNear(tree, centre, reachMm));
    visitVoxels((at, x, y, z) => {
      const difference = differences[at];
      const gapDepthMm = GAP_DEPTH_VOXELS * Math.min(Math.abs(difference), CLEAR_DIFFERENCE) * voxelMm;
      const point: Vec3 = [origin[0] + voxelMm * x, origin[1] + voxelMm * y, origin[2] + voxelMm * z];
      // The distance to facets, or in gaps the depth from the winding number.
      const depthMm =
        distances && isNextToSurface(differences, grid, x, y, z) ? distances()(point, gapDepthMm) : gapDepthMm;
      const depth = Math.floor((VALUES_PER_VOXEL * depthMm) / voxelMm);
      values[at] = difference > 0 ? depth : -1 - depth;
    });
  });
  const blocks = blocksAlong(columns) * blocksAlong(rows) * blocksAlong(layers);
  return { ...grid, values, isCrossed: new Uint8Array(blocks).fill(1) };
}

/** The winding number at each voxel, minus the threshold: positive inside. */
function windingDifferences(grid: VoxelGrid, tree: Bvh, progress: Progress): Float32Array {
  const { voxelMm } = grid;
  const bvh = windingBvh(tree);
  const differences = new Float32Array(voxelCount(grid));
  const radiusMm = CUBE_RADIUS * voxelMm;
  const isFar = (point: Vec3, reachMm: number): boolean => distanceToSurface(tree, point, reachMm) === reachMm;
  /** The difference at the centre of a cube; undefined if facets are too near to use it for all voxels of the cube. */
  const commonDifference = (centre: Vec3): number | undefined => {
    if (!isFar(centre, 2 * radiusMm)) return undefined;
    const difference = fastWindingNumber(bvh, ALL_FACETS, centre) - THRESHOLD;
    const isClear =
      Math.abs(difference) >= MIN_CLEAR_DIFFERENCE &&
      isFar(centre, 2 * radiusMm * Math.max(1, CLEAR_DIFFERENCE / Math.abs(difference)));
    return isClear ? difference : undefined;
  };
  visitVoxelCubes(grid, progress, (cube) => {
    const common = commonDifference(cube.centre);
    if (common !== undefined) {
      cube.visitVoxels((at) => (differences[at] = common));
      return;
    }
    const windingNumbers = windingNumbersInCube(bvh, cube, voxelMm);
    cube.visitVoxels((at, _x, _y, _z, inCube) => (differences[at] = windingNumbers[inCube] - THRESHOLD));
  });
  return differences;
}

/** Whether one of the 26 neighbours of a voxel is on the other side of the surface. */
function isNextToSurface(
  differences: Float32Array,
  { columns, rows, layers }: VoxelGrid,
  x: number,
  y: number,
  z: number,
): boolean {
  const isInside = differences[(z * rows + y) * columns + x] > 0;
  for (let k = Math.max(z - 1, 0); k <= Math.min(z + 1, layers - 1); k++) {
    for (let j = Math.max(y - 1, 0); j <= Math.min(y + 1, rows - 1); j++) {
      for (let i = Math.max(x - 1, 0); i <= Math.min(x + 1, columns - 1); i++) {
        if (differences[(k * rows + j) * columns + i] > 0 !== isInside) return true;
      }
    }
  }
  return false;
}

/** Number of cubes at whose centres near facets are counted. */
const SAMPLED_CUBES = 512;
/** Irrational ratios whose multiples are evenly spread over a cube (M. Roberts, "The R-sequence", 2018). */
const SPREAD = [0.8191725, 0.6710436, 0.5497005] as const;

/** Estimates whether {@link windingDifferences} would evaluate a facet at a voxel more than {@link MAX_STEPS} times. */
function takesTooLong({ columns, rows, layers, origin, voxelMm }: VoxelGrid, tree: Bvh): boolean {
  const bvh = windingBvh(tree);
  const at = (i: number, axis: number, size: number): number =>
    origin[axis] + voxelMm * Math.floor(size * ((i * SPREAD[axis]) % 1));
  const maxSampled = (MAX_STEPS * SAMPLED_CUBES) / (columns * rows * layers);
  let steps = 0;
  for (let i = 0; i < SAMPLED_CUBES && steps <= maxSampled; i++) {
    steps += nearFacetCount(bvh, [at(i, 0, columns), at(i, 1, rows), at(i, 2, layers)], voxelMm);
  }
  return steps > maxSampled;
}
