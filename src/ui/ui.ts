import { notFound, toApiError } from "../core/api-error.ts";
import { type Steps, inTurns } from "../core/in-turns.ts";
import type { MemoryBudget } from "../core/memory-budget.ts";
import { newId, parseId } from "../core/id.ts";
import { type App, errorResponse } from "../http/app.ts";
import { jsonResponse } from "../http/json-response.ts";
import { readBody } from "../http/read-request.ts";
import type { Runner } from "../http/run-request.ts";
import { heldMesh } from "../scene/model-mesh.ts";
import type { Scene } from "../scene/project.ts";
import { newCoarseMeshes } from "./coarse-meshes.ts";
import { pageSceneOf, summariesOf } from "./describe-scene.ts";
import { type DownloadBody, asAttachment, downloadBody, makeDownload } from "./download.ts";
import { newChangeEvents } from "./events.ts";
import { newHistory } from "./history.ts";
import { boundariesOf, newLayerCache } from "./layer-cache.ts";
import { meshStream } from "./mesh-stream.ts";
import { newPlacesRoute } from "./places.ts";
import type { PageLayers, PageState, PageUpload, PageVersion } from "./replies.ts";
import { newSceneVersions } from "./scene-versions.ts";
import { addPage } from "./serve-page.ts";
import { newTemporaryFiles } from "./temporary-files.ts";

/** The server's side of the page in a browser: the page itself, and what it needs beside `/v1/` (`replies.ts`). */
export interface Ui {
  addRoutes(app: App): void;
  /** Of bodies that are files. */
  readonly streamedPaths: readonly string[];
  close(): Promise<void>;
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
  const process = newId();
  const events = newChangeEvents(store, versions);
  const layers = newLayerCache(server.pool, store);
  const coarseMeshes = newCoarseMeshes(server.pool);
  const files = newTemporaryFiles();
  const places = newPlacesRoute(runner, versions);

  /** The scene with its meshes in memory. */
  async function sceneInMemory(sceneId: string): Promise<Scene> {
    if (runner.swapInScenes) await runner.swapInScenes([sceneOf(sceneId).id]);
    return sceneOf(sceneId);
  }

  function sceneOf(sceneId: string): Scene {
    const id = parseId(sceneId);
    const scene = store.read().scenes.find((one) => one.id === id);
    if (!scene) throw notFound("There is no such scene: it may have been deleted.");
    return scene;
  }

  const json = (value: unknown): Response => withHeaders(jsonResponse(value), NOT_STORED);
  const jsonInTurns = async <T>(steps: Steps<T>): Promise<Response> => json(await inTurns(steps));

  const versionOf = (id: string): PageVersion => ({ id, version: versions.of(id), ...history.counts(id) });

  return {
    streamedPaths: ["/ui/upload", "/ui/upload/"],
    addRoutes(app) {
      addPage(app);
      app.get("/ui/state", () =>
        json({
          version: server.version,
          process,
          scenes: summariesOf(store.read(), records),
          deleted_count: history.deletedCount,
          user: server.session.user()?.username ?? null,
        } satisfies PageState),
      );
      app.get("/ui/scene/:id", async (context) =>
        jsonInTurns(pageSceneOf(await sceneInMemory(context.req.param("id")), records)),
      );
      app.get("/ui/mesh/:hash", async ({ req }) => {
        const mesh = heldMesh(req.param("hash"));
        if (!mesh) throw notFound("No model has this mesh any more.");
        const most = wholeNumber(req.query("max_triangles"), 100, Number.POSITIVE_INFINITY);
        const { bytes, stream } = meshStream(await coarseMeshes.get(mesh, most ?? Number.POSITIVE_INFINITY));
        const headers = { "Content-Type": "application/octet-stream", "Content-Length": String(bytes) };
        return new Response(stream, { headers: { ...headers, ...FOR_GOOD } });
      });
      app.get("/ui/events", () => events.listen(history.open()));

      app.get("/ui/scene/:id/layers", async (context) => {
        const scene = await sceneInMemory(context.req.param("id"));
        const version = versions.of(scene.id);
        if (context.req.query("boundaries_only") === "true")
          return json({ version, ...(await inTurns(boundariesOf(scene))) });
        return json({ version, ...(await layers.layers(scene, context.env.hungUp)) } satisfies PageLayers);
      });
      app.get("/ui/scene/:id/layers/:file{[0-9]+\\.png}", async (context) => {
        const { id, file } = context.req.param();
        const maxPixels = wholeNumber(context.req.query("max_px"), 1, MAX_PIXELS) ?? DEFAULT_PIXELS;
        const picture = await layers.picture(
          await sceneInMemory(id),
          Number.parseInt(file, 10),
          maxPixels,
          context.env.hungUp,
        );
        if (!picture) throw notFound("The scene has no such layer: ask for its layers again.");
        return new Response(picture, { headers: { "Content-Type": "image/png", ...NOT_STORED } });
      });

      app.post("/ui/places", async ({ req, env }) =>
        json(await places(env.rawBody.bytes(), req.query("async") === "true")),
      );

      app.post("/ui/upload", async ({ req, env }) => {
        const place = await files
          .receive(req.query("name") ?? "", env.bodyStream!, req.query("beside"))
          .catch((thrown: unknown) => errorResponse(toApiError(thrown), { Connection: "close" }));
        return place instanceof Response ? place : json({ file: place.path, token: place.token } satisfies PageUpload);
      });
      app.post("/ui/scene/:id/download", async ({ req, env }) => {
        const body = (await inTurns(readBody({ body: downloadBody }, env.rawBody.bytes()))) as DownloadBody;
        const isAsync = req.query("async") === "true";
        return json(await makeDownload(runner, files, sceneOf(req.param("id")), body, isAsync));
      });
      app.get("/ui/download/:token/:name", async ({ req }) => {
        const { token, name } = req.param();
        const { bytes, stream } = await files.take(token, name);
        return new Response(stream, {
          headers: {
            "Content-Type": "application/octet-stream",
            "Content-Length": String(bytes),
            "Content-Disposition": asAttachment(name),
            "X-Content-Type-Options": "nosniff",
            ...NOT_STORED,
          },
        });
      });

      for (const [path, move] of [
        ["undo", history.undo],
        ["redo", history.redo],
      ] as const) {
        app.post(`/ui/scene/:id/${path}`, async (context) => {
          const { id } = await sceneInMemory(context.req.param("id"));
          await sceneQueue.run([id], async () => move(id));
          return json(versionOf(id));
        });
      }
      app.post("/ui/scene/:id/join", ({ req }) => {
        const { id } = sceneOf(req.param("id"));
        const since = wholeNumber(req.query("since"), 1, Number.MAX_SAFE_INTEGER);
        history.join(id, (state) => versions.ofState(state) === since);
        return json(versionOf(id));
      });
      app.post("/ui/undo-delete", () => json(versionOf(history.undoDelete().id)));
    },
    async close() {
      events.close();
      layers.close();
      history.close();
      await files.close();
    },
  };
}

const DEFAULT_PIXELS = 1200;
const MAX_PIXELS = 4096;

/** The number of a query parameter, or the nearest one between these bounds. Undefined where there is none. */
function wholeNumber(text: string | undefined, min: number, max: number): number | undefined {
  const value = text === undefined || !/^\d+$/.test(text) ? undefined : Number(text);
  return value === undefined ? undefined : Math.min(max, Math.max(min, value));
}

function withHeaders(response: Response, headers: Readonly<Record<string, string>>): Response {
  for (const [name, value] of Object.entries(headers)) response.headers.set(name, value);
  return response;
}
