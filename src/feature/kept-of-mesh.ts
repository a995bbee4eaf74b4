import type { MeshTree } from "../mesh/bvh/interfere.ts";
import type { Mesh } from "../mesh/mesh.ts";
import type { Compute } from "../worker/compute.ts";
import { buildMeshTreeTask } from "./check/task.ts";

/**
 * What `make` computes of a mesh on shared memory, or what an earlier request has computed: `key` holds everything else on which it depends.
 * `HeldValues.keep` says how long it is kept.
 */
export const keptOfMesh = <Value extends object>(
  mesh: Mesh,
  key: string,
  { held }: Compute,
  make: () => Promise<Value>,
  leastBytes?: number,
): Promise<Value> => held?.keep(keyOfMesh(mesh, key), mesh, make, leastBytes) ?? make();

/** Under this {@link keptOfMesh} keeps a value. */
export const keyOfMesh = ({ hash }: Mesh, key: string): string => `${key} ${hash}`;

/** Trees of fewer facets than some 5,000 are made in milliseconds; for others a person waits: after a drop of a part, or an edit of its supports. */
export const LEAST_TREE_BYTES = 2 ** 18;

/** The tree of a mesh in its own coordinates. */
export const keptMeshTree = (mesh: Mesh, context: Compute): Promise<MeshTree> =>
  keptOfMesh(
    mesh,
    "tree",
    context,
    () => context.compute(buildMeshTreeTask, { input: mesh, index: 0, count: 1 }),
    LEAST_TREE_BYTES,
  );
