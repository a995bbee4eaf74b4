import { inTurns } from "../../core/in-turns.ts";
import { mapConcurrent } from "../../core/map-concurrent.ts";
import { memoize } from "../../core/memoize.ts";
import type { CommonVolumes } from "../../scene/common-volumes.ts";
import { type OverlapGroup, type Overlaps, overlapsOf } from "../../scene/overlaps.ts";
import type { Scene } from "../../scene/project.ts";
import type { RequestContext } from "../endpoint.ts";

type Compute = Pick<RequestContext, "compute">;

/** The volumes that several bodies of a scene take. Computed on other threads, where boxes overlap, and remembered by content. */
export async function commonVolumesOf(scene: Scene, context: Compute): Promise<CommonVolumes> {
  if (scene.atRest) return scene.atRest.commonVolumes;
  const { ofModels, ofAll } = await overlapsOfScene(scene);
  const modelsMm3 = await sumMm3(ofModels, context);
  return { modelsMm3, allMm3: ofAll === ofModels ? modelsMm3 : await sumMm3(ofAll, context) };
}

/** Memoized, so that the answering thread compares the boxes of a scene once. */
const overlapsOfScene = memoize(async ({ models }: Scene) => {
  const supports = models.flatMap((model) => model.supports ?? []);
  const ofModels = await inTurns(overlapsOf(models));
  const ofAll = supports.length === 0 ? ofModels : await inTurns(overlapsOf([...models, ...supports]));
  return { ofModels, ofAll };
});

async function sumMm3({ repeatedMm3, groups }: Overlaps, context: Compute): Promise<number> {
  const distinct = [...Map.groupBy(groups, ({ key }) => key).values()];
  const volumes = mapConcurrent(
    distinct.length,
    async (i) => distinct[i].length * (await commonVolumeMm3(distinct[i][0], context)),
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
