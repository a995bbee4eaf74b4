import { type Vec3, dot, matrixRow } from "../geometry/vector.ts";
import { type AirVoxels, OPEN_AIR } from "./air-voxels.ts";
import { rangeAlong } from "./part-surface.ts";

/** Cups less deep than this, in voxels, are artefacts of the voxels. */
const MIN_DEPTH_VOXELS = 4;
/** Cups whose widest layer has fewer voxels are artefacts as well. */
const MIN_AREA_VOXELS = 4;

/** Pools of one voxel of depth are artefacts as well. Pools weigh less than cups, so a smaller depth is enough to count. */
const MIN_POOL_DEPTH_VOXELS = 2;

/** The space that a part seals or leaves undrained if it is printed with some direction pointing up. */
export interface SealedSpace {
  /**
   * Total area of its cups, mm². A cup, as defined in check/cups.ts but without closed cavities, is a connected space
   * that is sealed between platform, part and film while some layer is printed; its area is that of its widest layer.
   */
  readonly areaMm2: number;
  /** Volume of resin that stays in it, mm³: space that is sealed while layers are printed and is lower than its outlet. */
  readonly volumeMm3: number;
}

/** The sealed space of a part with `up` pointing up. The lowest of `points` is `liftMm` above the platform. */
export function sealedSpace(air: AirVoxels, up: Vec3, points: Float64Array, liftMm = 0): SealedSpace {
  const sealed = sealedAir(air, up, rangeAlong(points, up)[0] - liftMm);
  if (sealed.voxels.length === 0) return { areaMm2: 0, volumeMm3: 0 };
  const { widest, pooled } = countSealed(air, sealed);
  return { areaMm2: widest * air.voxelMm ** 2, volumeMm3: pooled * air.voxelMm ** 3 };
}

/**
 * The number of voxels in the widest layers of all cups, and of those in all pools. Sealed voxels that touch are opened
 * by the same layer, so they are one cup. Negates the layers of the voxels that it has counted.
 */
function countSealed(
  { columns, rows, layers: levels }: AirVoxels,
  { voxels, openLayers, layers }: SealedAir,
): { readonly widest: number; readonly pooled: number } {
  const neighbours = [-1, 1, -columns, columns, -columns * rows, columns * rows];
  const widths = new Int32Array(columns + rows + levels + 3);
  const stack = new Int32Array(voxels.length);
  let sum = 0;
  let pooled = 0;
  for (let i = 0; i < voxels.length; i++) {
    if (layers[voxels[i]] <= 0) continue;
    let lowest = layers[voxels[i]];
    let highest = lowest;
    let count = 0;
    let size = 0;
    layers[voxels[i]] *= -1;
    stack[count++] = voxels[i];
    while (count > 0) {
      const voxel = stack[--count];
      const layer = -layers[voxel];
      widths[layer]++;
      size++;
      if (layer < lowest) lowest = layer;
      if (layer > highest) highest = layer;
      for (let side = 0; side < 6; side++) {
        const next = voxel + neighbours[side];
        if (layers[next] <= 0) continue;
        layers[next] *= -1;
        stack[count++] = next;
      }
    }
    const end = openLayers[i] > 0 ? openLayers[i] : highest + 1;
    let widest = 0;
    for (let layer = lowest; layer <= highest; layer++) {
      if (widths[layer] > widest) widest = widths[layer];
      widths[layer] = 0;
    }
    if (widest < MIN_AREA_VOXELS) continue;
    if (end - lowest >= MIN_DEPTH_VOXELS) sum += widest;
    if (end - lowest >= MIN_POOL_DEPTH_VOXELS) pooled += size;
  }
  return { widest: sum, pooled };
}

/** The air that is sealed while at least one layer is printed. */
interface SealedAir {
  /** Indices of its voxels. */
  readonly voxels: Int32Array;
  /** For each of them, the layer that opens it to the outside; 0 where no layer does. */
  readonly openLayers: Int16Array;
  /** For every voxel of the grid: its layer, from 1 at the platform, if it is sealed; else 0. */
  readonly layers: Int16Array;
}

/**
 * The sealed air around a part that is printed with `up` pointing up on a platform at `bottomMm` along `up`. Each path from the
 * outside to a voxel has a highest layer; the lowest of these layers opens the voxel. Voxels are visited in the order of these layers
 * by a priority flood (Barnes, Lehman, Mulla 2014) with one linked list per layer.
 */
export function sealedAir(air: AirVoxels, up: Vec3, bottomMm: number): SealedAir {
  const { columns, rows, layers: levels } = air;
  const { layers, count, boundary, joinLayers } = layeredAir(air, up, bottomMm);
  // Linked lists of voxels by layer; entry 0 ends each list.
  const heads = new Int32Array(columns + rows + levels + 3);
  const nexts = new Int32Array(count + boundary.length + 1);
  const listed = new Int32Array(count + boundary.length + 1);
  let [entries, found] = [0, 0];
  // The layer of a visited voxel becomes 0 if it is never sealed, and negative if it is sealed.
  let left = count;
  for (let i = 0; i < boundary.length; i++) {
    listed[++entries] = boundary[i];
    nexts[entries] = heads[joinLayers[i]];
    heads[joinLayers[i]] = entries;
    if (layers[boundary[i]] < joinLayers[i]) continue;
    layers[boundary[i]] = 0;
    left--;
  }
  const voxels = new Int32Array(left);
  const openLayers = new Int16Array(left);
  const neighbours = [-1, 1, -columns, columns, -columns * rows, columns * rows];
  for (let layer = 1; layer < heads.length; layer++) {
    while (heads[layer] > 0) {
      const entry = heads[layer];
      heads[layer] = nexts[entry];
      const voxel = listed[entry];
      if (layers[voxel] > 0) {
        layers[voxel] *= -1;
        left--;
      } else if (layers[voxel] < 0 && entry <= boundary.length) continue;
      if (layers[voxel] < 0) {
        voxels[found] = voxel;
        openLayers[found++] = layer;
      }
      for (let side = 0; side < 6; side++) {
        const next = voxel + neighbours[side];
        const own = layers[next];
        if (own <= 0) continue;
        const opening = own < layer ? layer : own;
        layers[next] = own < layer ? -own : 0;
        left--;
        listed[++entries] = next;
        nexts[entries] = heads[opening];
        heads[opening] = entries;
      }
    }
  }
  found += addUnreached(layers, voxels, found, left);
  return { voxels: voxels.subarray(0, found), openLayers, layers };
}

/**
 * Adds the `left` voxels that were not reached, which are never opened, to the `found` ones, and makes the layers of all of them
 * positive again. Returns the number of added voxels.
 */
function addUnreached(layers: Int16Array, voxels: Int32Array, found: number, left: number): number {
  let added = 0;
  for (let voxel = 0; added < left; voxel++) {
    if (layers[voxel] <= 0) continue;
    layers[voxel] *= -1;
    voxels[found + added++] = voxel;
  }
  for (let i = 0; i < found + added; i++) layers[voxels[i]] *= -1;
  return added;
}

/** The air that may be sealed, in layers as thick as a voxel. */
interface LayeredAir {
  /** For every voxel of the grid: its layer, from 1 at the platform, if it may be sealed; else 0. */
  readonly layers: Int16Array;
  /** Number of voxels that may be sealed. */
  readonly count: number;
  /** The voxels among them that are adjacent to open air. */
  readonly boundary: Int32Array;
  /** For each voxel of `boundary`, the layer that connects it to the open air: the later of its own layer and that of its neighbour. */
  readonly joinLayers: Int16Array;
}

function layeredAir(air: AirVoxels, up: Vec3, bottomMm: number): LayeredAir {
  const { kinds, voxelMm, frame, origin } = air;
  const [a, b, c] = [0, 1, 2].map((i) => dot(matrixRow(frame, i), up));
  const ground = (dot(origin, [a, b, c]) - bottomMm) / voxelMm + 0.5;
  const heights: HeightMap = { a, b, c, ground, columns: air.columns, rows: air.rows };
  const layers = new Int16Array(kinds.length);
  const count = setRunLayers(layers, air, heights);
  const closed = setClosedLineLayers(layers, air, heights);
  return { layers, count: count + closed.length, ...findBoundary(layers, [air.boundary, closed], air, heights) };
}

/** The height of voxel (x, y, z) above the platform, in layers: a · x + b · y + c · z + ground. */
interface HeightMap {
  readonly a: number;
  readonly b: number;
  readonly c: number;
  readonly ground: number;
  readonly columns: number;
  readonly rows: number;
}

function voxelHeight(voxel: number, { a, b, c, ground, columns, rows }: HeightMap): number {
  const row = (voxel / columns) | 0;
  return a * (voxel % columns) + b * (row % rows) + c * ((row / rows) | 0) + ground;
}

/** Sets the layers of the air that is on no through line, and counts its voxels above the platform. */
function setRunLayers(layers: Int16Array, { runs }: AirVoxels, heights: HeightMap): number {
  const { a } = heights;
  let count = 0;
  for (let run = 0; run < runs.length; run += 2) {
    const first = runs[run];
    const last = runs[run + 1] - 1;
    const start = voxelHeight(first, heights);
    for (let voxel = first; voxel <= last; voxel++) {
      const height = start + a * (voxel - first);
      if (height < 0) continue;
      layers[voxel] = (height | 0) + 1;
      count++;
    }
  }
  return count;
}

/**
 * Sets the layers of the through lines that the platform closes, and returns their voxels. Every other line has an end that is above
 * the platform and not higher than its voxels, so its air is open.
 */
function setClosedLineLayers(layers: Int16Array, { lines }: AirVoxels, heights: HeightMap): Int32Array {
  const closed = new Int32Array(lines.reduce((sum, { voxels }) => sum + voxels.length, 0));
  let count = 0;
  lines.forEach(({ stride, ends, voxels, lineStarts }, axis) => {
    const slope = [heights.a, heights.b, heights.c][axis];
    for (let line = 0; line + 1 < lineStarts.length; line++) {
      const lower = ends[2 * line + (slope >= 0 ? 0 : 1)];
      const start = voxelHeight(lower, heights);
      if (start >= 0) continue;
      const perVoxel = slope / stride;
      for (let i = lineStarts[line]; i < lineStarts[line + 1]; i++) {
        const height = start + perVoxel * (voxels[i] - lower);
        if (height < 0) continue;
        layers[voxels[i]] = (height | 0) + 1;
        closed[count++] = voxels[i];
      }
    }
  });
  return closed.subarray(0, count);
}

/** The voxels among the given ones that are adjacent to open air, and the layers that connect them to it. */
function findBoundary(
  layers: Int16Array,
  among: readonly Int32Array[],
  { kinds, columns, rows }: AirVoxels,
  heights: HeightMap,
): Pick<LayeredAir, "boundary" | "joinLayers"> {
  const neighbours = [-1, 1, -columns, columns, -columns * rows, columns * rows];
  const most = among.reduce((sum, voxels) => sum + voxels.length, 0);
  const boundary = new Int32Array(most);
  const joinLayers = new Int16Array(most);
  let count = 0;
  for (const voxels of among) {
    for (let i = 0; i < voxels.length; i++) {
      const voxel = voxels[i];
      if (layers[voxel] === 0) continue;
      let lowest = Infinity;
      for (let side = 0; side < 6; side++) {
        const next = voxel + neighbours[side];
        if (layers[next] !== 0 || kinds[next] < OPEN_AIR) continue;
        const height = voxelHeight(next, heights);
        if (height >= 0 && height < lowest) lowest = height;
      }
      if (lowest === Infinity) continue;
      boundary[count] = voxel;
      joinLayers[count++] = Math.max(layers[voxel], (lowest | 0) + 1);
    }
  }
  return { boundary: boundary.subarray(0, count), joinLayers };
}
