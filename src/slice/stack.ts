import { getOrInsert } from "../core/memoize.ts";
import type { Progress } from "../core/progress.ts";
import { toSharedMemory } from "../core/typed-arrays.ts";
import { upperBound } from "../geometry/binary-search.ts";
import { boxCentre } from "../geometry/box.ts";
import type { BuildVolume } from "../geometry/build-volume.ts";
import { orientationKey, toSceneSpace } from "../geometry/pose.ts";
import type { Mesh } from "../mesh/mesh.ts";
import type { PlacedMesh } from "../mesh/placed-mesh.ts";
import { type InfillColumns, infillColumns } from "./infill/infill-columns.ts";
import type { StackInfill } from "./infill/infill-outlines.ts";
import { midHeightsMm } from "./layer-heights.ts";
import { type PixelGrid, type RasterTransform, TRANSFORM_LENGTH, meshToRaster } from "./pixel-grid.ts";
import { type RepairedSolid, repairedSolid } from "./repaired-solid.ts";
import { sortedByBodies } from "./sorted-by-bodies.ts";
import { type LatticeStack, type PlacedLattice, prepareLattices } from "./struts/lattice-stack.ts";

/** Meshes whose union is sliced, the heights of the layers and the grid of their pixels. */
export interface StackRequest {
  readonly placed: readonly PlacedMesh[];
  /** Lattices of struts, which are united with the meshes in the grey layers, and left out of spans; none if absent. */
  readonly lattices?: readonly PlacedLattice[] | undefined;
  /** Layer k reaches from entry k to entry k + 1; ascending, from 0. */
  readonly boundariesMm: Float64Array;
  readonly grid: PixelGrid;
  /** Clips all layers to this volume. Absent if every mesh is inside of it. */
  readonly clipTo?: BuildVolume | undefined;
  /** Which of `placed` are supports that are drawn without grey (`supports-without-grey.ts`); none if absent. */
  readonly isSupport?: readonly boolean[] | undefined;
  /** How far edges are moved; not at all if absent. */
  readonly edges?: EdgeShifts | undefined;
  /** Whether layers are drawn by the volume of each pixel (`rasterise-volume.ts`), not by the area at their middle. */
  readonly byVolume?: boolean | undefined;
}

/** How far the edges of layers are moved, against what they grow in print. */
export interface EdgeShifts {
  /** Of each layer, outwards; negative: inwards. */
  readonly shiftsMm: Float64Array;
  /** Standard deviation of the blur of the light; absent if not known. */
  readonly blurMm?: number | undefined;
  /** The share of it of faces that look down, where over-cure is corrected, too (`over-cure/slope-shares.ts`); 1 if absent. */
  readonly slopeShares?: Float64Array | undefined;
}

/**
 * A prepared request: any thread can draw any chunk of its layers. Arrays whose size grows with the number of models or facets are in
 * shared memory. A "model" is a mesh with a pose; equal meshes with equal poses count as one model.
 */
export interface Stack {
  /** One for each different mesh. */
  readonly solids: readonly RepairedSolid[];
  /** Index of each model's solid. */
  readonly solidOf: Uint32Array;
  /** The facets that each chunk cuts. Models of the same solid at the same height share an entry. */
  readonly index: FacetIndex;
  /** The entry of each model in the index. */
  readonly entryOf: Uint32Array;
  /** The {@link RasterTransform} of each model. */
  readonly transforms: Float64Array;
  readonly lattices?: readonly LatticeStack<Stack>[] | undefined;
  readonly grid: PixelGrid;
  readonly clipTo?: BuildVolume | undefined;
  /** Of models with infill; absent if there are none. */
  readonly infills?: readonly StackInfill[] | undefined;
  /** 1 for each model that is a support without grey; absent if there is none. */
  readonly isSupport?: Uint32Array | undefined;
  readonly edges?: EdgeShifts | undefined;
  /** For layers by volume: the first facet of each body of each solid, whose facets are sorted by bodies, ascending. Absent otherwise. */
  readonly bodyStarts?: readonly Uint32Array[] | undefined;
  readonly boundariesMm: Float64Array;
  /** Layers of a chunk; the last chunk may have fewer. */
  readonly chunkSize: number;
  readonly chunkCount: number;
}

/**
 * The facets that the sampling planes of each chunk of layers cut, or that meet the layers of each chunk, of the one below and of the one
 * above if these are drawn by volume. With n chunks, entry e starts at e · (n + 1).
 */
interface FacetIndex {
  /** The facets of chunk c in entry e are `facets[starts[e · (n + 1) + c]]` … `[starts[e · (n + 1) + c + 1] - 1]`, ascending. */
  readonly starts: Uint32Array;
  readonly facets: Uint32Array;
}

/** Large enough that the start of a chunk costs little, small enough that all threads end at about the same time. */
const CHUNK_LAYERS = 24;
/** Encoded layers of a full plate on larger panels have 2 MB each, and several chunks are in memory. Costs 2 % of the time there. */
const LARGE_PANEL = { pixels: 2 ** 25, chunkLayers: 8 } as const;

const chunkLayersOf = ({ pixels: [x, y] }: PixelGrid): number =>
  x * y > LARGE_PANEL.pixels ? LARGE_PANEL.chunkLayers : CHUNK_LAYERS;

/** Fraction of one mesh's progress for the repair; the index of its facets takes the rest. */
const REPAIR_SHARE = 0.6;

/** Does once what all chunks need: repairs the meshes, computes their transforms and indexes the facets of each chunk. */
export function prepareStack(request: StackRequest, progress: Progress): Stack {
  const { placed, boundariesMm, grid, clipTo, edges, byVolume = false } = request;
  const heights = byVolume ? slabsOf(boundariesMm) : planesOf(boundariesMm);
  const chunkSize = chunkLayersOf(grid);
  const indexByKey = new Map<string, number>();
  const solids: RepairedSolid[] = [];
  const bodyStarts: Uint32Array[] = [];
  const solidOfMesh = (mesh: Mesh, progress: Progress): RepairedSolid => {
    const solid = repairedSolid(mesh, progress);
    if (!byVolume) return solid;
    const sorted = sortedByBodies(solid);
    bodyStarts.push(sorted.bodyStarts);
    return sorted.solid;
  };
  const indices: FacetIndex[] = [];
  const models = new Map<string, StackModel>();
  placed.forEach((one, i) => {
    const { mesh } = one;
    const meshProgress = progress.part(i / placed.length, (i + 1) / placed.length);
    meshProgress.report(0);
    const transform = meshToRaster(one, grid);
    const isSupport = request.isSupport?.[i] === true;
    const place = [mesh.hash, ...transform, isSupport].join(" ");
    if (models.has(place)) return;
    const solid = getOrInsert(
      indexByKey,
      mesh.hash,
      () => solids.push(solidOfMesh(mesh, meshProgress.part(0, REPAIR_SHARE))) - 1,
    );
    // The last row of the transform gives heights: models that differ in x and y alone have the same facets in a chunk.
    const heightKey = [mesh.hash, ...transform.subarray(8)].join(" ");
    const entry = getOrInsert(indexByKey, heightKey, () => {
      const indexing = meshProgress.part(REPAIR_SHARE, 1);
      return indices.push(indexFacets(solids[solid], transform, heights, chunkSize, indexing)) - 1;
    });
    models.set(place, { placed: one, solid, entry, transform, isSupport });
  });
  const all = [...models.values()];
  return {
    solids,
    solidOf: toSharedMemory(Uint32Array.from(all, ({ solid }) => solid)),
    index: joinIndices(indices),
    entryOf: toSharedMemory(Uint32Array.from(all, ({ entry }) => entry)),
    transforms: toSharedMemory(Float64Array.from(all.flatMap(({ transform }) => [...transform]))),
    ...(request.lattices && {
      lattices: prepareLattices<Stack>(
        {
          lattices: request.lattices,
          boundariesMm,
          grid,
          chunkSize,
          prepareSolid: (solid) => prepareStack({ placed: [solid], boundariesMm, grid }, progress.silent()),
        },
        progress.silent(),
      ),
    }),
    grid,
    clipTo,
    ...infillsOf(all, progress.silent()),
    isSupport: all.some(({ isSupport }) => isSupport)
      ? // The models that keep thin walls are of the same kind as those of the walls.
        toSharedMemory(Uint32Array.from(edges ? [...all, ...all] : all, ({ isSupport }) => Number(isSupport)))
      : undefined,
    edges: edges && { ...edges, shiftsMm: toSharedMemory(edges.shiftsMm) },
    ...(byVolume && { bodyStarts }),
    boundariesMm: toSharedMemory(boundariesMm),
    chunkSize,
    chunkCount: Math.ceil(heights.layers / chunkSize),
  };
}

interface StackModel {
  readonly placed: PlacedMesh;
  readonly solid: number;
  readonly entry: number;
  readonly transform: RasterTransform;
  readonly isSupport: boolean;
}

function infillsOf(models: readonly StackModel[], progress: Progress): Pick<Stack, "infills"> {
  const known = new Map<string, InfillColumns>();
  const infills = models.flatMap(({ placed: { mesh, pose } }, model): StackInfill[] => {
    const { infill } = mesh;
    if (!infill) return [];
    const key = [orientationKey(mesh.hash, pose.orientation), pose.scale].join(" ");
    const columns = getOrInsert(known, key, () => infillColumns(infill, pose, progress));
    const { kind, cellMm, wallMm, cavity } = infill;
    return [{ model, kind, cellMm, wallMm, columns, centreMm: toSceneSpace({ mesh, pose }, boxCentre(cavity.box)) }];
  });
  return infills.length === 0 ? {} : { infills };
}

export const layerCountOf = ({ boundariesMm }: Stack): number => Math.max(0, boundariesMm.length - 1);

/** The layers of a chunk, from the lowest up. */
export function layersOfChunk(stack: Stack, chunk: number): number[] {
  const first = chunk * stack.chunkSize;
  return Array.from({ length: Math.min(stack.chunkSize, layerCountOf(stack) - first) }, (_, i) => first + i);
}

export const transformOf = ({ transforms }: Stack, model: number): RasterTransform =>
  transforms.subarray(TRANSFORM_LENGTH * model, TRANSFORM_LENGTH * (model + 1));

/** The facets of a model that a chunk cuts. */
export function facetsOf({ index, entryOf, chunkCount }: Stack, model: number, chunk: number): Uint32Array {
  const at = entryOf[model] * (chunkCount + 1) + chunk;
  return index.facets.subarray(index.starts[at], index.starts[at + 1]);
}

const FACETS_PER_REPORT = 65_536;

/** Which layers a facet belongs to, by heights that ascend. */
interface LayerHeights {
  readonly layers: number;
  readonly heightsMm: Float64Array;
  /** The first layer of a facet whose lowest corner is below this height, and the one after the last by that of its highest corner. */
  first(heightAbove: number): number;
  end(heightAbove: number): number;
}

/** A plane cuts a facet that has a corner below the plane and one on it or above. */
function planesOf(boundariesMm: Float64Array): LayerHeights {
  const heightsMm = midHeightsMm(boundariesMm);
  return { layers: heightsMm.length, heightsMm, first: (above) => above, end: (above) => above };
}

/** The layers that a facet meets, the one below and the one above: a layer is drawn with the middles of its neighbours. */
function slabsOf(heightsMm: Float64Array): LayerHeights {
  const layers = Math.max(0, heightsMm.length - 1);
  return {
    layers,
    heightsMm,
    first: (above) => Math.max(0, above - 2),
    end: (above) => Math.min(layers, above + 1),
  };
}

/** An index of one entry. Chunk c holds the layers from `chunkSize` · c on. Not `bucketBy`: a facet belongs to every chunk that it passes through. */
function indexFacets(
  { vertices, triangles }: RepairedSolid,
  transform: RasterTransform,
  { layers, heightsMm, first: firstLayer, end: endLayer }: LayerHeights,
  chunkSize: number,
  progress: Progress,
): FacetIndex {
  const planeAbove = planesAbove(vertices, transform, heightsMm);
  const chunks = Math.ceil(layers / chunkSize);
  const facetCount = triangles.length / 3;
  const starts = new Uint32Array(chunks + 2);
  const firstChunk = new Uint16Array(facetCount);
  const endChunk = new Uint16Array(facetCount);
  for (let facet = 0; facet < facetCount; facet++) {
    if (facet % FACETS_PER_REPORT === 0) progress.report(facet / facetCount);
    const a = planeAbove[triangles[3 * facet]];
    const b = planeAbove[triangles[3 * facet + 1]];
    const c = planeAbove[triangles[3 * facet + 2]];
    const first = firstLayer(a < b ? (a < c ? a : c) : b < c ? b : c);
    const end = endLayer(a > b ? (a > c ? a : c) : b > c ? b : c);
    if (first >= end) continue;
    firstChunk[facet] = Math.floor(first / chunkSize);
    endChunk[facet] = Math.floor((end - 1) / chunkSize) + 1;
    for (let chunk = firstChunk[facet]; chunk < endChunk[facet]; chunk++) starts[chunk + 2]++;
  }
  for (let chunk = 2; chunk < starts.length; chunk++) starts[chunk] += starts[chunk - 1];
  progress.report(1);
  const facets = new Uint32Array(starts[chunks + 1]);
  // While facets are placed, starts[c + 1] is the next free place of chunk c; at the end it is the start of chunk c + 1.
  for (let facet = 0; facet < facetCount; facet++) {
    for (let chunk = firstChunk[facet]; chunk < endChunk[facet]; chunk++) facets[starts[chunk + 1]++] = facet;
  }
  return { starts: starts.subarray(0, chunks + 1), facets };
}

/** Joins the entries of several indices, in their order, in shared memory. */
function joinIndices(indices: readonly FacetIndex[]): FacetIndex {
  const total = (pick: (index: FacetIndex) => Uint32Array): number =>
    indices.reduce((sum, index) => sum + pick(index).length, 0);
  const starts = new Uint32Array(new SharedArrayBuffer(4 * total((index) => index.starts)));
  const facets = new Uint32Array(new SharedArrayBuffer(4 * total((index) => index.facets)));
  let entryAt = 0;
  let facetsAt = 0;
  for (const index of indices) {
    facets.set(index.facets, facetsAt);
    for (const start of index.starts) starts[entryAt++] = facetsAt + start;
    facetsAt += index.facets.length;
  }
  return { starts, facets };
}

/** The first plane above each vertex; the number of planes if there is none. A search for each vertex: there are six times as many corners. */
function planesAbove(
  vertices: RepairedSolid["vertices"],
  transform: RasterTransform,
  planesMm: Float64Array,
): Uint32Array {
  const above = new Uint32Array(vertices.length / 3);
  const [x, y, z, offset] = transform.subarray(8);
  for (let v = 0; v < above.length; v++) {
    const heightMm = x * vertices[3 * v] + y * vertices[3 * v + 1] + z * vertices[3 * v + 2] + offset;
    above[v] = upperBound(planesMm, heightMm);
  }
  return above;
}
