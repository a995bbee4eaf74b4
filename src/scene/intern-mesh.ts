import type { Mesh } from "../mesh/mesh.ts";

const known = new Map<string, WeakRef<Mesh>>();
const forgotten = new FinalizationRegistry<string>((hash) => {
  if (known.get(hash)?.deref() === undefined) known.delete(hash);
});

/** The one mesh of its hash that the process holds: a mesh that came twice keeps one pair of buffers. */
export function internMesh(mesh: Mesh): Mesh {
  const held = known.get(mesh.hash)?.deref();
  if (held) return held;
  known.set(mesh.hash, new WeakRef(mesh));
  forgotten.register(mesh, mesh.hash);
  return mesh;
}
