import { must } from "../../core/must.ts";
import { boxSize } from "../../geometry/box.ts";
import type { PartLayers } from "../../hold/part-sections.ts";
import { type Surface, triangleCount } from "../../mesh/mesh.ts";
import type { PartFaces } from "../../support/points/part-faces.ts";
import type { WalkedPart } from "../../support/points/walk-part.ts";
import type { SupportedModel } from "../../support/support-model.ts";
import type { SupportRequest } from "../../support/support-request.ts";
import type { BatchItem } from "../../worker/task.ts";
import type { Compute } from "../../worker/compute.ts";
import { computeChunks, firstChunks } from "../chunk-tasks.ts";
import { keptLayers } from "./kept-part.ts";
import {
  finishSupportsTask,
  rasterisePartTask,
  supportBaseTask,
  supportFacesTask,
  supportLayersTask,
  supportModelTask,
  uniteStrutsTask,
  walkSupportsTask,
} from "./task.ts";

/** Processor time of rasterising the layers of a part: of a layer, and of a facet. Within a factor of two for 36,000 to 1.1 million facets. */
const LAYER_MS = 0.15;
const FACET_MS = 0.0007;
/** Processor time of the union of struts, by their facets before it. */
const UNION_MS_PER_FACET = 0.014;

/** Most memory of rasterised layers; the layers above them are rasterised when they are needed. */
const MAX_LAYER_BYTES = 64 * 2 ** 20;

/** Whether several threads make the supports of a part in less time: they start slowly. */
export const paysForThreads = (request: SupportRequest, context: Compute): boolean =>
  context.tasksAtOnce(rasterisePartTask, layerWorkMs(request)) > 1;

function layerWorkMs({ placed, outline, layerThicknessMm }: SupportRequest): number {
  const layerCount = (placed.pose.scale * boxSize(outline.box)[2]) / layerThicknessMm;
  return LAYER_MS * layerCount + FACET_MS * triangleCount(placed.mesh);
}

/** The layers of a part, which several threads rasterise, or those of an earlier request. */
export interface LayersOfPart {
  readonly whole: Promise<PartLayers>;
  /** Before they are rasterised, if they are not of an earlier request. */
  readonly prepared: Promise<PartLayers>;
}

export function layersOnThreads(item: BatchItem<SupportRequest>, context: Compute): LayersOfPart {
  let prepared: Promise<PartLayers> | undefined;
  const whole = keptLayers(item.input, context, async () => {
    prepared = context.compute(supportLayersTask, item);
    return rasterised(await prepared, item, context);
  });
  return { whole, prepared: prepared ?? whole };
}

/** The walk through the layers of a part; its faces are found at the same time as the layers are rasterised. */
export async function walkOnThreads(
  { input, ...share }: BatchItem<SupportRequest>,
  { whole, prepared }: LayersOfPart,
  context: Compute,
): Promise<WalkedPart> {
  const findFaces = async (): Promise<PartFaces> =>
    context.compute(supportFacesTask, { input: { request: input, layers: await prepared }, ...share });
  const [faces, layers] = await Promise.all([findFaces(), whole]);
  return context.compute(walkSupportsTask, { input: { request: input, layers, faces }, ...share });
}

async function rasterised(
  layers: PartLayers,
  { input, ...share }: BatchItem<SupportRequest>,
  context: Compute,
): Promise<PartLayers> {
  const { stack } = layers;
  const tasks = {
    count: stack.chunkCount,
    inputOf: (chunk: number) => ({ input: { stack, chunk }, ...share }),
    workMs: layerWorkMs(input),
  };
  return { ...layers, chunks: await firstChunks(rasterisePartTask, tasks, context, MAX_LAYER_BYTES) };
}

/** The supports of a model; several threads unite the struts of a large tree, while another one builds its raft. */
export async function supportOnThreads(
  { input, ...share }: BatchItem<SupportRequest>,
  context: Compute,
): Promise<SupportedModel> {
  const made = await context.compute(supportModelTask, { input, ...share });
  if (!("groups" in made)) return made;
  const { model, touchpoints, routed, solid, groups } = made;
  const [base, united] = await Promise.all([
    context.compute(supportBaseTask, { input: solid, ...share }),
    unitedGroups(groups, share, context),
  ]);
  const { isLoose, ...body } = await context.compute(finishSupportsTask, { input: { solid, base, united }, ...share });
  return { ...model, supports: { ...body, touchpoints, routed }, isLoose };
}

function unitedGroups(
  groups: readonly (readonly Surface[])[],
  share: Omit<BatchItem<unknown>, "input">,
  context: Compute,
): Promise<Surface[]> {
  const facets = groups.flat().reduce((sum, surface) => sum + triangleCount(surface), 0);
  const tasks = {
    count: groups.length,
    inputOf: (group: number) => ({ input: must(groups[group], "A group of struts"), ...share }),
    workMs: UNION_MS_PER_FACET * facets,
  };
  return Array.fromAsync(computeChunks(uniteStrutsTask, tasks, context));
}
