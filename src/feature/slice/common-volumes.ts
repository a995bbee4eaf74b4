import { runStepwise } from "../../core/steps.ts";
import { mapConcurrent } from "../../core/map-concurrent.ts";
import { CancelledError } from "../../core/progress.ts";
import { must } from "../../core/must.ts";
import { poseKey } from "../../geometry/pose.ts";
import type { CommonVolumes } from "../../scene/common-volumes.ts";
import { type OverlapGroup, type Overlaps, overlapsOf } from "../../scene/overlaps.ts";
import type { PlacedBody, Scene } from "../../scene/project.ts";
import type { CommonVolume } from "../../slice/common-volume.ts";
import type { VolumeSlabs } from "../../slice/print-time.ts";
import type { Compute } from "../../worker/compute.ts";
import { commonVolumeTask } from "./task.ts";
import { newRecentColumns } from "./recent-columns.ts";

/** By the list of models of a scene: the volumes depend only on it. */
const settled = new WeakMap<Scene["models"], CommonVolumes>();

/**
 * The common volumes of bodies of a scene. If boxes overlap, other threads compute them before a scene gets into the project
 * (`RequestContext.settle`): a request that reads a scene of the project finds them here and waits for no thread.
 */
export async function commonVolumesOf({ models, swappedOut }: Scene, context: Compute): Promise<CommonVolumes> {
  const known = swappedOut?.commonVolumes ?? settled.get(models);
  if (known) return known;
  const supports = models.flatMap((model) => model.supports ?? []);
  const ofModels = await commonOf(models, "models", context);
  const ofAll = supports.length === 0 ? ofModels : await commonOf([...models, ...supports], "all", context);
  const volumes = { modelsMm3: ofModels.sumMm3, allMm3: ofAll.sumMm3, slabs: ofAll.slabs };
  rememberCommonVolumes(models, volumes);
  return volumes;
}

/** Remembers the volumes for the models of another value of the scene, for example of a swapped-out one. */
export const rememberCommonVolumes = (models: Scene["models"], volumes: CommonVolumes): void => {
  settled.set(models, volumes);
};

interface Common {
  readonly sumMm3: number;
  readonly slabs: readonly VolumeSlabs[];
}

/** `kind` distinguishes groups that begin with the same body. */
async function commonOf(bodies: readonly PlacedBody[], kind: string, context: Compute): Promise<Common> {
  const { repeatedMm3, groups }: Overlaps = await runStepwise(overlapsOf(bodies));
  const distinct = [...Map.groupBy(groups, ({ key }) => key).values()];
  const volumeOf = async (i: number) => {
    const equal = must(distinct[i], "A set of equal groups");
    const group = must(equal[0], "The first of equal groups");
    return [equal, await commonVolumeOf(group, kind, context).catch(nothing)] as const;
  };
  const volumes = mapConcurrent(distinct.length, volumeOf, context.tasksAtOnce(commonVolumeTask, Infinity));
  let sumMm3 = repeatedMm3;
  const slabs: VolumeSlabs[] = [];
  for await (const [equal, { betweenMm3, slabsMm3, bottomMm, topMm }] of volumes) {
    sumMm3 += equal.length * betweenMm3;
    if (betweenMm3 === 0) continue;
    for (const { heightMm } of equal)
      slabs.push({ bottomMm: heightMm + bottomMm, topMm: heightMm + topMm, volumesMm3: slabsMm3 });
  }
  return { sumMm3, slabs };
}

type Volume = Omit<CommonVolume, "columns">;

/** Common volumes of groups by their keys, the last used last. */
const known = new Map<string, Volume>();
const MAX_KNOWN = 20_000;

/** A group that begins with the same body is usually the earlier group with one body more or less, or at another place. */
const recent = newRecentColumns();

async function commonVolumeOf(
  { key, placed, region }: OverlapGroup,
  kind: string,
  { compute }: Compute,
): Promise<Volume> {
  const { mesh, pose } = must(placed[0], "The first body of a group");
  const first = `${kind} ${poseKey(mesh.hash, pose)}`;
  const volume = known.get(key) ?? (await computed());
  known.delete(key);
  known.set(key, volume);
  if (known.size > MAX_KNOWN) known.delete(known.keys().next().value!);
  return volume;

  async function computed(): Promise<Volume> {
    const { columns, ...found } = await compute(commonVolumeTask, { placed, region, before: recent.get(first) });
    if (columns) recent.set(first, columns);
    return found;
  }
}

/**
 * The result for bodies whose solids cannot be made, for example for lack of memory: a change does not fail because a figure is
 * missing.
 */
function nothing(thrown: unknown): Volume {
  if (thrown instanceof CancelledError) throw thrown;
  return { betweenMm3: 0, slabsMm3: new Float32Array(), bottomMm: 0, topMm: 0 };
}
