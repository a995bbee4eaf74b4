import { claimMemory } from "../core/memory-budget.ts";
import { boxSize } from "../geometry/box.ts";
import { orientationScaleKey } from "../geometry/pose.ts";
import { type Mesh, triangleCount } from "../mesh/mesh.ts";
import { cellMmFor } from "../pack/cell-size.ts";
import type { PackRequest } from "../pack/pack-chamber.ts";
import type { PlacedMesh } from "../mesh/placed-mesh.ts";
import type { StackRequest } from "../slice/stack.ts";
import { BYTES_PER_FACET } from "./bytes-per-facet.ts";
import type { TaskInput, TaskName } from "./tasks.ts";

/**
 * What tasks take beyond the memory of their input: measured peaks of single tasks on spheres of 200,000 and 1,000,000 facets, and on
 * pictures of 4096 pixels (`bun run bench memory-needs`). Files claim theirs by their counts (`format/model-size.ts`).
 */
const BASE_BYTES = 24 * 2 ** 20;

/** The name and pose of a body in a file. */
const BYTES_PER_WRITTEN_BODY = 3000;
/** A facet of a copy while a picture is drawn, and in the index of the facets that layers cut. */
const BYTES_PER_COPIED_FACET = 1;
const BYTES_PER_INDEXED_FACET = 6;
/** A picture while it is drawn and encoded. */
const BYTES_PER_PIXEL = 22;
/** A frame of an animation, encoded: about as many in pictures of 820 and of 4096 pixels. */
const ENCODED_BYTES_PER_PIXEL = 0.03;
/** Depths of voxels while a slab of a cavity is computed, and in its field. */
const BYTES_PER_SLAB_VOXEL = 12;
const BYTES_PER_FIELD_VOXEL = 2;
/** The cells of two chambers in all levels, and what else a packing takes for any parts. */
const CHAMBER_BYTES = 125 * 2 ** 20;
/** A part in a chamber. */
const BYTES_PER_PACKED_PART = 2000;
/** A facet of a mesh in each orientation in which it is placed, of at most so many. */
const BYTES_PER_TURNED_FACET = 60;
const MOST_ORIENTATIONS = 48;
/** Parts that are alike share their fields, and their cells in all orientations: bytes for each cell of their box, and of a side of it. */
const BYTES_PER_PART_CELL = 24;
const BYTES_PER_FACE_CELL = 2500;
/** A cell of the largest part while its field is made. */
const BYTES_PER_FIELD_CELL = 90;
/** The rasters of a model that gets supports, or whose hold is checked: at most as many pixels as `overhangPixelMm` allows, of nine bytes. */
const SUPPORT_RASTER_BYTES = 140 * 2 ** 20;

type Batched<Input> = { readonly input: Input };
type Needs = { readonly [Name in TaskName]?: (input: TaskInput<Name>) => number };

const ofMesh =
  (bytesPerFacet: number) =>
  ({ input }: Batched<Mesh>): number =>
    bytesPerFacet * triangleCount(input);
const ofItsMesh =
  (bytesPerFacet: number, more = 0) =>
  ({ input: { mesh } }: Batched<{ readonly mesh: Mesh }>): number =>
    bytesPerFacet * triangleCount(mesh) + more;

/** Facets of the different meshes among those placed. */
const distinctFacets = (placed: readonly { readonly mesh: Mesh }[]): number =>
  new Map(placed.map(({ mesh }) => [mesh.hash, mesh])).values().reduce((sum, mesh) => sum + triangleCount(mesh), 0);

/** Meshes are prepared once for all their copies; of each copy it is known which facets are seen. */
const bodyBytes = (items: readonly { readonly mesh: Mesh }[]): number =>
  BYTES_PER_FACET.prepareBody * distinctFacets(items) +
  BYTES_PER_COPIED_FACET * items.reduce((sum, { mesh }) => sum + triangleCount(mesh), 0);

/** Copies that differ in x and y alone share the index of their facets by height. */
function indexedFacets(placed: readonly PlacedMesh[]): number {
  const heights = new Map(
    placed.map(({ mesh, pose }) => [`${orientationScaleKey(mesh.hash, pose)} ${pose.position[2]}`, mesh]),
  );
  return heights.values().reduce((sum, mesh) => sum + triangleCount(mesh), 0);
}

const stackBytes = ({ placed }: Pick<StackRequest, "placed">): number =>
  BYTES_PER_FACET.prepareStack * distinctFacets(placed) + BYTES_PER_INDEXED_FACET * indexedFacets(placed);

/** The most bytes that each task will take beyond what its input and the process hold. Tasks that stay small have no entry. */
const NEEDS: Needs = {
  exportFile: ({ bodies }) =>
    BYTES_PER_FACET.exportFile * distinctFacets(bodies) + BYTES_PER_WRITTEN_BODY * bodies.length,
  repairMesh: ofMesh(BYTES_PER_FACET.repairMesh),
  countBodies: ofMesh(BYTES_PER_FACET.countBodies),
  splitBodies: ofItsMesh(BYTES_PER_FACET.splitBodies),
  checkManifoldness: ofMesh(BYTES_PER_FACET.checkManifoldness),
  findDefectPlaces: ofItsMesh(BYTES_PER_FACET.findDefectPlaces),
  findOutsidePlaces: ({ input: { bodies } }) => BYTES_PER_FACET.findOutsidePlaces * distinctFacets(bodies),
  buildMeshTree: ofMesh(BYTES_PER_FACET.buildMeshTree),
  computeOutlines: (inputs) => BYTES_PER_FACET.computeOutlines * mostFacets(inputs),
  rescaleMeshes: (inputs) => BYTES_PER_FACET.rescaleMeshes * distinctFacets(inputs),
  computeSilhouette: ofItsMesh(BYTES_PER_FACET.computeSilhouette),
  orientModel: ofItsMesh(BYTES_PER_FACET.orientModel),
  supportModel: ({ input: { placed } }) =>
    BYTES_PER_FACET.supportModel * triangleCount(placed.mesh) + SUPPORT_RASTER_BYTES,
  checkHold: ({ placed, supports }) =>
    BYTES_PER_FACET.checkHold * (triangleCount(placed.mesh) + (supports ? triangleCount(supports.placed.mesh) : 0)) +
    SUPPORT_RASTER_BYTES,
  makeDentalModel: ofItsMesh(BYTES_PER_FACET.makeDentalModel),
  labelModel: ofItsMesh(BYTES_PER_FACET.labelModel),
  drillModel: ofItsMesh(BYTES_PER_FACET.drillModel),
  planHollow: ofItsMesh(BYTES_PER_FACET.planHollow),
  fillCavity: ({ input: { plan } }) => BYTES_PER_SLAB_VOXEL * slabVoxels(plan.grid, plan.bounds),
  composeCavity: ({ input: { field } }) => BYTES_PER_FIELD_VOXEL * voxelsOf(field),
  hollowModel: ({ input: { plan } }) => BYTES_PER_FACET.hollowModel * triangleCount(plan.request.mesh),
  checkThinFeatures: ofItsMesh(BYTES_PER_FACET.checkThinFeatures),
  packCage: ({ input: { request } }) => packingBytes(request),
  packChamber: ({ input }) => packingBytes(input),
  fillChamber: ({ sources, maxCopies, ...chamber }) => packingBytes({ ...chamber, parts: sources }, maxCopies),
  leavesNoPixel: ({ input }) => stackBytes(input),
  prepareStack: stackBytes,
  clusterVertices: ({ mesh }) => BYTES_PER_FACET.clusterVertices * triangleCount(mesh),
  renderPicture: ({ scene, framing }) => bodyBytes(scene.items) + BYTES_PER_PIXEL * framing.sizePx ** 2,
  renderThumbnails: ({ scene }) => bodyBytes(scene.items),
  prepareFlyaround: ({ scene, framing, frameCount }) =>
    bodyBytes(scene.items) + (BYTES_PER_PIXEL + ENCODED_BYTES_PER_PIXEL * frameCount) * framing.sizePx ** 2,
  renderFrames: ({ flyaround: { frames } }) => BYTES_PER_PIXEL * frames[0].frame.width * frames[0].frame.height,
};

/** `moreCopies`: of all parts together, at most. */
function packingBytes(
  { parts, obstacles, spacingMm }: Pick<PackRequest, "parts" | "obstacles" | "spacingMm">,
  moreCopies = 0,
): number {
  const bodies = [...parts, ...obstacles];
  const cellMm = cellMmFor(parts, spacingMm);
  const kinds = new Map(bodies.map((body) => [orientationScaleKey(body.mesh.hash, body.pose), body]));
  const turnedFacets = Map.groupBy(bodies, ({ mesh }) => mesh.hash)
    .values()
    .reduce((sum, alike) => {
      const orientations = Math.min(MOST_ORIENTATIONS, alike.length + moreCopies);
      return sum + orientations * triangleCount(alike[0].mesh);
    }, 0);
  // Others look at the field of a part as far as the spacing and about two cells.
  const cells = [...kinds.values()].map(({ mesh, pose }) =>
    boxSize(mesh.box).reduce((count, mm) => count * ((mm * pose.scale + 2 * spacingMm) / cellMm + 4), 1),
  );
  return (
    CHAMBER_BYTES +
    BYTES_PER_PACKED_PART * (bodies.length + moreCopies) +
    BYTES_PER_FACET.packChamber * distinctFacets(bodies) +
    BYTES_PER_TURNED_FACET * turnedFacets +
    BYTES_PER_FIELD_CELL * cells.reduce((most, count) => Math.max(most, count), 0) +
    cells.reduce((sum, count) => sum + BYTES_PER_PART_CELL * count + BYTES_PER_FACE_CELL * Math.cbrt(count) ** 2, 0)
  );
}

const mostFacets = (bodies: readonly { readonly mesh: Mesh }[]): number =>
  bodies.reduce((most, { mesh }) => Math.max(most, triangleCount(mesh)), 0);

interface Grid {
  readonly columns: number;
  readonly rows: number;
  readonly layers: number;
}

const voxelsOf = ({ columns, rows, layers }: Grid): number => columns * rows * layers;

/** Voxels of the thickest slab of a plan. */
const slabVoxels = (grid: Grid, bounds: readonly number[]): number =>
  voxelsOf({ ...grid, layers: bounds.slice(1).reduce((most, bound, i) => Math.max(most, bound - bounds[i]), 0) });

/** The most bytes that a task will take beyond its input; undefined where it stays small. */
export function taskBytes<Name extends TaskName>(task: Name, input: TaskInput<Name>): number | undefined {
  const need = (NEEDS[task] as ((input: TaskInput<Name>) => number) | undefined)?.(input);
  return need === undefined ? undefined : BASE_BYTES + need;
}

/** Claims what a task will take. Throws `MemoryError` where it cannot be had. */
export function claimTaskMemory<Name extends TaskName>(task: Name, input: TaskInput<Name>): void {
  const bytes = taskBytes(task, input);
  if (bytes === undefined) return;
  claimMemory({ bytes, what: "This work", wayOut: "use fewer or coarser models, or smaller pictures" });
}
