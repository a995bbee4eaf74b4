import type { GroupCheck, LayerFindings } from "../../check/check-group.ts";
import { triangleCount } from "../../mesh/mesh.ts";
import { type Compute, whileHeld } from "../../worker/compute.ts";
import type { SharedWork } from "../../worker/shared-results.ts";
import { firstChunks } from "../chunk-tasks.ts";
import { checkGroupTask, concludeGroupTask, examineChunkTask, prepareGroupTask } from "./task.ts";

/** Checks with less work are one task. */
const LEAST_DIVIDED_MS = 300;

/** Memory of the parts of a check. Chunks beyond are examined when the findings are concluded. */
const MAX_PART_BYTES = 32 * 2 ** 20;

/** The findings of a check of a group of bodies; several threads examine the chunks of layers of a large group. */
export const checkDivided: SharedWork<GroupCheck, LayerFindings[]> = (request, context) =>
  workMs(request) < LEAST_DIVIDED_MS ? context.compute(checkGroupTask, request) : checkInChunks(request, context);

async function checkInChunks(request: GroupCheck, context: Compute): Promise<LayerFindings[]> {
  const stacks = await context.compute(prepareGroupTask, request);
  const count = stacks[0]?.chunkCount ?? 0;
  const inputOf = (chunk: number) => ({ input: { request, stacks, chunk }, index: chunk, count });
  const chunks = { count, inputOf, workMs: workMs(request) };
  return whileHeld([stacks], context, async () => {
    const packed = await firstChunks(examineChunkTask, chunks, context, MAX_PART_BYTES);
    return context.compute(concludeGroupTask, { request, stacks, packed });
  });
}

/**
 * Processor time of all chunks of a check, ms: per mm² of walls at one layer per mm, and per facet. Within a factor of two for parts of
 * 1,500 to 1.1 million facets, bare and with supports.
 */
const WALL_MS = 0.0005;
const FACET_MS = 0.0012;

function workMs({ group: { bodies, boundariesMm } }: GroupCheck): number {
  const [layers, topMm] = [boundariesMm.length - 1, boundariesMm.at(-1) ?? 0];
  if (layers <= 0) return 0;
  return bodies.reduce((sum, { placed: { mesh, pose } }) => {
    const wallMm2 = pose.scale ** 2 * mesh.areaMm2;
    return sum + (WALL_MS * wallMm2 * layers) / topMm + FACET_MS * triangleCount(mesh);
  }, 0);
}
