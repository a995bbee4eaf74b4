import { operationFailed } from "../core/api-error.ts";
import type { Progress } from "../core/progress.ts";
import { nearbyBoxPairs } from "../geometry/box-pairs.ts";
import { type MeshTree, interfere, placeMeshTree } from "../mesh/bvh/interfere.ts";
import type { PlacedMesh } from "../mesh/placed-mesh.ts";

/** Maximum number of pairs: a longer list would take over 80 MB. */
const MAX_PAIRS = 1_000_000;
/** Number of batches of pairs: enough to keep all threads busy until the end. */
const BATCHES = 32;

/**
 * The pairs of models whose boxes are at most `reachMm` apart, in batches. `boxes` holds the least and the greatest x,
 * y, z of each model, mm. A pair is two indices, the smaller one first. `chosen`: 1 for each chosen model; every pair has at least one of
 * these. Throws OPERATION_FAILED for too many pairs.
 */
export function nearbyPairs(
  boxes: Float64Array,
  reachMm: number,
  progress: Progress,
  chosen?: Uint8Array,
): Uint32Array[] {
  const pairs: number[] = [];
  for (const [a, b] of nearbyBoxPairs(boxes, reachMm, progress)) {
    if (chosen && chosen[a] + chosen[b] === 0) continue;
    pairs.push(Math.min(a, b), Math.max(a, b));
    if (pairs.length > 2 * MAX_PAIRS) {
      throw operationFailed(
        `More than ${MAX_PAIRS} pairs of models have overlapping boxes: lay the models out, or check fewer at a time with model_ids.`,
      );
    }
  }
  const size = 2 * Math.ceil(pairs.length / 2 / BATCHES);
  return Array.from({ length: Math.ceil(pairs.length / size) || 0 }, (_, batch) =>
    Uint32Array.from(pairs.slice(size * batch, size * (batch + 1))),
  );
}

export interface InterferenceRequest {
  /** The bodies of each model in `pairs`: the model and its supports. */
  readonly models: ReadonlyMap<number, readonly PlacedMesh[]>;
  /** The trees of their meshes, by hash. */
  readonly trees: ReadonlyMap<string, MeshTree>;
  /** Two indices per pair. */
  readonly pairs: Uint32Array;
  readonly offsetMm: number;
}

/** The pairs that interfere, in their order. */
export function findInterferences(request: InterferenceRequest, progress: Progress): Uint32Array {
  const { models, trees, pairs, offsetMm } = request;
  // The request has an entry for each model and mesh.
  const bodiesOf = (model: number): readonly PlacedMesh[] => models.get(model)!;
  const doInterfere = (a: PlacedMesh, b: PlacedMesh): boolean => {
    const [one, other] = [a, b].map((body) => placeMeshTree(body, trees.get(body.mesh.hash)!, a.pose));
    return interfere(one, other, offsetMm, progress);
  };
  const found: number[] = [];
  for (let at = 0; at < pairs.length; at += 2) {
    progress.report(at / pairs.length);
    const [one, other] = [bodiesOf(pairs[at]), bodiesOf(pairs[at + 1])];
    if (one.some((a) => other.some((b) => doInterfere(a, b)))) found.push(pairs[at], pairs[at + 1]);
  }
  return Uint32Array.from(found);
}
