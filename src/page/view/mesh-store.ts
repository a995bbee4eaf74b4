import type { WantedMesh } from "./levels.ts";
import { type PackedMesh, readPackedMesh } from "./packed-mesh.ts";

/** Number of concurrent requests: as many as browsers make to one server. */
const PARALLEL = 6;

export interface MeshEvents {
  /** A mesh, or its simplified form (`isCoarse`), has been loaded. */
  loaded(hash: string, mesh: PackedMesh, isCoarse: boolean): void;
  /** Fraction of the wanted meshes that are loaded or have failed, and the number of failed ones. */
  progress(share: number, failed: number): void;
}

/** Fetches the meshes of a scene from the server, a few at a time, each once. */
export class MeshStore {
  readonly #events: MeshEvents;
  readonly #coarse: FetchQueue;
  readonly #fine: FetchQueue;
  #hashes: readonly string[] = [];
  /** Number of triangles of the simplified meshes, by hash. */
  #coarseSizes: ReadonlyMap<string, number> = new Map();

  constructor(events: MeshEvents) {
    this.#events = events;
    // Simplified meshes come first, so that the whole scene is soon visible and quick frames stay quick.
    this.#coarse = new FetchQueue({
      loaded: (hash, mesh) => events.loaded(hash, mesh, true),
      pathOf: (hash) => `${pathOf(hash)}?max_triangles=${this.#coarseSizes.get(hash)}`,
      room: () => PARALLEL,
      settled: () => this.#fine.fill(),
    });
    this.#fine = new FetchQueue({
      loaded: (hash, mesh) => events.loaded(hash, mesh, false),
      pathOf,
      room: () => PARALLEL - this.#coarse.running,
      settled: () => this.#report(),
    });
  }

  /** Returns a mesh, or its simplified form until the mesh is loaded. */
  get(hash: string): PackedMesh | undefined {
    return this.#fine.meshes.get(hash) ?? this.#coarse.meshes.get(hash);
  }

  /** Returns a mesh that is not simplified; undefined until it is loaded. */
  exact(hash: string): PackedMesh | undefined {
    return this.#fine.meshes.get(hash);
  }

  /** Fetches these meshes, in this order. Drops all others, and tries failed ones again. */
  want(wanted: readonly WantedMesh[]): void {
    this.#hashes = wanted.map(({ hash }) => hash);
    const sizes = new Map(
      wanted.flatMap(({ hash, coarse }) => (coarse === undefined ? [] : [[hash, coarse] as const])),
    );
    // First drop simplified meshes whose wanted size has changed.
    this.#coarse.want([...sizes.keys()].filter((hash) => sizes.get(hash) === this.#coarseSizes.get(hash)));
    this.#coarseSizes = sizes;
    this.#coarse.want([...sizes.keys()]);
    this.#fine.want(this.#hashes);
    this.#report();
  }

  #report(): void {
    const { meshes, failed } = this.#fine;
    const done = this.#hashes.filter((hash) => meshes.has(hash) || failed.has(hash)).length;
    this.#events.progress(this.#hashes.length === 0 ? 1 : done / this.#hashes.length, failed.size);
  }
}

const pathOf = (hash: string): string => `/ui/mesh/${encodeURIComponent(hash)}/`;

interface FetchOptions {
  loaded(hash: string, mesh: PackedMesh): void;
  /** Path of a mesh on the server. */
  pathOf(hash: string): string;
  /** Number of requests that may run at once. */
  room(): number;
  /** Called after each request, successful or not. */
  settled(): void;
}

/** Fetches meshes in the order in which they are wanted. */
class FetchQueue {
  readonly meshes = new Map<string, PackedMesh>();
  readonly failed = new Set<string>();
  readonly #options: FetchOptions;
  readonly #running = new Map<string, AbortController>();
  #wanted: ReadonlySet<string> = new Set();

  constructor(options: FetchOptions) {
    this.#options = options;
  }

  /** Number of running requests. */
  get running(): number {
    return this.#running.size;
  }

  /** Fetches these meshes; drops and cancels all others. */
  want(hashes: readonly string[]): void {
    this.#wanted = new Set(hashes);
    this.failed.clear();
    for (const hash of [...this.meshes.keys()].filter((hash) => !this.#wanted.has(hash))) this.meshes.delete(hash);
    for (const [hash, controller] of [...this.#running].filter(([hash]) => !this.#wanted.has(hash))) {
      controller.abort();
      this.#running.delete(hash);
    }
    this.fill();
  }

  /** Starts as many requests as may run at once. */
  fill(): void {
    for (const hash of this.#wanted) {
      if (this.#running.size >= this.#options.room()) return;
      if (this.meshes.has(hash) || this.failed.has(hash) || this.#running.has(hash)) continue;
      const controller = new AbortController();
      this.#running.set(hash, controller);
      void this.#run(hash, controller.signal);
    }
  }

  async #run(hash: string, signal: AbortSignal): Promise<void> {
    try {
      const mesh = await fetchMesh(this.#options.pathOf(hash), signal);
      if (signal.aborted) return;
      this.meshes.set(hash, mesh);
      this.#options.loaded(hash, mesh);
    } catch {
      if (!signal.aborted) this.failed.add(hash);
    }
    if (signal.aborted) return;
    this.#running.delete(hash);
    this.fill();
    this.#options.settled();
  }
}

/** Fetches a mesh from its path under `/ui/mesh/`. */
export async function fetchMesh(path: string, signal?: AbortSignal): Promise<PackedMesh> {
  const answer = await fetch(path, { signal: signal ?? null });
  if (!answer.ok) throw new Error(`${path} was answered with status ${answer.status}.`);
  return readPackedMesh(await answer.arrayBuffer());
}
