import type { Instance } from "./instances.ts";

type Instances = ReadonlyMap<string, readonly Instance[]>;

/** What is drawn while meshes of changed models are loading. */
interface StandIns {
  readonly instances: Instances;
  /** Models that are drawn as they were before. */
  readonly waiting: ReadonlySet<string>;
}

const NONE: ReadonlySet<string> = new Set();

/**
 * Instances to draw, where models with a mesh that is not loaded are as they were drawn last (`before`): a part and its supports change in
 * one frame, and do not vanish meanwhile. Meshes that are loaded are listed without instances, so that they stay in the graphics.
 */
export function withStandIns(wanted: Instances, before: Instances, isLoaded: (hash: string) => boolean): StandIns {
  const missing = [...wanted].filter(([hash]) => !isLoaded(hash)).flatMap(([, instances]) => instances);
  if (missing.length === 0) return { instances: wanted, waiting: NONE };
  const known = new Set([...before.values()].flat().map(({ modelId }) => modelId));
  const waiting = new Set(missing.map(({ modelId }) => modelId).filter((id) => known.has(id)));
  if (waiting.size === 0) return { instances: wanted, waiting };
  const instances = new Map<string, readonly Instance[]>();
  for (const [all, isKept] of [
    [wanted, (id: string) => !waiting.has(id)],
    [before, (id: string) => waiting.has(id)],
  ] as const) {
    for (const [hash, ofMesh] of all) {
      const kept = ofMesh.filter(({ modelId }) => isKept(modelId));
      instances.set(hash, [...(instances.get(hash) ?? []), ...kept]);
    }
  }
  return { instances, waiting };
}
