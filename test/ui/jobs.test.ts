import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { after, before, test } from "node:test";
import { fileURLToPath } from "node:url";
import type { PageDownload, PageJob, PageUpload } from "../../src/ui/replies.ts";
import { awaitOperation } from "../fixture/client.ts";
import { modelBody } from "../fixture/check-request.ts";
import { jobOfBodies } from "../fixture/job/job-of-bodies.ts";
import { readCtb } from "../fixture/job/read-ctb.ts";
import { archiveOf, someJob } from "../fixture/job/some-job.ts";
import { painted } from "../fixture/job/some-layers.ts";
import { readPngLayer } from "../fixture/job/read-png-layer.ts";
import { type PageClient, pageClient } from "../fixture/page-client.ts";
import { readPng } from "../fixture/read-png.ts";
import { box } from "../fixture/shapes.ts";
import { evenly, gridOf, meshOf } from "../fixture/slices.ts";
import { type TestServer, bodyOf, openTestServer } from "../fixture/test-server.ts";

// Job files as the page shows them.

const STAIRS = readFileSync(fileURLToPath(new URL("../fixture/job/stairs.ctb", import.meta.url)));

/** A slab of 10 mm × 8 mm × 1 mm, away from the middle, on a panel of 400 × 300 pixels whose pictures are mirrored. */
const PLATE = jobOfBodies(
  [modelBody(0, meshOf(box([10, 8, 1])), [-3.02, 1.03, 0]).placed],
  evenly(10, 0.1),
  gridOf(400, 300, 0.05, true),
);

let server: TestServer;
let page: PageClient;
let stairs: string;
let plate: string;
before(async () => {
  server = await openTestServer();
  page = pageClient(server.printwright.port);
  stairs = await uploaded("stairs.ctb", STAIRS);
  plate = await uploaded("plate.ctb", PLATE);
});
after(() => server.close());

async function uploaded(name: string, bytes: Uint8Array): Promise<string> {
  const response = await fetch(`http://127.0.0.1:${server.printwright.port}/ui/upload/?name=${name}`, {
    method: "POST",
    body: new Uint8Array(bytes),
  });
  const { token } = (await response.json()) as PageUpload;
  return `/ui/job/${token}/${name}/`;
}

async function pictureOf(query: string) {
  const response = await page.get(`${plate}layers/${query}`);
  assert.equal(response.status, 200, await response.clone().text());
  assert.equal(response.headers.get("Content-Type"), "image/png");
  return readPngLayer(new Uint8Array(await response.arrayBuffer()));
}

test("the page knows the extensions of all jobs", async () => {
  const { job_extensions } = await page.state();
  for (const extension of [".ctb", ".goo", ".sl1", ".pwmx", ".photon", ".osla"])
    assert.ok(job_extensions.includes(extension), extension);
});

test("the page gets heights, exposures and the turn of a job", async () => {
  const response = await page.get(stairs);
  assert.equal(response.status, 200);
  const job = (await response.json()) as PageJob;
  assert.equal(job.boundaries_mm.length, 401);
  assert.deepEqual([job.boundaries_mm[0], job.boundaries_mm[400]], [0, 20]);
  assert.deepEqual([job.exposures_s[0], job.exposures_s[399]], [60, 8]);
  assert.ok(Math.abs(job.aspect - 1440 / 2560) < 1e-6);
  assert.deepEqual(job.turn, { transposed: false, flipped_x: true, flipped_y: false });
  assert.equal(job.has_preview, true);
});

/** The pixels of a layer of the plate, seen from above. */
function layerFromAbove(k: number): (column: number, row: number) => number {
  const { pixels } = readCtb(PLATE).layers[k].picture;
  return (column, row) => pixels[row * 400 + 399 - column];
}

test("a picture has the pixels of its layer, mirrored to the view from above", async () => {
  const { width, height, pixels } = await pictureOf("4.png");
  assert.deepEqual([width, height], [400, 300]);
  const valueAt = layerFromAbove(4);
  assert.deepEqual([valueAt(100, 150), valueAt(300, 150)], [255, 0]);
  assert.deepEqual(
    [...pixels.entries()].filter(([at, value]) => value !== valueAt(at % width, Math.floor(at / width))),
    [],
  );
});

test("a smaller picture has the mean of the pixels that it covers", async () => {
  const { width, height, pixels } = await pictureOf("4.png?max_px=100");
  assert.deepEqual([width, height], [100, 75]);
  const valueAt = layerFromAbove(4);
  const meanAt = (column: number, row: number): number =>
    Array.from({ length: 16 }, (_, i) => valueAt(4 * column + (i % 4), 4 * row + Math.floor(i / 4))).reduce(
      (a, b) => a + b,
    ) / 16;
  assert.deepEqual(
    [...pixels.entries()].filter(
      ([at, value]) => Math.abs(value - meanAt(at % width, Math.floor(at / width))) > 0.5001,
    ),
    [],
  );
  assert.ok(pixels.some((value) => value > 0 && value < 255));
});

test("a picture of a machine that turns its pictures is where the turn of the job says", async () => {
  // An Original Prusa SL1S, whose pictures are rotated by a quarter. No turn leaves the layer as it is.
  const layer = painted(1620, 2560, (x, y) => (x > 900 && y < 400 && x - 900 > y ? 255 : 0));
  const job = someJob([layer]);
  const printer = { ...job.printer, nameInJobs: "SL1S", pixels: [2560, 1620], portrait: true } as const;
  const address = await uploaded("corner.sl1s", archiveOf("sl1s", { ...job, printer }, [layer]));
  const { turn, aspect } = (await (await page.get(address)).json()) as PageJob;
  const response = await page.get(`${address}layers/0.png?max_px=4096`);
  const picture = readPngLayer(new Uint8Array(await response.arrayBuffer()));
  assert.equal(turn.transposed, true);
  assert.deepEqual([picture.width, picture.height], [layer.height, layer.width]);
  assert.ok(Math.abs(aspect - (2560 * 0.019) / (1620 * 0.024)) < 1e-3, String(aspect));
  const differing = picture.pixels.findIndex((value, at) => {
    const [across, down] = [at % picture.width, Math.floor(at / picture.width)];
    const row = turn.flipped_x ? picture.width - 1 - across : across;
    const column = turn.flipped_y ? picture.height - 1 - down : down;
    return value !== layer.pixels[row * layer.width + column];
  });
  assert.equal(differing, -1);
  assert.ok(picture.pixels.includes(255));
});

test("a close-up has the pixels around one of the file, dark beyond the edges, seen from above", async () => {
  const valueAt = layerFromAbove(4);
  // A corner of the slab, and one of the panel; columns of the file run from right to left.
  for (const [x, y] of [
    [160, 50],
    [398, 1],
  ]) {
    const { width, height, pixels } = await pictureOf(`4.png?max_px=60&x=${x}&y=${y}`);
    assert.deepEqual([width, height], [60, 60]);
    const expected = Array.from(pixels, (_, at) => {
      const column = 399 - x + (at % 60) - 29;
      const row = y + Math.floor(at / 60) - 30;
      return column < 0 || column >= 400 || row < 0 || row >= 300 ? 0 : valueAt(column, row);
    });
    assert.deepEqual([...pixels], expected);
    assert.equal(new Set(expected).size > 1, x === 160);
  }
});

test("the largest preview is a picture", async () => {
  const response = await page.get(`${stairs}preview.png`);
  assert.equal(response.status, 200);
  const { width, height } = readPng(new Uint8Array(await response.arrayBuffer()));
  assert.deepEqual([width, height], [400, 300]);
});

test("a job is converted for another printer, and downloaded under the extension of its jobs", async () => {
  const response = await page.post(`${plate}convert/?async=true`, {
    machine_type: "ELEGOO-S4U-12K",
    exposure_s: 3.5,
  });
  assert.equal(response.status, 200, await response.clone().text());
  const { url, name, operation_id } = (await response.json()) as PageDownload;
  const operation_url = `/v1/operation/get/?operation_id=${operation_id}`;
  const { status } = await awaitOperation(server.printwright, { status: 202, headers: {}, body: { operation_url } });
  assert.equal(status, "SUCCEEDED");
  assert.equal(name, "plate.goo");
  const bytes = new Uint8Array(await (await page.get(url)).arrayBuffer());
  const file = server.file("converted.goo", bytes);
  const { machine_types, exposure } = bodyOf(
    await server.printwright.post("/v1/job/inspect/", { file, read_layers: false }),
  );
  assert.deepEqual([machine_types[0].machine_type, exposure.exposure_s], ["ELEGOO-S4U-12K", 3.5]);
});

test("what is wrong is said: layers and files that do not exist, damaged and foreign files, unknown machines", async () => {
  const errorOf = async (response: Response): Promise<string> => {
    assert.ok(response.status >= 400 && response.status < 500, String(response.status));
    const { code, message } = ((await response.json()) as { error: { code: string; message: string } }).error;
    return `${code}: ${message}`;
  };
  assert.match(await errorOf(await page.get(`${plate}layers/10.png`)), /^NOT_FOUND.*layer/);
  const cut = await uploaded("cut.ctb", STAIRS.subarray(0, 5000));
  assert.match(await errorOf(await page.get(cut)), /^OPERATION_FAILED.*cut\.ctb/);
  const text = await uploaded("text.ctb", Buffer.from("no job"));
  assert.match(await errorOf(await page.get(text)), /^OPERATION_FAILED.*no job file/);
  assert.match(
    await errorOf(await page.post(`${plate}convert/`, { machine_type: "X-1" })),
    /^NOT_FOUND.*No resin printer/,
  );
  assert.match(await errorOf(await page.post(`${plate}convert/`, { exposure_s: -1 })), /^JSON_SCHEMA_MATCH_ERROR/);
  for (const other of ["/ui/job/x/passwd/", plate.replace("plate.ctb", "..%2f..%2fetc%2fpasswd")]) {
    assert.match(await errorOf(await page.get(other)), /^NOT_FOUND/, other);
  }
});
