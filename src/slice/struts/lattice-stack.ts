import { getOrInsert } from "../../core/memoize.ts";
import { type Progress, STEPS_PER_REPORT } from "../../core/progress.ts";
import { upperBound } from "../../geometry/binary-search.ts";
import type { PlacedBox } from "../../geometry/pose.ts";
import type { PlacedMesh } from "../../mesh/placed-mesh.ts";
import type { LatticeClip, StrutLattice } from "../../mesh/mesh.ts";
import { strutCount, valueOf } from "../../mesh/strut-lattice.ts";
import { midHeightsMm } from "../layer-heights.ts";
import { type PixelGrid, type RasterTransform, meshToRaster } from "../pixel-grid.ts";

/** A lattice in a part, and the box and the pose of that part. */
export interface PlacedLattice extends PlacedBox {
  readonly lattice: StrutLattice;
}

/** A lattice that is prepared for the layers of a stack; `Solid` is the stack of its clipping solid. */
export interface LatticeStack<Solid> {
  readonly lattice: StrutLattice;
  /** From lattice to raster coordinates. */
  readonly toRaster: RasterTransform;
  readonly index: LatticeIndex;
  readonly clip?: { readonly stack: Solid; readonly keeps: LatticeClip["keeps"] };
}

/** The struts and balls that the planes of each chunk of layers may cut. */
interface LatticeIndex {
  /** The items of chunk c are `items[starts[c]]` … `items[starts[c + 1] - 1]`, ascending: a strut, or the number of struts plus a ball. */
  readonly starts: Uint32Array;
  readonly items: Uint32Array;
}

interface LatticesRequest<Solid> {
  readonly lattices: readonly PlacedLattice[];
  readonly boundariesMm: Float64Array;
  readonly grid: PixelGrid;
  readonly chunkSize: number;
  readonly prepareSolid: (placed: PlacedMesh) => Solid;
}

/** Prepares the lattices of a stack, and by `prepareSolid` their clipping solids. Copies at the same height share an index. */
export function prepareLattices<Solid>(request: LatticesRequest<Solid>, progress: Progress): LatticeStack<Solid>[] {
  const { lattices, boundariesMm, grid, chunkSize, prepareSolid } = request;
  const planesMm = midHeightsMm(boundariesMm);
  const known = new Map<StrutLattice, Map<string, LatticeIndex>>();
  return lattices.map((placed, i) => {
    const { lattice } = placed;
    const toRaster = latticeToRaster(placed, grid);
    const indexing = progress.part(i / lattices.length, (i + 1) / lattices.length);
    const byHeight = getOrInsert(known, lattice, () => new Map<string, LatticeIndex>());
    const index = getOrInsert(byHeight, toRaster.subarray(8).join(" "), () =>
      indexItems(lattice, toRaster, planesMm, chunkSize, indexing),
    );
    if (!lattice.clip) return { lattice, toRaster, index };
    // The clipping solid has the pose of the part, about the middle of the part's box.
    const { mesh, keeps } = lattice.clip;
    const solid = prepareSolid({ mesh: { ...mesh, box: placed.mesh.box }, pose: placed.pose });
    return { lattice, toRaster, index, clip: { stack: solid, keeps } };
  });
}

function latticeToRaster({ lattice, ...part }: PlacedLattice, grid: PixelGrid): RasterTransform {
  const [a, d, g, b, e, h, c, f, i, x, y, z] = lattice.transform;
  const outer = meshToRaster(part, grid);
  const rows = [0, 4, 8].map((at) => {
    const [p, q, r, shift] = outer.subarray(at, at + 4);
    return [p * a + q * d + r * g, p * b + q * e + r * h, p * c + q * f + r * i, p * x + q * y + r * z + shift];
  });
  return Float64Array.from(rows.flat());
}

/** Lowest and highest z of the struts and balls of a lattice, in raster coordinates, mm. */
export function itemHeights({ vertices, struts, radii, balls, ballRadii }: StrutLattice, toRaster: RasterTransform) {
  const [zx, zy, zz, offset] = toRaster.subarray(8);
  const reach = Math.sqrt(zx * zx + zy * zy + zz * zz);
  const heightOf = (vertex: number): number =>
    zx * vertices[3 * vertex] + zy * vertices[3 * vertex + 1] + zz * vertices[3 * vertex + 2] + offset;
  const heights = { low: 0, high: 0 };
  return (item: number): Readonly<typeof heights> => {
    const ball = item - struts.length / 2;
    if (ball >= 0) {
      const height = heightOf(balls[ball]);
      const radius = reach * valueOf(ballRadii, ball);
      [heights.low, heights.high] = [height - radius, height + radius];
      return heights;
    }
    const one = heightOf(struts[2 * item]);
    const other = heightOf(struts[2 * item + 1]);
    const oneRadius = reach * valueOf(radii, 2 * item);
    const otherRadius = reach * valueOf(radii, 2 * item + 1);
    heights.low = Math.min(one - oneRadius, other - otherRadius);
    heights.high = Math.max(one + oneRadius, other + otherRadius);
    return heights;
  };
}

function indexItems(
  lattice: StrutLattice,
  toRaster: RasterTransform,
  planesMm: Float64Array,
  chunkSize: number,
  progress: Progress,
): LatticeIndex {
  const count = strutCount(lattice) + lattice.balls.length;
  const chunks = Math.ceil(planesMm.length / chunkSize);
  const starts = new Uint32Array(new SharedArrayBuffer(4 * (chunks + 2)));
  const firstChunk = new Uint16Array(count);
  const endChunk = new Uint16Array(count);
  const heightsOf = itemHeights(lattice, toRaster);
  for (let item = 0; item < count; item++) {
    if (item % STEPS_PER_REPORT === 0) progress.report(item / count);
    const { low, high } = heightsOf(item);
    const first = upperBound(planesMm, low);
    const end = upperBound(planesMm, high);
    if (first >= end) continue;
    firstChunk[item] = Math.floor(first / chunkSize);
    endChunk[item] = Math.floor((end - 1) / chunkSize) + 1;
    for (let chunk = firstChunk[item]; chunk < endChunk[item]; chunk++) starts[chunk + 2]++;
  }
  for (let chunk = 2; chunk < starts.length; chunk++) starts[chunk] += starts[chunk - 1];
  progress.report(1);
  const items = new Uint32Array(new SharedArrayBuffer(4 * starts[chunks + 1]));
  // While items are placed, starts[c + 1] is the next free place of chunk c; at the end it is the start of chunk c + 1.
  for (let item = 0; item < count; item++) {
    for (let chunk = firstChunk[item]; chunk < endChunk[item]; chunk++) items[starts[chunk + 1]++] = item;
  }
  return { starts: starts.subarray(0, chunks + 1), items };
}
