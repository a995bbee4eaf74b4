import { printerTypes } from "../catalog/catalog.ts";
import { notFound } from "../core/api-error.ts";
import { runStepwise } from "../core/steps.ts";
import type { App } from "../http/app.ts";
import { heldMesh } from "../scene/model-mesh.ts";
import { pageSceneOf, summariesOf } from "./describe-scene.ts";
import { formDefaults } from "./form-defaults.ts";
import { shownJobExtensions } from "./job-routes.ts";
import { newLayerMarksRoute } from "./layer-marks.ts";
import { boundariesOf } from "./layer-cache.ts";
import { facesOfMesh } from "./faces.ts";
import { meshStream } from "./mesh-stream.ts";
import {
  NOT_STORED,
  type PageServices,
  jsonAnswer,
  pictureSidePx,
  sceneById,
  sceneInMemory,
  wholeNumberIn,
} from "./page-services.ts";
import { newOverlapsRoute } from "./overlaps.ts";
import { newPlacesRoute } from "./places.ts";
import type { PageLayers, PageMakers, PageSlicing, PageState } from "./replies.ts";
import { printsOf } from "./running-prints.ts";
import type { PageSteps } from "./work-replies.ts";

/** Meshes are identified by their hashes, so that browsers may cache them forever. */
const CACHED_FOREVER = { "Cache-Control": "private, max-age=31536000, immutable" };
/** For a picture of one version of a scene: versions begin anew with the server. */
const CACHED_SHORTLY = { "Cache-Control": "private, max-age=60" };
const MIN_TRIANGLES = 100;

/** Adds the routes that report the state of the server, its scenes and their meshes, and the stream of their changes. */
export function addSceneRoutes(app: App, services: PageServices): void {
  const { runner, history, events, coarseMeshes } = services;
  const { server } = runner;
  app.get("/ui/prints", () => jsonAnswer(printsOf(server)));
  app.get("/ui/state", () =>
    jsonAnswer({
      version: server.version,
      process: services.processId,
      scenes: summariesOf(server.store.read(), services),
      deleted_count: history.deletedCount,
      job_extensions: shownJobExtensions(),
      user: server.session.user()?.username ?? null,
    } satisfies PageState),
  );
  app.get("/ui/makers", () =>
    jsonAnswer(
      Object.fromEntries(
        printerTypes().map(({ label, maker, family }) => [label, { maker, family }]),
      ) satisfies PageMakers,
    ),
  );
  app.get("/ui/scene/:id", async ({ req }) => {
    const scene = await sceneInMemory(services, req.param("id"));
    return jsonAnswer(await runStepwise(pageSceneOf(scene, services)));
  });
  app.get("/ui/scene/:id/defaults", ({ req }) => jsonAnswer(formDefaults(sceneById(services, req.param("id")))));
  app.get("/ui/scene/:id/steps", async ({ req }) => {
    const scene = await sceneInMemory(services, req.param("id"));
    const { version, steps } = await runStepwise(pageSceneOf(scene, services));
    return jsonAnswer({ version, steps } satisfies PageSteps);
  });
  app.get("/ui/mesh/:hash", async ({ req }) => {
    const mesh = heldMesh(req.param("hash"));
    if (!mesh) throw notFound("No model has this mesh now.");
    const maxTriangles = wholeNumberIn(req.query("max_triangles"), MIN_TRIANGLES, Number.POSITIVE_INFINITY);
    const { bytes, stream } = meshStream(await coarseMeshes.get(mesh, maxTriangles ?? Number.POSITIVE_INFINITY));
    const headers = { "Content-Type": "application/octet-stream", "Content-Length": String(bytes) };
    return new Response(stream, { headers: { ...headers, ...CACHED_FOREVER } });
  });
  app.get("/ui/mesh/:hash/faces", async ({ req }) =>
    jsonAnswer(await facesOfMesh(req.param("hash"), server.pool), CACHED_FOREVER),
  );
  app.get("/ui/events", () => events.listen(history.open()));
}

/** Adds the routes of data computed from a scene: its layers, and the places of findings. */
export function addLayerRoutes(app: App, services: PageServices): void {
  const { runner, versions, layers } = services;
  app.get("/ui/scene/:id/layers", async ({ req, env }) => {
    const scene = await sceneInMemory(services, req.param("id"));
    const version = versions.of(scene.id);
    if (req.query("boundaries_only") === "true") {
      return jsonAnswer({ version, ...(await runStepwise(boundariesOf(scene))) });
    }
    return jsonAnswer({ version, ...(await layers.layers(scene, env.hungUp)) } satisfies PageLayers);
  });
  app.get("/ui/scene/:id/layers/:file{[0-9]+\\.png}", async ({ req, env }) => {
    const { id, file } = req.param();
    const maxPixels = pictureSidePx(req.query("max_px"));
    const scene = await sceneInMemory(services, id);
    const picture = await layers.picture(scene, Number.parseInt(file, 10), maxPixels, env.hungUp);
    if (!picture) throw notFound("The scene does not have this layer: request its layers again.");
    // The play of layers loads a picture before it shows it.
    const caching = req.query("version") === String(versions.of(scene.id)) ? CACHED_SHORTLY : NOT_STORED;
    return new Response(picture, { headers: { "Content-Type": "image/png", ...caching } });
  });

  const marks = newLayerMarksRoute(runner, versions);
  app.get("/ui/scene/:id/layer-marks", async ({ req }) =>
    jsonAnswer(await marks((await sceneInMemory(services, req.param("id"))).id)),
  );
  app.get("/ui/scene/:id/slicing", ({ req }) => {
    const share = layers.share(sceneById(services, req.param("id")));
    return jsonAnswer({ share: share ?? null } satisfies PageSlicing);
  });

  const overlaps = newOverlapsRoute(runner, versions);
  app.get("/ui/scene/:id/overlaps", async ({ req }) => {
    const { id } = sceneById(services, req.param("id"));
    return jsonAnswer(await overlaps(id));
  });

  const places = newPlacesRoute(runner, versions);
  app.post("/ui/places", async ({ req, env }) =>
    jsonAnswer(await places(env.rawBody.bytes(), req.query("async") === "true")),
  );
}
