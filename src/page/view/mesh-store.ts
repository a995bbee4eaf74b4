import { type PackedMesh, readPackedMesh } from "./packed-mesh.ts";

/** Requests at once: as many as browsers open to one server. */
const PARALLEL = 6;

export interface MeshEvents {
  loaded(hash: string, mesh: PackedMesh): void;
  /** Share of the wanted meshes that are here or have failed, and how many have failed. */
  progress(share: number, failed: number): void;
}

/** The meshes of a scene, fetched by their hashes, each once. */
export interface MeshStore {
  get(hash: string): PackedMesh | undefined;
  /** From now on these meshes are wanted, the first ones first. Others are forgotten, failed ones are tried again. */
  want(hashes: Iterable<string>): void;
}

/** Fetches meshes from the server, a few at a time. */
export function newMeshStore(events: MeshEvents): MeshStore {
  let wanted: ReadonlySet<string> = new Set();
  const meshes = new Map<string, PackedMesh>();
  const failed = new Set<string>();
  const running = new Map<string, AbortController>();

  const report = (): void => {
    const done = [...wanted].filter((hash) => meshes.has(hash) || failed.has(hash)).length;
    events.progress(wanted.size === 0 ? 1 : done / wanted.size, failed.size);
  };

  const fetchMesh = async (hash: string, { signal }: AbortController): Promise<void> => {
    try {
      const answer = await fetch(`/ui/mesh/${encodeURIComponent(hash)}/`, { signal });
      if (!answer.ok) throw new Error(`The mesh ${hash} is answered with status ${answer.status}.`);
      const mesh = readPackedMesh(await answer.arrayBuffer());
      if (signal.aborted) return;
      meshes.set(hash, mesh);
      events.loaded(hash, mesh);
    } catch {
      if (!signal.aborted) failed.add(hash);
    }
    if (signal.aborted) return;
    running.delete(hash);
    report();
    fill();
  };

  const fill = (): void => {
    for (const hash of wanted) {
      if (running.size >= PARALLEL) return;
      if (meshes.has(hash) || failed.has(hash) || running.has(hash)) continue;
      const controller = new AbortController();
      running.set(hash, controller);
      void fetchMesh(hash, controller);
    }
  };

  return {
    get: (hash) => meshes.get(hash),
    want(hashes) {
      wanted = new Set(hashes);
      failed.clear();
      for (const hash of [...meshes.keys()].filter((hash) => !wanted.has(hash))) meshes.delete(hash);
      for (const [hash, controller] of [...running].filter(([hash]) => !wanted.has(hash))) {
        controller.abort();
        running.delete(hash);
      }
      report();
      fill();
    },
  };
}
