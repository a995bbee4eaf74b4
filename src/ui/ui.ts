import { notFound } from "../core/api-error.ts";
import { type Steps, inTurns } from "../core/in-turns.ts";
import type { MemoryBudget } from "../core/memory-budget.ts";
import { parseId } from "../core/id.ts";
import type { App } from "../http/app.ts";
import { jsonResponse } from "../http/json-response.ts";
import type { Runner } from "../http/run-request.ts";
import { heldMesh } from "../scene/model-mesh.ts";
import type { Scene } from "../scene/project.ts";
import { pageSceneOf, summariesOf } from "./describe-scene.ts";
import { newChangeEvents } from "./events.ts";
import { newHistory } from "./history.ts";
import { meshStream } from "./mesh-stream.ts";
import type { PageState } from "./replies.ts";
import { newSceneVersions } from "./scene-versions.ts";
import { addPage } from "./serve-page.ts";

/** The server's side of the page in a browser: the page itself, and what it needs beside `/v1/` (`replies.ts`). */
export interface Ui {
  addRoutes(app: App): void;
  close(): void;
}

const NOT_STORED = { "Cache-Control": "no-store" };
/** A hash names one mesh for ever. */
const FOR_GOOD = { "Cache-Control": "private, max-age=31536000, immutable" };

export function newUi(runner: Runner, budget?: MemoryBudget): Ui {
  const { server, sceneQueue } = runner;
  const { store, maxScenes } = server;
  const history = newHistory(store, { maxScenes, budget });
  const versions = newSceneVersions(store);
  const records = { history, versions };
  const events = newChangeEvents(store, versions);

  function sceneOf(sceneId: string): Scene {
    const id = parseId(sceneId);
    const scene = store.read().scenes.find((one) => one.id === id);
    if (!scene) throw notFound("There is no such scene: it may have been deleted.");
    return scene;
  }

  const json = (value: unknown): Response => withHeaders(jsonResponse(value), NOT_STORED);
  const jsonInTurns = async <T>(steps: Steps<T>): Promise<Response> => json(await inTurns(steps));

  return {
    addRoutes(app) {
      addPage(app);
      app.get("/ui/state", () =>
        json({
          version: server.version,
          scenes: summariesOf(store.read(), records),
          deleted_count: history.deletedCount,
        } satisfies PageState),
      );
      app.get("/ui/scene/:id", (context) => jsonInTurns(pageSceneOf(sceneOf(context.req.param("id")), records)));
      app.get("/ui/mesh/:hash", (context) => {
        const mesh = heldMesh(context.req.param("hash"));
        if (!mesh) throw notFound("No model has this mesh any more.");
        const { bytes, stream } = meshStream(mesh);
        const headers = { "Content-Type": "application/octet-stream", "Content-Length": String(bytes) };
        return new Response(stream, { headers: { ...headers, ...FOR_GOOD } });
      });
      app.get("/ui/events", () => events.listen(history.open()));

      for (const [path, move] of [
        ["undo", history.undo],
        ["redo", history.redo],
      ] as const) {
        app.post(`/ui/scene/:id/${path}`, async (context) => {
          const { id } = sceneOf(context.req.param("id"));
          await sceneQueue.run([id], async () => move(id));
          return json({ id, version: versions.of(id), ...history.counts(id) });
        });
      }
      app.post("/ui/undo-delete", () => {
        const { id } = history.undoDelete();
        return json({ id, version: versions.of(id) });
      });
    },
    close() {
      events.close();
      history.close();
    },
  };
}

function withHeaders(response: Response, headers: Readonly<Record<string, string>>): Response {
  for (const [name, value] of Object.entries(headers)) response.headers.set(name, value);
  return response;
}
