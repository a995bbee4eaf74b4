import { Buffer } from "node:buffer";
import { extname } from "node:path";
import * as v from "valibot";
import { jobExtensions } from "../catalog/catalog.ts";
import { notFound } from "../core/api-error.ts";
import { runStepwise } from "../core/steps.ts";
import { extensionOfJobsFor } from "../feature/job-files/conversion-target.ts";
import { gridOfJob, orientationOfJob } from "../feature/job-files/job-place.ts";
import type { JobHead } from "../feature/job-files/read-job.ts";
import { drawJobPictureTask, readJobHeadTask, scaleThumbnailsTask } from "../feature/job-files/task.ts";
import type { App } from "../http/app.ts";
import { readBody } from "../http/read-request.ts";
import { type Turn, turnToAbove } from "../job/fit/turned-runs.ts";
import { wireMm, wireS } from "../scene/wire-numbers.ts";
import { layerImageSize } from "../slice/pixel-grid.ts";
import type { Pool } from "../worker/pool.ts";
import { writeDownload } from "./download.ts";
import { computeUnlessHungUp } from "./layer-cache.ts";
import { type PageServices, jsonAnswer, pictureSidePx, wholeNumberIn } from "./page-services.ts";
import type { PageJob } from "./replies.ts";

/** Uploads do not change, and are removed after an hour. */
const CACHED = { "Cache-Control": "private, max-age=3600" };

/** Body of a request to convert a job: that of the endpoint, which checks it, without its files. */
const convertBody = v.looseObject({ machine_type: v.optional(v.string()) });

/** Extensions of jobs that are read although the catalog has no machine that takes them. */
const OTHER_EXTENSIONS = [".cbddlp", ".photons", ".osla"];

/** Extensions of the files that the page shows as jobs. */
export const shownJobExtensions = (): string[] => [...new Set([...jobExtensions(), ...OTHER_EXTENSIONS])];

/** Adds the routes for job files that were uploaded: what `/v1/job/inspect/` does not say, pictures, and conversion. */
export function addJobRoutes(app: App, { runner, files }: PageServices): void {
  const { pool } = runner.server;
  const frames = new JobFrames(pool);
  app.get("/ui/job/:token/:name", async ({ req, env }) => {
    const { token, name } = req.param();
    const head = await computeUnlessHungUp(
      pool,
      readJobHeadTask,
      { file: await files.pathOf(token, name) },
      env.hungUp,
    );
    return jsonAnswer(pageJobOf(head));
  });
  app.get("/ui/job/:token/:name/layers/:file{[0-9]+\\.png}", async ({ req, env }) => {
    const { token, name, file: layerName } = req.param();
    const file = await files.pathOf(token, name);
    const frame = await frames.get(file);
    const layer = Number.parseInt(layerName, 10);
    if (layer >= frame.layerCount) throw notFound("The job does not have this layer.");
    const [column, row] = [pixelAt(req.query("x")), pixelAt(req.query("y"))];
    const closeUp = column === undefined || row === undefined ? undefined : ([column, row] as const);
    const maxPixels = Math.min(pictureSidePx(req.query("max_px")), closeUp ? MAX_CLOSE_UP : Infinity);
    const request = { file, ...frame, layer, maxPixels, closeUp };
    return png([await computeUnlessHungUp(pool, drawJobPictureTask, request, env.hungUp)]);
  });
  app.get("/ui/job/:token/:name/preview.png", async ({ req, env }) => {
    const { token, name } = req.param();
    const file = await files.pathOf(token, name);
    const { thumbnails } = await computeUnlessHungUp(pool, readJobHeadTask, { file }, env.hungUp);
    const [largest] = thumbnails.toSorted((a, b) => b.width * b.height - a.width * a.height);
    if (!largest) throw notFound("The job has no preview.");
    const drawn = { thumbnails: [largest], sizes: [largest] };
    return png((await computeUnlessHungUp(pool, scaleThumbnailsTask, drawn, env.hungUp)).flatMap((one) => one.png));
  });
  app.post("/ui/job/:token/:name/convert", async ({ req, env }) => {
    const { token, name } = req.param();
    const file = await files.pathOf(token, name);
    const body = await runStepwise(readBody({ body: convertBody }, env.rawBody.bytes()));
    const { machine_type } = body as v.InferOutput<typeof convertBody>;
    const extension = machine_type === undefined ? extname(name) : extensionOfJobsFor(machine_type);
    const converted = {
      endpoint: "/v1/job/convert/",
      name: name.slice(0, name.length - extname(name).length) + extension,
      bodyOf: (path: string) => ({ ...(body as object), file, output_file: path }),
    };
    return jsonAnswer(await writeDownload(runner, files, converted, req.query("async") === "true"));
  });
}

/** Reads a place in a picture from a query parameter. */
const pixelAt = (text: string | undefined): number | undefined => wholeNumberIn(text, 0, MAX_SIDE);
/** Longest side of the pictures of jobs, and of a close-up, pixels. */
const MAX_SIDE = 65_535;
const MAX_CLOSE_UP = 512;

const png = (pieces: readonly Uint8Array[]): Response =>
  new Response(Buffer.concat(pieces), { headers: { "Content-Type": "image/png", ...CACHED } });

/** What the pictures of a job need of its head. */
interface JobFrame {
  readonly layerCount: number;
  readonly turn: Turn;
  readonly pixelSize: readonly [across: number, down: number];
}

const frameOf = (head: JobHead): JobFrame => {
  const grid = gridOfJob(head);
  return {
    layerCount: head.exposuresS.length,
    turn: turnToAbove(orientationOfJob(head)),
    pixelSize: grid ? layerImageSize(grid).pixelMm : [1, 1],
  };
};

function pageJobOf(head: JobHead): PageJob {
  const { turn, pixelSize } = frameOf(head);
  const [across, down] = [head.pixels[0] * pixelSize[0], head.pixels[1] * pixelSize[1]];
  return {
    boundaries_mm: Array.from(head.boundariesMm, wireMm),
    exposures_s: Array.from(head.exposuresS, wireS),
    aspect: turn.transposed ? down / across : across / down,
    turn: { transposed: turn.transposed, flipped_x: turn.flippedX, flipped_y: turn.flippedY },
    has_preview: head.thumbnails.length > 0,
  };
}

/** Jobs whose frames are kept: those that pages show now. */
const MAX_FRAMES = 32;

/** The frames of jobs, by their files, so that not every picture reads the whole head of its job. */
class JobFrames {
  readonly #pool: Pool;
  readonly #known = new Map<string, Promise<JobFrame>>();

  constructor(pool: Pool) {
    this.#pool = pool;
  }

  get(file: string): Promise<JobFrame> {
    const known = this.#known.get(file);
    if (known) return known;
    const [oldest] = this.#known.keys();
    if (oldest !== undefined && this.#known.size >= MAX_FRAMES) this.#known.delete(oldest);
    const head = computeUnlessHungUp(this.#pool, readJobHeadTask, { file }, new AbortController().signal);
    const frame = head.then(frameOf);
    this.#known.set(file, frame);
    frame.catch(() => this.#known.delete(file));
    return frame;
  }
}
