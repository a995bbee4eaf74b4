import { Buffer } from "node:buffer";
import * as v from "valibot";
import type { Endpoint } from "../api/endpoint.ts";
import { excerpt, inputError } from "../core/api-error.ts";
import { runStepwise } from "../core/steps.ts";
import { ENDPOINTS } from "../feature/endpoints.ts";
import type { App } from "../http/app.ts";
import { readBody, readRequest } from "../http/read-request.ts";
import { pageSceneOf } from "./describe-scene.ts";
import { type PageServices, jsonAnswer, versionOf } from "./page-services.ts";
import type { Preview } from "./previews.ts";
import type { PagePreview } from "./replies.ts";

const previewBody = v.strictObject({
  path: v.string(),
  body: v.record(v.string(), v.unknown()),
  tab: v.optional(v.pipe(v.string(), v.maxLength(100)), ""),
});

/** Adds the routes that compute changes of scenes without making them. */
export function addPreviewRoutes(app: App, services: PageServices): void {
  const { previews, runner } = services;
  app.post("/ui/preview", async ({ env }) => {
    const { path, body, tab } = (await runStepwise(
      readBody({ body: previewBody }, env.rawBody.bytes()),
    )) as v.InferOutput<typeof previewBody>;
    const endpoint = endpointOf(path);
    const request = await runStepwise(
      readRequest(endpoint, {
        query: new URLSearchParams(),
        body: Buffer.from(JSON.stringify(body)),
        convertedExtensions: runner.server.converters.extensions,
      }),
    );
    const preview = await previews.make(endpoint, request, { tab, hungUp: env.hungUp });
    return jsonAnswer(await previewOnWire(preview, services));
  });
  app.post("/ui/preview/:token/apply", async ({ req }) => {
    const { id } = await previews.apply(req.param("token"));
    return jsonAnswer(versionOf(services, id));
  });
}

function endpointOf(path: string): Endpoint {
  const endpoint = ENDPOINTS.find((one) => one.path === path);
  if (endpoint?.changesOneScene) return endpoint;
  throw inputError(`"${excerpt(path)}" is not the path of a request that changes one scene: it has no preview.`);
}

async function previewOnWire(
  { token, version, before, after, answer }: Preview,
  services: PageServices,
): Promise<PagePreview> {
  const scene = await runStepwise(pageSceneOf(after, services));
  const unchanged = new Set(before.models);
  const changed = new Set(after.models.filter((model) => !unchanged.has(model)).map(({ id }) => id));
  const left = new Set(after.models.map(({ id }) => id));
  return {
    token,
    version,
    scene: { ...scene, version, models: scene.models.filter(({ id }) => changed.has(id)) },
    removed_model_ids: before.models.flatMap(({ id }) => (left.has(id) ? [] : [id])),
    answer: answer ?? null,
  };
}
