import { inTurns } from "../../core/in-turns.ts";
import { mapConcurrent } from "../../core/map-concurrent.ts";
import { CancelledError } from "../../core/progress.ts";
import type { CommonVolumes } from "../../scene/common-volumes.ts";
import { type OverlapGroup, type Overlaps, overlapsOf } from "../../scene/overlaps.ts";
import type { Scene } from "../../scene/project.ts";
import type { RequestContext } from "../endpoint.ts";

type Compute = Pick<RequestContext, "compute">;

/** By the models of a scene, on which alone they depend. */
const settled = new WeakMap<Scene["models"], CommonVolumes>();

/**
 * The volumes that several bodies of a scene take. They are computed on other threads, where boxes overlap, before a scene gets into the
 * project (`RequestContext.settle`): a request that reads a scene of the project finds them here, and waits for no thread.
 */
export async function commonVolumesOf({ models, swappedOut }: Scene, context: Compute): Promise<CommonVolumes> {
  const known = swappedOut?.commonVolumes ?? settled.get(models);
  if (known) return known;
  const supports = models.flatMap((model) => model.supports ?? []);
  const modelsMm3 = await sumMm3(await inTurns(overlapsOf(models)), context);
  const allMm3 =
    supports.length === 0 ? modelsMm3 : await sumMm3(await inTurns(overlapsOf([...models, ...supports])), context);
  const volumes = { modelsMm3, allMm3 };
  rememberCommonVolumes(models, volumes);
  return volumes;
}

/** For models that are those of another scene value, such as one at rest. */
export const rememberCommonVolumes = (models: Scene["models"], volumes: CommonVolumes): void => {
  settled.set(models, volumes);
};

async function sumMm3({ repeatedMm3, groups }: Overlaps, context: Compute): Promise<number> {
  const distinct = [...Map.groupBy(groups, ({ key }) => key).values()];
  const volumes = mapConcurrent(
    distinct.length,
    async (i) => distinct[i].length * (await commonVolumeMm3(distinct[i][0], context).catch(none)),
  );
  let sum = repeatedMm3;
  for await (const mm3 of volumes) sum += mm3;
  return sum;
}

/** Common volumes of groups by their keys, mm³, the last used last. */
const known = new Map<string, number>();
const MAX_KNOWN = 20_000;

async function commonVolumeMm3({ key, placed, region }: OverlapGroup, { compute }: Compute): Promise<number> {
  const volumeMm3 = known.get(key) ?? (await compute("commonVolume", { placed, region }));
  known.delete(key);
  known.set(key, volumeMm3);
  if (known.size > MAX_KNOWN) known.delete(known.keys().next().value!);
  return volumeMm3;
}

/** What bodies have in common whose solids cannot be made, as for want of memory: a change does not fail for want of a figure. */
function none(thrown: unknown): number {
  if (thrown instanceof CancelledError) throw thrown;
  return 0;
}
