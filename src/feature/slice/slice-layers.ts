import { layerFactors } from "../../catalog/shrink-factors.ts";
import { runStepwise } from "../../core/steps.ts";
import { startEarly } from "../../core/start-early.ts";
import type { JobFormat } from "../../job/job-writers.ts";
import { printedBoundariesOf } from "../../scene/layers.ts";
import type { PlacedMesh } from "../../mesh/placed-mesh.ts";
import { isInBounds } from "../../scene/placement.ts";
import { type Scene, printedBodies } from "../../scene/project.ts";
import type { LayerMeasures } from "../../slice/print-time.ts";
import { measuringGrid } from "../../slice/pixel-grid.ts";
import { regridStack } from "../../slice/regrid-stack.ts";
import type { Stack, StackRequest } from "../../slice/stack.ts";
import type { RasteriseRequest, RasterisedLayers } from "./rasterise-layers.ts";
import type { Compute } from "../../worker/compute.ts";
import { type Chunks, computeChunks } from "../chunk-tasks.ts";
import { curedLayers } from "./cured-layers.ts";
import { edgeShiftsOf } from "./edge-growth.ts";
import { layerCureOf } from "./over-cure-of-setting.ts";
import { prepareStackTask, rasteriseLayersTask } from "./task.ts";

/** How the layers of a job are drawn. */
export interface LayerDrawing {
  /** Whether pixels that only supports cover are white or black. */
  readonly supportsWithoutGrey?: boolean | undefined;
  /** Whether pixels have their shares of volume within a layer, not of the area at its middle. */
  readonly byVolume?: boolean | undefined;
}

/** The form of the layers of a job. */
export interface LayerForm extends Pick<RasteriseRequest, "greys">, LayerDrawing {
  readonly format: JobFormat;
}

/**
 * Slices a scene on all threads, and encodes its layers for a job if their form is given. Yields the chunks of layers in their
 * order; only a few of them are in memory at once. The first ones are made from the call on, while the caller still does other work.
 */
export const sliceLayers = (
  scene: Scene,
  context: Compute,
  form?: LayerForm,
): AsyncIterableIterator<RasterisedLayers> => startEarly(slicedLayers(scene, context, form));

async function* slicedLayers(
  scene: Scene,
  context: Compute,
  form: LayerForm | undefined,
): AsyncGenerator<RasterisedLayers> {
  const request = await stackRequestOf(scene, form);
  const grid = form ? request.grid : measuringGrid(request.grid);
  const stack = await context.compute(prepareStackTask, { ...request, grid });
  const cure = form && layerCureOf(scene.setting, request.boundariesMm);
  if (!cure) return yield* computeChunks(rasteriseLayersTask, chunksOf(stack, form), context);
  const supports = await supportStackOf(scene, request, context);
  const { workMs } = chunksOf(stack, form);
  yield* curedLayers({ stack, supports, cure, format: form.format, greys: form.greys, workMs }, context);
}

/** The supports of a scene alone, as its layers have them; undefined if it has none. */
async function supportStackOf(
  { models }: Scene,
  { boundariesMm, grid }: StackRequest,
  { compute }: Compute,
): Promise<Stack | undefined> {
  const supports = models.flatMap((model) => printedBodies(model).filter((body) => body !== model));
  if (supports.length === 0) return undefined;
  return compute(prepareStackTask, { placed: supports.map(({ mesh, pose }) => ({ mesh, pose })), boundariesMm, grid });
}

/**
 * Processor time of slicing, ms: of a layer at the pixels of a display and at those of a measurement, and of a facet in each chunk that it
 * passes through. Within a factor of two for parts of 1,500 to 1 million facets.
 */
const ENCODED_LAYER_MS = 0.6;
const MEASURED_LAYER_MS = 0.05;
const FACET_OF_CHUNK_MS = 0.0015;
/** Layers by volume take so many times as long (`bun run bench job-volume`). */
const VOLUME_FACTOR = 4;

/** The tasks that draw a stack. */
const chunksOf = (stack: Stack, form?: LayerForm): Chunks<RasteriseRequest> => ({
  count: stack.chunkCount,
  inputOf: (chunk) => ({ stack, chunk, format: form?.format, greys: form?.greys }),
  workMs:
    (form?.byVolume === true ? VOLUME_FACTOR : 1) *
    ((form ? ENCODED_LAYER_MS : MEASURED_LAYER_MS) * (stack.boundariesMm.length - 1) +
      FACET_OF_CHUNK_MS * stack.index.facets.length),
});

/** The stack of a scene. Its layers are drawn as seen from above, for any machine: x to the right, y up. */
export async function stackFromAbove(scene: Scene, context: Compute): Promise<Stack> {
  const request = await stackRequestOf(scene);
  return context.compute(prepareStackTask, {
    ...request,
    grid: { ...request.grid, mirrorX: false, mirrorY: false, portrait: false },
  });
}

/** The measures of all layers of a stack. */
export async function measureLayers(stack: Stack, context: Compute): Promise<LayerMeasures> {
  const coarse = regridStack(stack, measuringGrid(stack.grid));
  const measures = emptyMeasures(stack.boundariesMm);
  for await (const layers of computeChunks(rasteriseLayersTask, chunksOf(coarse), context)) {
    recordMeasures(measures, layers);
  }
  return measures;
}

/** All models, also hidden ones, clipped to the build volume; for a job with the corrections of edges. Moved edges have no volumes. */
async function stackRequestOf(scene: Scene, drawing?: LayerDrawing): Promise<StackRequest> {
  const { supportsWithoutGrey = false, byVolume = false } = drawing ?? {};
  const { models, setting } = scene;
  const { raster, volume } = setting.printerType;
  const bodies = models.flatMap((model) =>
    printedBodies(model).map(({ mesh, pose }) => ({ mesh, pose, isSupport: mesh !== model.mesh })),
  );
  const drawn = bodies.flatMap((body) => meshInLayers(body) ?? []);
  const lattices = bodies.flatMap(({ mesh, pose }) =>
    (mesh.latticed?.lattices ?? []).map((lattice) => ({ lattice, mesh: { box: mesh.box }, pose })),
  );
  const enlarged = layerFactors(setting);
  const boundariesMm = await runStepwise(printedBoundariesOf(scene));
  const edges = drawing && edgeShiftsOf(setting, boundariesMm.length - 1);
  return {
    placed: drawn.map(({ mesh, pose }) => ({ mesh, pose })),
    ...(lattices.length > 0 && { lattices }),
    ...(supportsWithoutGrey && { isSupport: drawn.map(({ isSupport }) => isSupport) }),
    byVolume: byVolume && edges === undefined,
    edges,
    boundariesMm,
    grid: enlarged.every((factor) => factor === 1) ? raster : { ...raster, enlarged },
    ...(models.some((model) => !isInBounds(model, setting)) && { clipTo: volume }),
  };
}

/** The body with the mesh that layers have of it: beside lattices it is another one, with the box of the whole. Undefined if there is none. */
function meshInLayers<Body extends PlacedMesh>(body: Body): Body | undefined {
  const { latticed, box } = body.mesh;
  if (!latticed) return body;
  return latticed.skin && { ...body, mesh: { ...latticed.skin, box } };
}

/** Measures of the layers between these boundaries, to be filled by {@link recordMeasures}. */
export function emptyMeasures(boundariesMm: Float64Array): LayerMeasures {
  const count = boundariesMm.length - 1;
  return { boundariesMm, areasMm2: new Float64Array(count), perimetersMm: new Float64Array(count) };
}

export function recordMeasures(measures: LayerMeasures, { first, areasMm2, perimetersMm }: RasterisedLayers): void {
  measures.areasMm2.set(areasMm2, first);
  measures.perimetersMm.set(perimetersMm, first);
}
