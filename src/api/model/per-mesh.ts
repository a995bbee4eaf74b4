import type { Mesh } from "../../mesh/mesh.ts";
import type { Share } from "../../worker/share.ts";

/** What `work` makes of the raw mesh of each body, in their order; all at once, of bodies with the same mesh once. */
export function perMesh<T>(
  bodies: readonly { readonly mesh: Mesh }[],
  work: (share: Share<Mesh>) => Promise<T>,
): Promise<T[]> {
  const meshes = new Map(bodies.map(({ mesh }) => [mesh.hash, mesh]));
  const hashes = [...meshes.keys()];
  const made = new Map(
    hashes.map((hash, number) => [hash, work({ request: meshes.get(hash)!, number, of: hashes.length })]),
  );
  return Promise.all(bodies.map(({ mesh }) => made.get(mesh.hash)!));
}
