import { type Instance, instancesByMesh } from "./instances.ts";
import type { ShownState } from "./shown-state.ts";
import type { ShownScene, ShownTrial } from "./view.ts";

type Instances = ReadonlyMap<string, readonly Instance[]>;

/** Instances of a scene as a change would leave it, by mesh hash. */
export function trialInstances({ models }: ShownScene, trial: ShownTrial): Instances {
  const hidden = new Set([...trial.hidden, ...trial.models.map(({ id }) => id)]);
  return instancesByMesh([...models.filter(({ id }) => !hidden.has(id)), ...trial.models]);
}

/** Instances whose meshes are needed: those of the scene, and those of the change that is tried out. */
export const neededInstances = ({ instances, trial }: Pick<ShownState, "instances" | "trial">): Instances =>
  trial ? new Map([...trial, ...instances]) : instances;

/**
 * Instances to draw: those of the change that is tried out as soon as all of its meshes are loaded, so that no part vanishes meanwhile.
 * Other needed meshes are listed without instances: they stay in the graphics, for when the change is made or taken back.
 */
export function drawnInstances(
  state: Pick<ShownState, "instances" | "trial">,
  isLoaded: (hash: string) => boolean,
): Instances {
  const { instances, trial } = state;
  if (!trial) return instances;
  const drawn = [...trial.keys()].every(isLoaded) ? trial : instances;
  const none: Instances = new Map([...neededInstances(state).keys()].map((hash) => [hash, []]));
  return new Map([...none, ...drawn]);
}
