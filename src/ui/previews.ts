import { type Endpoint, type Request, commitEdit } from "../api/endpoint.ts";
import { ApiError, notFound } from "../core/api-error.ts";
import { newId } from "../core/id.ts";
import type { MemoryBudget } from "../core/memory-budget.ts";
import { type Runner, startRequest } from "../http/run-request.ts";
import type { RunningRequest } from "../http/running-requests.ts";
import { replaceScene } from "../scene/edit.ts";
import { findScene } from "../scene/find.ts";
import { type Scene, newStore } from "../scene/project.ts";
import type { SceneVersions } from "./scene-versions.ts";
import { allowedBytes, meshBytes, meshesOf } from "./trim-states.ts";

/** A change that was computed and is not made. */
export interface Preview {
  readonly token: string;
  /** The state of the scene from which it was computed, and the version of that. */
  readonly before: Scene;
  readonly version: number;
  readonly after: Scene;
  /** Answer of the endpoint. */
  readonly answer: unknown;
}

interface PreviewOptions {
  readonly budget?: MemoryBudget | undefined;
  /** How long a preview is kept, ms. */
  readonly keepMs?: number;
}

/** Most previews that are kept: each tool of a page has one. */
const MOST_KEPT = 4;
const KEEP_MS = 10 * 60 * 1000;

/** Who asks for a preview. */
interface Asker {
  /** Name of the tab; empty if the request gives none. */
  readonly tab: string;
  /** Aborted once nobody waits for the answer. */
  readonly hungUp: AbortSignal;
}

/** Previews of the tools of pages: one for each endpoint, scene and tab. They are the first that memory is taken from. */
export class Previews {
  readonly #runner: Runner;
  readonly #versions: SceneVersions;
  readonly #options: PreviewOptions;
  /** By tool, oldest first. */
  readonly #kept = new Map<string, Preview & { readonly expiry: ReturnType<typeof setTimeout> }>();
  readonly #running = new Map<string, RunningRequest>();

  constructor(runner: Runner, versions: SceneVersions, options: PreviewOptions = {}) {
    [this.#runner, this.#versions, this.#options] = [runner, versions, options];
    runner.server.pool.held.alsoDrop(() => this.close());
  }

  /** Computes what a request would change. A newer request of the same tab for the same endpoint and scene, or `hungUp`, cancels it. */
  async make(endpoint: Endpoint, request: Request, { tab, hungUp }: Asker): Promise<Preview> {
    let preview: Preview | undefined;
    const running = startRequest(
      this.#runner,
      {
        ...endpoint,
        path: "/ui/preview/",
        // It changes nothing, and does not wait for changes: one that is made meanwhile makes it stale.
        isQueued: false,
        handle: async (...args) => (preview = await this.#compute(endpoint, ...args)),
      },
      request,
    );
    const tool = [endpoint.path, ...running.sceneIds, tab].join(" ");
    this.#running.get(tool)?.cancel(new ApiError("OPERATION_CANCELLED", "A newer preview has replaced this one."));
    this.#drop(tool);
    this.#running.set(tool, running);
    const onHangUp = (): void =>
      running.cancel(new ApiError("OPERATION_CANCELLED", "The page no longer waits for the preview."));
    hungUp.addEventListener("abort", onHangUp);
    try {
      await running.answer;
    } finally {
      hungUp.removeEventListener("abort", onHangUp);
      if (this.#running.get(tool) === running) this.#running.delete(tool);
    }
    // The answer of the request is the preview.
    return this.#keep(tool, preview!);
  }

  async #compute(
    ...[endpoint, request, server, context]: [Endpoint, ...Parameters<Endpoint["handle"]>]
  ): Promise<Preview> {
    const project = server.store.read();
    const [sceneId = ""] = endpoint.scenesOf(request.body);
    const before = findScene(project, sceneId);
    const version = this.#versions.of(before.id);
    const store = newStore(project);
    const answer = await endpoint.handle(
      request,
      { ...server, store },
      { ...context, settle: async () => {}, commit: context.throwIfCancelled },
    );
    return { token: newId(), before, version, after: findScene(store.read(), before.id), answer };
  }

  /** Makes the change of a preview, in the queue of its scene. Throws STALE_STATE if the scene has changed since, and NOT_FOUND. */
  async apply(token: string): Promise<Scene> {
    const [tool, preview] = [...this.#kept].find(([, one]) => one.token === token) ?? [];
    if (tool === undefined || !preview) throw notFound("This preview is no longer kept: request it again.");
    const { before, version, after } = preview;
    const running = startRequest(
      this.#runner,
      {
        method: "POST",
        path: "/ui/preview/apply/",
        summary: "",
        scenesOf: () => [before.id],
        isQueued: true,
        handle: async (_, server, context) => {
          if (this.#versions.of(before.id) !== version)
            throw new ApiError("STALE_STATE", "The scene has changed since this preview was made: request it again.");
          await commitEdit((project) => replaceScene(project, after), server, context);
        },
      },
      { body: undefined, query: undefined },
    );
    await running.answer;
    this.#drop(tool);
    return after;
  }

  /** Drops all previews. */
  close(): void {
    for (const tool of this.#kept.keys()) this.#drop(tool);
  }

  #keep(tool: string, preview: Preview): Preview {
    this.#drop(tool);
    const expiry = setTimeout(() => this.#drop(tool), this.#options.keepMs ?? KEEP_MS).unref();
    this.#kept.set(tool, { ...preview, expiry });
    // The newest one is kept whatever it takes: its meshes exist, and a page waits for them.
    for (const oldest of [...this.#kept.keys()].slice(0, -1))
      if (this.#kept.size > MOST_KEPT || !this.#fitMemory()) this.#drop(oldest);
    return preview;
  }

  #fitMemory(): boolean {
    const { budget } = this.#options;
    if (!budget) return true;
    const meshes = [...this.#kept.values()].flatMap(({ before, after }) => [
      ...meshesOf(after).difference(meshesOf(before)),
    ]);
    return new Set(meshes).values().reduce((sum, mesh) => sum + meshBytes(mesh), 0) <= allowedBytes(budget);
  }

  #drop(tool: string): void {
    clearTimeout(this.#kept.get(tool)?.expiry);
    this.#kept.delete(tool);
  }
}
