import type { WantedMesh } from "./levels.ts";
import { type PackedMesh, readPackedMesh } from "./packed-mesh.ts";

/** Requests at once: as many as browsers open to one server. */
const PARALLEL = 6;

export interface MeshEvents {
  /** A mesh is here, or a coarser one in its place for quick pictures. */
  loaded(hash: string, mesh: PackedMesh, isCoarse: boolean): void;
  /** Share of the wanted meshes that are here or have failed, and how many have failed. */
  progress(share: number, failed: number): void;
}

/** The meshes of a scene, fetched by their hashes, each once. */
export interface MeshStore {
  /** The mesh, or a coarser one before it is here. */
  get(hash: string): PackedMesh | undefined;
  /** From now on these meshes are wanted, the first ones first. Others are forgotten, failed ones are tried again. */
  want(wanted: readonly WantedMesh[]): void;
}

/** Fetches meshes from the server, a few at a time. */
export function newMeshStore(events: MeshEvents): MeshStore {
  let hashes: readonly string[] = [];
  let coarseOf: ReadonlyMap<string, number> = new Map();
  // A scene is soon there as a whole, and pictures of it stay quick, where coarse meshes come before the others.
  const coarse = newLane(
    (hash, mesh) => events.loaded(hash, mesh, true),
    (hash) => `${pathOf(hash)}?max_triangles=${coarseOf.get(hash)}`,
    () => PARALLEL,
    () => fine.fill(),
  );
  const fine: Lane = newLane(
    (hash, mesh) => events.loaded(hash, mesh, false),
    pathOf,
    () => PARALLEL - coarse.running(),
    () => report(),
  );

  const report = (): void => {
    const done = hashes.filter((hash) => fine.meshes.has(hash) || fine.failed.has(hash)).length;
    events.progress(hashes.length === 0 ? 1 : done / hashes.length, fine.failed.size);
  };

  return {
    get: (hash) => fine.meshes.get(hash) ?? coarse.meshes.get(hash),
    want(wanted) {
      hashes = wanted.map(({ hash }) => hash);
      const next = new Map(
        wanted.flatMap(({ hash, coarse }) => (coarse === undefined ? [] : [[hash, coarse] as const])),
      );
      coarse.want([...next.keys()].filter((hash) => next.get(hash) === coarseOf.get(hash)));
      coarseOf = next;
      coarse.want([...next.keys()]);
      fine.want(hashes);
      report();
    },
  };
}

const pathOf = (hash: string): string => `/ui/mesh/${encodeURIComponent(hash)}/`;

/** Meshes of one kind, in the order in which they are wanted. */
interface Lane {
  readonly meshes: ReadonlyMap<string, PackedMesh>;
  readonly failed: ReadonlySet<string>;
  want(hashes: readonly string[]): void;
  /** Requests that are under way. */
  running(): number;
  /** Sends more requests, as many as there is room for. */
  fill(): void;
}

function newLane(
  loaded: (hash: string, mesh: PackedMesh) => void,
  pathTo: (hash: string) => string,
  room: () => number,
  settled: () => void,
): Lane {
  let wanted: ReadonlySet<string> = new Set();
  const meshes = new Map<string, PackedMesh>();
  const failed = new Set<string>();
  const running = new Map<string, AbortController>();

  const fetchMesh = async (hash: string, { signal }: AbortController): Promise<void> => {
    try {
      const answer = await fetch(pathTo(hash), { signal });
      if (!answer.ok) throw new Error(`The mesh ${hash} is answered with status ${answer.status}.`);
      const mesh = readPackedMesh(await answer.arrayBuffer());
      if (signal.aborted) return;
      meshes.set(hash, mesh);
      loaded(hash, mesh);
    } catch {
      if (!signal.aborted) failed.add(hash);
    }
    if (signal.aborted) return;
    running.delete(hash);
    fill();
    settled();
  };

  const fill = (): void => {
    for (const hash of wanted) {
      if (running.size >= room()) return;
      if (meshes.has(hash) || failed.has(hash) || running.has(hash)) continue;
      const controller = new AbortController();
      running.set(hash, controller);
      void fetchMesh(hash, controller);
    }
  };

  return {
    meshes,
    failed,
    running: () => running.size,
    fill,
    want(hashes) {
      wanted = new Set(hashes);
      failed.clear();
      for (const hash of [...meshes.keys()].filter((hash) => !wanted.has(hash))) meshes.delete(hash);
      for (const [hash, controller] of [...running].filter(([hash]) => !wanted.has(hash))) {
        controller.abort();
        running.delete(hash);
      }
      fill();
    },
  };
}
