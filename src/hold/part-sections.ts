import type { Progress } from "../core/progress.ts";
import { type Box, boxOf } from "../geometry/box.ts";
import type { SpanGrid, SpanLayer } from "../geometry/spans.ts";
import type { Vec3 } from "../geometry/vector.ts";
import { bareMesh } from "../mesh/filled-mesh.ts";
import type { Surface } from "../mesh/mesh.ts";
import type { PlacedMesh } from "../mesh/placed-mesh.ts";
import { overhangPixelMm } from "../slice/overhang/overhang-pixel.ts";
import { placedSolidSurface } from "../slice/overhang/overhangs.ts";
import { type KnownLayers, layersOfStack, spanChunk } from "../slice/span-chunks.ts";
import { spanGridOver, stackOnGrid } from "../slice/span-layers.ts";
import type { Stack } from "../slice/stack.ts";
import { midHeightsMm } from "../slice/layer-heights.ts";
import { SectionRecorder, type Sections } from "./sections.ts";

export interface PartSections {
  readonly sections: Sections;
  /** The region of each point; −1 where a point has none. */
  readonly regions: Int32Array;
}

/** A part at the centre of the platform, and its layers for islands and sections. */
export interface PartLayers extends KnownLayers {
  /** The solid of the part. */
  readonly surface: Surface;
}

/** Shares of the progress: of {@link partLayers} at which the solid is known, of {@link partSections} at which the stack is prepared. */
const SOLID_SHARE = 0.7;
const PREPARED_SHARE = 0.4;

/** The layers of a part, of which none is rasterised yet. */
export function partLayers(part: PlacedMesh, boundariesMm: Float64Array, progress: Progress): PartLayers {
  const placed = atCentre(part);
  const surface = placedSolidSurface(placed, progress.part(0, SOLID_SHARE));
  const grid = sectionGrid(overhangGrid(boxOf(surface.vertices)));
  return {
    surface,
    stack: stackOnGrid({ placed: [placed], boundariesMm, grid }, progress.part(SOLID_SHARE, 1)),
    chunks: [],
  };
}

/** At the centre of the platform rounding does not depend on the place of a part. Without infill, which supports do not know. */
export const atCentre = ({ mesh, pose }: PlacedMesh): PlacedMesh => ({
  mesh: bareMesh(mesh),
  pose: { ...pose, position: [0, 0, pose.position[2]] },
});

/** Every pixel that a part touches belongs to its layers. */
const MIN_COVERAGE = 1;

/** Rasterises a chunk of the layers of a part. */
export const rasterisePart = (
  { stack, chunk }: { readonly stack: Stack; readonly chunk: number },
  progress: Progress,
): Uint32Array => spanChunk(stack, chunk, MIN_COVERAGE, () => progress.report(chunk / stack.chunkCount));

/** The layers of a part from the lowest up. */
export const layersOfPart = (layers: KnownLayers, progress: Progress): Generator<SpanLayer> =>
  layersOfStack(layers, MIN_COVERAGE, progress);

/**
 * The sections of a part in its layers, and the regions that points on its surface touch. `known`: the {@link partLayers} of the part
 * with these boundaries, if other threads have made them.
 */
export function partSections(
  part: PlacedMesh,
  boundariesMm: Float64Array,
  points: readonly Vec3[],
  progress: Progress,
  known?: PartLayers,
): PartSections {
  const [x, y] = part.pose.position;
  const { surface, ...layers } = known ?? partLayers(part, boundariesMm, progress.part(0, PREPARED_SHARE));
  const grid = sectionGrid(overhangGrid(boxOf(surface.vertices)));
  const centred = points.map((point): Vec3 => [point[0] - x, point[1] - y, point[2]]);
  const recorder = new SectionRecorder(grid, midHeightsMm(boundariesMm), centred);
  for (const layer of layersOfPart(layers, progress.part(PREPARED_SHARE, 1))) recorder.addLayer(layer);
  return { sections: recorder.build([x, y]), regions: recorder.regions };
}

/** The grid of overhang distances over a part. */
export const overhangGrid = (box: Box): SpanGrid => spanGridOver(box, overhangPixelMm(box));

/** Islands and sections are found at twice the resolution of overhang distances. */
export const sectionGrid = (grid: SpanGrid): SpanGrid => ({
  ...grid,
  columns: 2 * grid.columns,
  rows: 2 * grid.rows,
  pixelMm: grid.pixelMm / 2,
});
