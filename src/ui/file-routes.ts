import * as v from "valibot";
import { writtenJobExtension } from "../catalog/setting.ts";
import { toApiError } from "../core/api-error.ts";
import { runStepwise } from "../core/steps.ts";
import { type App, errorResponse } from "../http/app.ts";
import { readBody } from "../http/read-request.ts";
import { type DownloadBody, asAttachment, downloadBody, makeDownload, writeDownload } from "./download.ts";
import { NOT_STORED, type PageServices, jsonAnswer, sceneById } from "./page-services.ts";
import type { PageUpload } from "./replies.ts";
import { SAMPLE_NAME, samplePart } from "./sample-part.ts";

/** Paths whose request bodies are streamed to a file instead of being kept in memory. */
export const STREAMED_PATHS: readonly string[] = ["/ui/upload", "/ui/upload/"];

/** Body of a request for the calibration plate of the scene's printer and material: that of the endpoint, which checks it, without these. */
const plateBody = v.looseObject({});

/** Adds the routes for uploads and downloads. */
export function addFileRoutes(app: App, services: PageServices): void {
  const { runner, files } = services;
  app.post("/ui/upload", async ({ req, env }) => {
    try {
      const { path, token } = await files.receive(req.query("name") ?? "", env.bodyStream!, req.query("beside"));
      return jsonAnswer({ file: path, token } satisfies PageUpload);
    } catch (thrown) {
      return errorResponse(toApiError(thrown), { Connection: "close" });
    }
  });
  app.post("/ui/scene/:id/download", async ({ req, env }) => {
    const body = (await runStepwise(readBody({ body: downloadBody }, env.rawBody.bytes()))) as DownloadBody;
    const isAsync = req.query("async") === "true";
    return jsonAnswer(await makeDownload(runner, files, sceneById(services, req.param("id")), body, isAsync));
  });
  app.post("/ui/scene/:id/calibration-plate", async ({ req, env }) => {
    const body = (await runStepwise(readBody({ body: plateBody }, env.rawBody.bytes()))) as object;
    const { combination, printerType } = sceneById(services, req.param("id")).setting;
    const plate = {
      machine_type: combination.machineType,
      material_code: combination.materialCode,
      layer_thickness_mm: combination.layerThicknessMm,
      ...body,
    };
    const written = {
      endpoint: "/v1/calibration/plate/",
      name: `calibration${writtenJobExtension(printerType)}`,
      bodyOf: (file: string) => ({ ...plate, output_file: file }),
    };
    return jsonAnswer(await writeDownload(runner, files, written, req.query("async") === "true"));
  });
  app.get("/ui/sample", () => {
    const headers = { "Content-Type": "model/obj", "Content-Disposition": asAttachment(SAMPLE_NAME), ...NOT_STORED };
    return new Response(samplePart(), { headers });
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
}
