import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { extname, join } from "node:path";
import { test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { strFromU8, unzipSync } from "fflate";
import { lazy } from "../../../src/core/memoize.ts";
import { ENDPOINTS } from "../../../src/feature/endpoints.ts";
import { QUICK_CHECKS } from "../../../src/feature/findings/check-scene.ts";
import { newApp } from "../../../src/http/app.ts";
import { newPrintwright } from "../../../src/printwright.ts";
import type { Pool } from "../../../src/worker/pool.ts";
import { newSharedResults } from "../../../src/worker/shared-results.ts";
import { MODEL_FILES, dentalArchFile } from "../../bench/models.ts";
import type { Reply } from "../../fixture/client.ts";
import { longTest } from "../../fixture/long.ts";
import { modelBody } from "../../fixture/check-request.ts";
import { jobOfBodies } from "../../fixture/job/job-of-bodies.ts";
import { box, uvSphere } from "../../fixture/shapes.ts";
import { evenly, gridOf, meshOf } from "../../fixture/slices.ts";
import { binaryStl } from "../../fixture/stl-file.ts";
import { isDeno } from "../../fixture/printwright.ts";
import { temporaryFiles } from "../../fixture/temporary-files.ts";
import { POWDER, RESIN } from "../../fixture/test-server.ts";

// ARCHITECTURE, "Determinism": every request that computes on threads gives the same reply and the same files with any number of threads, whichever
// of its tasks start and end first.

type Body = Reply["body"];

const file = temporaryFiles();
const CUBE = file("cube.stl", binaryStl(box([12, 14, 16])));
const asset = (name: string): string => join(import.meta.dirname, "../../../assets/demo", name);

interface Threads {
  readonly threads: number;
  /** Tasks that are asked for together start in reverse order, some of them late. */
  readonly isDisordered?: boolean;
}

/** The parts whose work is divided only above a size need the large ones. */
interface Parts {
  readonly part: string;
  readonly others: readonly string[];
  readonly arch: string;
}

const LATE_MS = 100;
/** One of so many tasks starts late. */
const LATE_ONE_OF = 7;
const MANY_AT_ONCE = 5;

function disordered(pool: Pool): Pool {
  let waiting: (() => void)[] = [];
  let count = 0;
  function startReversed(): void {
    const started = waiting.toReversed();
    waiting = [];
    for (const start of started) start();
  }
  return {
    ...pool,
    async compute(...args) {
      const isLate = count++ % LATE_ONE_OF === 0;
      await new Promise<void>((start) => {
        if (waiting.push(start) === 1) setImmediate(startReversed);
      });
      if (isLate) await sleep(LATE_MS);
      return pool.compute(...args);
    },
    tasksAtOnce: (task, workMs) => Math.max(MANY_AT_ONCE, pool.tasksAtOnce(task, workMs)),
  };
}

/** All replies and files of the requests, each with its ids by order of appearance and without dates. */
async function resultsOf({ threads, isDisordered = false }: Threads, parts: Parts): Promise<Map<string, string>> {
  const folder = mkdtempSync(join(tmpdir(), "printwright-threads-"));
  const printwright = newPrintwright({ maxScenes: 100, maxMemoryBytes: 2 ** 33, threads });
  const { runner } = printwright;
  const pool = isDisordered ? disordered(runner.server.pool) : runner.server.pool;
  const server = { ...runner.server, pool, sharedResults: newSharedResults(pool) };
  const app = newApp(ENDPOINTS, { ...runner, server }, []);
  const results = new Map<string, string>();
  const plain = newPlainText(folder);

  async function post(path: string, body: object): Promise<Body> {
    const bytes = new TextEncoder().encode(JSON.stringify(body));
    const rawBody = { size: bytes.length, bytes: () => bytes, release() {} };
    const env = { headers: {}, rawBody, hungUp: new AbortController().signal };
    const response = await app.fetch(new Request(`http://localhost${path}`, { method: "POST" }), env);
    const text = await response.text();
    assert.ok(response.ok, `${path}: ${text}`);
    results.set(`${results.size} ${path}`, plain(text));
    const written = (body as { file?: string }).file;
    if (written?.startsWith(folder))
      results.set(`${results.size} ${written.slice(folder.length)}`, fileText(written, plain));
    return text === "" ? undefined : JSON.parse(text);
  }
  try {
    await resinRequests(post, folder, parts);
    await planRequests(post, folder);
    await powderRequests(post, folder);
    await jobRequests(post, folder);
  } finally {
    await printwright.close();
    rmSync(folder, { recursive: true });
  }
  return results;
}

const idOf = ({ new_models: [{ model_id }] }: Body): string => model_id;

type Post = (path: string, body: object) => Promise<Body>;

async function resinRequests(post: Post, folder: string, { part, others, arch }: Parts): Promise<void> {
  const { scene_id } = await post("/v1/scene/create/", RESIN);
  const model = (action: string, body: object = {}): Promise<Body> =>
    post(`/v1/scene/model/${action}/`, { scene_id, ...body });
  const scene = (action: string, body: object = {}): Promise<Body> =>
    post(`/v1/scene/${action}/`, { scene_id, ...body });
  const imported = async (path: string): Promise<string> =>
    idOf(await model("import", { file: path, repair_behavior: "REPAIR" }));
  const id = await imported(part);
  await model("auto-orient");
  for (const check of ["cups", "minima", "supportedness"]) await model(`validate/${check}`);
  await model("auto-support");
  await model("supports/set", { model_id: id, touchpoint_size_mm: 0.4 });
  await model("supports/get", { model_id: id, include_struts: true });
  await model("regenerate-supports");
  for (const check of ["cups", "minima", "supportedness", "hold", "manifoldness"]) await model(`validate/${check}`);
  await model("validate/thin-features", { threshold_mm: 1 });
  for (const name of ["job.printjob", "parts.stl", "parts.3mf"]) await scene("export", { file: join(folder, name) });
  await scene("calculate-print-time");
  await scene("render", { file: join(folder, "picture.png") });
  await model("duplicate", { model_ids: [id], count: 1 });
  await model("validate/interferences");
  await scene("check", { checks: [...QUICK_CHECKS, "THIN_FEATURES"], threshold_mm: 1 });
  await model("mirror", { axis: "Y" });
  await model("stretch", { factors: { x: 1.1, y: 0.9, z: 1 } });
  await model("auto-layout");
  const infill = { cell_size_mm: 4, wall_thickness_mm: 0.4, clearance_mm: 1 };
  const hollow = (kind: string): Promise<Body> =>
    model("hollow", { wall_thickness_mm: 0.8, feature_size_mm: 0.3, model_ids: [id], infill: { ...infill, kind } });
  await hollow("STRUTS");
  await scene("export", { file: join(folder, "struts.printjob") });
  await hollow("GYROID");
  await scene("export", { file: join(folder, "filled.printjob"), include_infill: true });
  await scene("export", { file: join(folder, "filled.stl"), include_infill: true });
  await model("vent", { diameter_mm: 1 });
  await model("auto-drain", { vent_diameter_mm: 1, drain_diameter_mm: 2, dry_run: true });
  await model("cut", { plane: { point: { x: 0, y: 0, z: 12 }, normal: { x: 1, y: 0, z: 9 } }, keys: "AUTO" });
  await scene("save", { scene_ids: [scene_id], scene_id: undefined, file: join(folder, "scene.form") });
  const other = await post("/v1/scene/create/", RESIN);
  const inOther = (action: string, body: object): Promise<Body> =>
    post(`/v1/scene/model/${action}/`, { scene_id: other.scene_id, ...body });
  for (const path of others) {
    await inOther("import", { file: path, repair_behavior: "REPAIR" });
  }
  await inOther("auto-orient", {});
  await inOther("validate/thin-features", { threshold_mm: 3 });
  await inOther("body-count", {});
  await inOther("split-bodies", {});
  await inOther("measure", {});
  await post("/v1/scene/export/", { scene_id: other.scene_id, file: join(folder, "others.stl") });
  const { scene_id: dental } = await post("/v1/scene/create/", RESIN);
  await post("/v1/scene/model/import/", { scene_id: dental, file: arch });
  await post("/v1/scene/model/auto-orient/", { scene_id: dental, mode: "DENTAL" });
  await post("/v1/scene/model/dental-hollow/", { scene_id: dental, extrude_distance_mm: 3, hollow: true });
  await post("/v1/scene/export/", { scene_id: dental, file: join(folder, "arch.stl") });
}

async function planRequests(post: Post, folder: string): Promise<void> {
  const { machine_type, ...material } = RESIN;
  const orders = [CUBE, asset("axle.stl")].map((path, i) => ({
    order: `order ${i}`,
    group: i === 0 ? "cubes" : undefined,
    file: path,
    copies: 40,
    ...material,
  }));
  const begins_at = "2026-11-23T06:00:00Z";
  const { plates } = await post("/v1/plan/create/", {
    orders,
    printers: [{ printer: "left", machine_type }],
    begins_at,
  });
  const { scene_id } = await post("/v1/plan/open/", { ...RESIN, parts: plates[0].parts });
  await post("/v1/scene/export/", { scene_id, file: join(folder, "planned.stl") });
}

async function powderRequests(post: Post, folder: string): Promise<void> {
  const { scene_id } = await post("/v1/scene/create/", POWDER);
  const model = (action: string, body: object = {}): Promise<Body> =>
    post(`/v1/scene/model/${action}/`, { scene_id, ...body });
  const id = idOf(await model("import", { file: CUBE }));
  const gear = idOf(await model("import", { file: asset("gear-small.stl"), repair_behavior: "REPAIR" }));
  await model("duplicate", { model_ids: [id], count: 3 });
  await model("auto-pack");
  await model("cage", { model_ids: [gear], packing_type: "PACK_VOLUME" });
  await model("fill-build-chamber", { model_ids: [id], fill_to_height_mm: 20, model_spacing_mm: 60 });
  await post("/v1/scene/export/", { scene_id, file: join(folder, "chamber.stl") });
}

/** Four chunks of layers. */
const JOB = file(
  "job.ctb",
  jobOfBodies(
    [modelBody(0, meshOf(uvSphere(4, 24, 24)), [0, 0, 1])].map(({ placed }) => placed),
    evenly(100, 0.1),
    gridOf(200, 180, 0.05),
  ),
);

async function jobRequests(post: Post, folder: string): Promise<void> {
  const written = join(folder, "converted.ctb");
  await post("/v1/job/convert/", { file: JOB, output_file: written, machine_type: "CREALITY-LD-002R" });
  await post("/v1/job/compare/", { file: JOB, other_file: written });
  await post("/v1/job/inspect/", { file: JOB, bridging_distance_mm: 0.5 });
}

const UUID = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g;
const DATE = /\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d[.\d]*(Z|[+-]\d\d:\d\d)?/g;

/** Replaces ids by the order in which they appear, dates, and the folder of this run. */
function newPlainText(folder: string): (text: string) => string {
  const numbers = new Map<string, number>();
  return (text) =>
    text
      .replaceAll(folder, "")
      .replaceAll(DATE, "a date")
      .replaceAll(UUID, (id) => `id ${numbers.get(id) ?? numbers.set(id, numbers.size).size - 1}`);
}

const ARCHIVES = new Set([".printjob", ".form", ".3mf"]);

function fileText(path: string, plain: (text: string) => string): string {
  const bytes = readFileSync(path);
  if (!ARCHIVES.has(extname(path))) return hash(bytes);
  const entries = Object.entries(unzipSync(bytes)).map(([name, content]) => {
    const isText = /\.(json|ini|xml|model|rels|txt)$/.test(name);
    return `${plain(name)} ${isText ? plain(strFromU8(content)) : hash(content)}`;
  });
  return entries.join("\n");
}

const hash = (bytes: Uint8Array): string => createHash("sha256").update(bytes).digest("hex");

function assertSame(results: Map<string, string>, expected: Map<string, string>, what: string): void {
  assert.deepEqual([...results.keys()], [...expected.keys()]);
  for (const [name, text] of results) assert.equal(text, expected.get(name), `${name} ${what}`);
}

const TIMEOUT_MS = 300_000;
const SMALL = "small parts give the same replies and files on one thread and on three in disorder";

async function trySmall(): Promise<void> {
  const parts = { part: asset("axle.stl"), others: [asset("bracket.step"), CUBE], arch: dentalArchFile(2000) };
  const expected = await resultsOf({ threads: 1 }, parts);
  assertSame(await resultsOf({ threads: 3, isDisordered: true }, parts), expected, "on 3 threads");
}

// The plain suite leaves it out under Bun, where the long one has both.
if (isDeno) test(SMALL, trySmall);
else longTest(SMALL, trySmall, TIMEOUT_MS);

const LARGE: Parts = {
  part: MODEL_FILES["908460"],
  others: [asset("bracket.step"), CUBE],
  arch: dentalArchFile(40_000),
};
const onOneThread = lazy(() => resultsOf({ threads: 1 }, LARGE));

for (const [threads, isDisordered] of [
  [2, false],
  [3, true],
  [8, false],
  [16, true],
] as const) {
  const what = `on ${threads} threads${isDisordered ? " in disorder" : ""}`;
  longTest(
    `large parts give the same replies and files ${what} as on one`,
    async () => assertSame(await resultsOf({ threads, isDisordered }, LARGE), await onOneThread(), what),
    TIMEOUT_MS,
  );
}
