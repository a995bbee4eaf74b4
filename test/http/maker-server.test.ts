import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { unzipSync } from "fflate";
import type { Reply } from "../fixture/client.ts";
import { readManifest } from "../fixture/job/read-printjob.ts";
import { readPngLayer } from "../fixture/job/read-png-layer.ts";
import { longTest } from "../fixture/long.ts";
import { PASSWORD, someAccount, writePrintersFile } from "../fixture/printers-file.ts";
import { type Printwright, startPrintwright } from "../fixture/printwright.ts";
import { box, tetrahedron, uvSphere } from "../fixture/shapes.ts";
import { binaryStl } from "../fixture/stl-file.ts";
import { temporaryFiles } from "../fixture/temporary-files.ts";
import { POWDER, RESIN, assertRefused, bodyOf } from "../fixture/test-server.ts";
import { until } from "../fixture/until.ts";

// Form and Fuse printers through a server with the 0.9 interface: here another Printwright with virtual printers.

const file = temporaryFiles();
const SPIKE = file("spike.stl", binaryStl(tetrahedron(6)));
const HOLLOWED = file("ball.stl", binaryStl(uvSphere(9)));
const BLOCK = file("block.stl", binaryStl(box([8, 6, 0.6])));
const QUEUE = "6f1f2c9e-3f57-4b7e-9c58-0a4f6a3a9b11";
const QUEUE_2 = "0b8e8a54-12cd-4f5d-8a5e-5c9ad4a5b6f0";

const folder = mkdtempSync(join(tmpdir(), "printwright-maker-http-"));
const made = join(folder, "made");
const shared = join(folder, "shared");
/** The files of held jobs, without those of the folder itself. */
const heldFiles = (): string[] =>
  readdirSync(join(folder, "own", "held"))
    .filter((name) => !name.startsWith("."))
    .sort();
let maker: Printwright;
let own: Printwright;

async function startOwn(paused: boolean): Promise<Printwright> {
  const printers = join(folder, "printers.json");
  writePrintersFile(printers, {
    printers: [{ url: `preform://127.0.0.1:${maker.port}`, shared_folder: shared, printers: ["Vee", "Fuse"] }],
    queues: [
      { id: QUEUE, name: "All", printers: ["Vee", "Fuse"], paused },
      { id: QUEUE_2, name: "Other", printers: ["Own"] },
    ],
    accounts: [await someAccount("ann")],
  });
  const server = await startPrintwright([
    "--printers",
    printers,
    "--virtual-printer=FORM-4-0=Own",
    `--job-dir=${join(folder, "own")}`,
  ]);
  bodyOf(await server.post("/v1/login/", { username: "ann", password: PASSWORD }));
  return server;
}

before(async () => {
  mkdirSync(shared);
  maker = await startPrintwright([
    "--compat-0.9",
    "--no-page",
    "--virtual-printer=FORM-4-0=Vee",
    "--virtual-printer=FS30-1-0=Fuse",
    `--job-dir=${made}`,
  ]);
  own = await startOwn(true);
});
after(async () => {
  await own.stop();
  rmSync(folder, { recursive: true });
});

async function sceneOf(combination: object, model: string): Promise<string> {
  const { scene_id } = bodyOf(await own.post("/v1/scene/create/", combination));
  bodyOf(await own.post("/v1/scene/model/import/", { scene_id, file: model }));
  return scene_id;
}

const print = (scene_id: string, printer: string, body: object = {}): Promise<Reply> =>
  own.post("/v1/scene/print/", { scene_id, printer, job_name: "plate", find_printer_timeout_seconds: 10, ...body });

const jobsOf = (name: string): string[] => readdirSync(made).filter((one) => one.startsWith(`${name}-`));
const jobOf = (name: string): Uint8Array => {
  const [job, ...others] = jobsOf(name);
  assert.deepEqual(others, []);
  return readFileSync(join(made, job!));
};

/** What a job and a scene at the server leave there. */
async function assertNothingLeft(): Promise<void> {
  const { scenes } = bodyOf(await maker.call("GET", "/scenes/"));
  assert.deepEqual(
    scenes.map(({ models }: { models: unknown[] }) => models.length),
    [0],
  );
  assert.deepEqual(readdirSync(shared), []);
}

const isSupported = async (scene_id: string): Promise<boolean> =>
  bodyOf(await own.post("/v1/scene/get/", { scene_id })).models.every(
    ({ has_supports }: { has_supports: boolean }) => has_supports,
  );

longTest(
  "a plate with our supports is printed by the maker's server, with the layers that we would print",
  async () => {
    const scene_id = await sceneOf(RESIN, SPIKE);
    bodyOf(await own.post("/v1/scene/model/orient/", { scene_id, orientation: { x: 20, y: 30, z: 40 } }));
    bodyOf(
      await own.post("/v1/scene/model/auto-support/", { scene_id, raft_type: "MINI_RAFT", height_above_raft_mm: 1 }),
    );
    bodyOf(await own.post("/v1/scene/model/translate/", { scene_id, position: { x: 31.4, y: -20.7, z: 0 } }));
    assert.ok(await isSupported(scene_id));
    await assertSameLayers(scene_id, "Vee", "spike", 60);
  },
);

/** Asserts that the job that the server made of a scene has the layers of ours; every nth one is compared. */
async function assertSameLayers(scene_id: string, printer: string, job_name: string, nth: number): Promise<void> {
  bodyOf(await print(scene_id, printer, { job_name }));
  const exported = join(folder, "own.printjob");
  bodyOf(await own.post("/v1/scene/export/", { scene_id, file: exported }));
  const [theirs, ours] = [jobOf(job_name), readFileSync(exported)];
  const { layers } = readManifest(ours);
  assert.equal(readManifest(theirs).layers.length, layers.length);
  const compared = layers.filter((_, i) => i % nth === 5).map((layer) => layer.file);
  const [lit, differing] = differenceOf(ours, theirs, compared);
  assert.ok(lit > 1000, String(lit));
  assert.ok(differing <= 0.002 * lit, `${differing} of ${lit}`);
  await assertNothingLeft();
}

longTest("hollow parts and parts in a cage are printed there with the same layers", async () => {
  const hollow = await sceneOf(RESIN, HOLLOWED);
  bodyOf(await own.post("/v1/scene/model/hollow/", { scene_id: hollow, wall_thickness_mm: 1.5 }));
  bodyOf(await own.post("/v1/scene/model/orient/", { scene_id: hollow, orientation: { x: 35, y: 20, z: 0 } }));
  bodyOf(await own.post("/v1/scene/model/auto-support/", { scene_id: hollow }));
  await assertSameLayers(hollow, "Vee", "hollow", 40);
  const cage = await sceneOf(POWDER, HOLLOWED);
  bodyOf(await own.post("/v1/scene/model/duplicate/", { scene_id: cage, count: 5 }));
  bodyOf(await own.post("/v1/scene/model/cage/", { scene_id: cage }));
  await assertSameLayers(cage, "Fuse", "cage", 20);
});

/** How many pixels are lit in some layers of a job, and how many differ by more than half in those of another one. */
function differenceOf(
  ours: Uint8Array,
  theirs: Uint8Array,
  names: readonly string[],
): [lit: number, differing: number] {
  const filter = ({ name }: { name: string }): boolean => names.includes(name);
  const [a, b] = [unzipSync(ours, { filter }), unzipSync(theirs, { filter })];
  let [lit, differing] = [0, 0];
  for (const name of names) {
    const [mine, other] = [readPngLayer(a[name]!), readPngLayer(b[name]!)];
    mine.pixels.forEach((grey, i) => {
      if (grey > 127) lit++;
      if (Math.abs(grey - other.pixels[i]!) > 127) differing++;
    });
  }
  return [lit, differing];
}

longTest("a chamber of powder, and a custom print setting, reach their printers", async () => {
  bodyOf(await print(await sceneOf(POWDER, BLOCK), "Fuse", { job_name: "chamber" }));
  assert.equal(jobsOf("chamber").length, 1);
  const scene_id = await sceneOf(RESIN, BLOCK);
  const fps = join(folder, "own.fps");
  bodyOf(await own.post("/v1/print-setting/save/", { scene_id, file: fps }));
  const custom = await sceneOf({ fps_file: fps }, BLOCK);
  bodyOf(await print(custom, "Vee", { job_name: "custom" }));
  assert.equal(jobsOf("custom").length, 1);
  await assertNothingLeft();
});

longTest("a queue holds jobs for the server's printers, also while this program is off", async () => {
  const scene_id = await sceneOf(RESIN, BLOCK);
  bodyOf(await print(scene_id, "All", { job_name: "held" }));
  assert.deepEqual(
    heldFiles().map((name) => name.replace(/^.*\./, ".")),
    [".json", ".tar"],
  );
  const { queues } = bodyOf(await own.call("GET", "/v1/queue/list/"));
  const [{ jobs }] = queues;
  assert.equal(jobs[0].layer_count, 6);
  assert.ok(jobs[0].estimated_print_time_s > 60);
  assert.equal(await own.stop(), 0);
  own = await startOwn(false);
  await until("it is sent", () => jobsOf("held").length === 1 && heldFiles().length === 0);
  await until("nothing is left there", () => readdirSync(shared).length === 0);
  await assertNothingLeft();
});

test("a print starts at once on a printer that is ready, and a server that stopped is named as the reason", async () => {
  const scene_id = await sceneOf(RESIN, BLOCK);
  bodyOf(await print(scene_id, "Vee", { print_now: true, job_name: "now" }));
  assertRefused(await print(scene_id, "Vee", { print_now: true }), "OPERATION_FAILED", /is not ready/);
  assertRefused(await print(scene_id, "Nobody", { find_printer_timeout_seconds: 0 }), "NOT_FOUND", /preform:\/\/HOST/);
  await maker.stop("SIGKILL");
  assertRefused(
    await print(scene_id, "Vee", { find_printer_timeout_seconds: 0 }),
    "OPERATION_FAILED",
    /refuses connections/,
  );
  assertRefused(await print(scene_id, "Vee", { find_printer_timeout_seconds: 0 }), "NOT_FOUND", /refuses connections/);
});
