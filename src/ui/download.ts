import { Buffer } from "node:buffer";
import * as v from "valibot";
import { ENDPOINTS } from "../feature/endpoints.ts";
import { runStepwise } from "../core/steps.ts";
import { readRequest } from "../http/read-request.ts";
import { type Runner, runAsync, runSync } from "../http/run-request.ts";
import type { Scene } from "../scene/project.ts";
import type { PageDownload } from "./replies.ts";
import type { TemporaryFiles } from "./temporary-files.ts";

/** Path of the endpoint that writes each format. */
const WRITERS = {
  form: "/v1/scene/save/",
  fps: "/v1/print-setting/save/",
  png: "/v1/scene/render/",
  webp: "/v1/scene/render/",
  stl: "/v1/scene/export/",
  "3mf": "/v1/scene/export/",
  obj: "/v1/scene/export/",
  glb: "/v1/scene/export/",
  job: "/v1/scene/export/",
} as const;

const MAX_NAME_LENGTH = 200;

/** Body of a request to save a scene as a file. */
export const downloadBody = v.strictObject({
  format: v.picklist(Object.keys(WRITERS) as (keyof typeof WRITERS)[]),
  /** File name without extension. */
  name: v.optional(v.pipe(v.string(), v.minLength(1), v.maxLength(MAX_NAME_LENGTH))),
  /** Further fields of the endpoint's body, such as `model_ids`. */
  options: v.optional(v.record(v.string(), v.unknown()), {}),
});

export type DownloadBody = v.InferOutput<typeof downloadBody>;

/**
 * Has an endpoint of `/v1/` write a temporary file of a scene, which the page then downloads. With `async` it returns at once; the file
 * exists after the operation has succeeded.
 */
export function makeDownload(
  runner: Runner,
  files: TemporaryFiles,
  scene: Scene,
  { format, name = defaultName(scene), options }: DownloadBody,
  async: boolean,
): Promise<PageDownload> {
  const extension = format === "job" ? scene.setting.printerType.jobExtension : `.${format}`;
  const scenes = format === "form" ? { scene_ids: [scene.id], ...options } : { ...options, scene_id: scene.id };
  const file = { endpoint: WRITERS[format], name: name + extension, bodyOf: (file: string) => ({ ...scenes, file }) };
  return writeDownload(runner, files, file, async);
}

/** A file that an endpoint writes: its name, and the body of the request for its path. */
interface WrittenFile {
  readonly endpoint: string;
  readonly name: string;
  bodyOf(path: string): object;
}

/** {@link makeDownload} of any file. */
export async function writeDownload(
  runner: Runner,
  files: TemporaryFiles,
  written: WrittenFile,
  async: boolean,
): Promise<PageDownload> {
  const endpoint = ENDPOINTS.find(({ path }) => path === written.endpoint)!;
  const { token, path, name } = await files.newFile(written.name);
  const body = Buffer.from(JSON.stringify(written.bodyOf(path)));
  const request = await runStepwise(readRequest(endpoint, { query: new URLSearchParams(), body }));
  const answer = { url: `/ui/download/${token}/${encodeURIComponent(name)}`, name };
  if (async) return { ...answer, operation_id: runAsync(runner, endpoint, request) };
  await runSync(runner, endpoint, request);
  return answer;
}

/** Name of the scene; without one, the name of its first model without extension. */
function defaultName({ name, models: [first] }: Scene): string {
  return (name ?? first?.name.replace(/\.[^.]+$/, "")) || "scene";
}

/** Value of the `Content-Disposition` header with which a browser saves a file under its name (RFC 6266, section 4). */
export const asAttachment = (name: string): string =>
  `attachment; filename="${name.replace(/[^\w. ()-]/g, "_")}"; filename*=UTF-8''${encodeURIComponent(name).replace(/['()*]/g, percentOf)}`;

const percentOf = (letter: string): string => `%${letter.charCodeAt(0).toString(16).toUpperCase()}`;
