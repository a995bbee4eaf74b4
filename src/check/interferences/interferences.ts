import type { Watch } from "../../core/watch.ts";
import type { Placed } from "../../slice/placed.ts";
import { interfere } from "./interfere.ts";
import type { MeshTree } from "./mesh-tree.ts";
import { solidOf } from "./solid.ts";

export interface InterferenceRequest {
  /** The models and their supports, by the numbers that `pairs` names them by. */
  readonly models: ReadonlyMap<number, readonly Placed[]>;
  /** Of their raw meshes, by hash. */
  readonly trees: ReadonlyMap<string, MeshTree>;
  /** Two numbers a pair. */
  readonly pairs: Uint32Array;
  readonly offsetMm: number;
}

/** Those of the pairs that interfere, in their order. */
export function interferences(request: InterferenceRequest, watch: Watch): Uint32Array {
  const { models, pairs } = request;
  const found: number[] = [];
  for (let at = 0; at < pairs.length; at += 2) {
    watch.report(at / pairs.length);
    const [one, other] = [models.get(pairs[at])!, models.get(pairs[at + 1])!];
    const doInterfere = one.some((a) => other.some((b) => bodiesInterfere(a, b, request, watch)));
    if (doInterfere) found.push(pairs[at], pairs[at + 1]);
  }
  return Uint32Array.from(found);
}

function bodiesInterfere(a: Placed, b: Placed, { trees, offsetMm }: InterferenceRequest, watch: Watch): boolean {
  const solid = (body: Placed) => solidOf(body, trees.get(body.mesh.hash)!, a.pose);
  return interfere(solid(a), solid(b), offsetMm, watch);
}
