import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { after, before, test } from "node:test";
import { modelBody } from "../fixture/check-request.ts";
import { jobOfBodies } from "../fixture/job/job-of-bodies.ts";
import { readCtb } from "../fixture/job/read-ctb.ts";
import { readGoo } from "../fixture/job/read-goo.ts";
import { type GreyPicture, readPngLayer } from "../fixture/job/read-png-layer.ts";
import { readSl1 } from "../fixture/job/read-sl1.ts";
import { archiveOf, plainThumbnail, someJob } from "../fixture/job/some-job.ts";
import { painted } from "../fixture/job/some-layers.ts";
import { box } from "../fixture/shapes.ts";
import { evenly, meshOf } from "../fixture/slices.ts";
import { type TestServer, assertNear, assertRefused, bodyOf, openTestServer } from "../fixture/test-server.ts";

// Additions to the interface: POST /v1/job/layers/, /v1/job/convert/ and /v1/job/compare/. Converted files are read by the independent readers
// of test/fixture/job/.

/** The pixels of an Elegoo Mars 4 DLP. */
const PIXEL_MM = 132.8 / 2560;
const GRID = { pixels: [400, 300], pixelMm: [PIXEL_MM, PIXEL_MM], mirrorX: true, portrait: false } as const;
const LAYERS = 6;

let server: TestServer;
let plate: string;
const path = (name: string): string => join(server.folder, name);

/** A cuboid of which each side is on pixel borders, left of the middle and behind it. */
before(async () => {
  server = await openTestServer();
  const cuboid = meshOf(box([80 * PIXEL_MM, 40 * PIXEL_MM, 0.3]));
  const { placed } = modelBody(0, cuboid, [-100 * PIXEL_MM, 50 * PIXEL_MM, 0]);
  plate = server.file("plate.ctb", jobOfBodies([placed], evenly(LAYERS, 0.05), GRID));
});
after(() => server.close());

const ask = (action: string, body: object) => server.printwright.post(`/v1/job/${action}/`, { file: plate, ...body });
const convert = (output: string, body: object = {}) => ask("convert", { output_file: path(output), ...body });

/** The cuboid on a panel of the same pixels, seen from above or mirrored. */
const expected = (width: number, height: number, isMirrored: boolean): GreyPicture =>
  painted(width, height, (column, row) => {
    const x = (isMirrored ? -1 : 1) * (column + 0.5 - width / 2);
    const y = height / 2 - row - 0.5;
    return x > -140 && x < -60 && y > 30 && y < 70 ? 255 : 0;
  });

test("pictures of layers are seen from above, or as they are in the file", async () => {
  const { output_files } = bodyOf(
    await ask("layers", { output_file: path("seen.png"), first_layer: 1, last_layer: 3 }),
  );
  assert.deepEqual(
    output_files.map((file: string) => basename(file)),
    ["seen-00001.png", "seen-00002.png", "seen-00003.png"],
  );
  for (const file of output_files) assert.deepEqual(readPngLayer(readFileSync(file)), expected(400, 300, false));
  const raw = { output_file: path("raw.png"), first_layer: 2, last_layer: 2, raw: true };
  assert.deepEqual(bodyOf(await ask("layers", raw)).output_files, [path("raw.png")]);
  assert.deepEqual(readPngLayer(readFileSync(path("raw.png"))), expected(400, 300, true));
});

test("layers that a job does not have are refused", async () => {
  assertRefused(await ask("layers", { output_file: path("none.png"), first_layer: 6 }), "INPUT_ERROR", /0 to 5/);
  assertRefused(await ask("layers", { output_file: path("none.png"), first_layer: 3, last_layer: 2 }), "INPUT_ERROR");
  assertRefused(await ask("layers", { output_file: path("none.jpg") }), "INPUT_ERROR");
  assertRefused(await ask("layers", { output_file: path("no/none.png") }), "OPERATION_FAILED");
});

test("a job for a machine with the same pixels is exact, around the middle of its panel", async () => {
  const reply = bodyOf(await convert("mars.goo", { machine_type: "ELEGOO-M4D" }));
  assert.deepEqual([reply.machine_type, reply.layer_count, reply.is_exact], ["ELEGOO-M4D", LAYERS, true]);
  const { header, layers } = readGoo(readFileSync(path("mars.goo")));
  assert.deepEqual(header.pixels, [2560, 1440]);
  for (const { picture } of layers) assert.deepEqual(picture, expected(2560, 1440, true));
  const before = readCtb(readFileSync(plate));
  assert.equal(layers.length, before.layers.length);
});

test("the exposure of a job is kept, or changed without slicing", async () => {
  const inspected = async (name: string) =>
    bodyOf(await server.printwright.post("/v1/job/inspect/", { file: path(name), read_layers: false }));
  const change = { exposure_s: 3, bottom_exposure_s: 20, bottom_layer_count: 2, transition_layer_count: 1, lift_mm: 5 };
  bodyOf(await convert("changed.ctb", { machine_type: "ELEGOO-MC", ...change, wait_after_retract_s: 4 }));
  const { exposure, computed } = await inspected("changed.ctb");
  assert.deepEqual([exposure.exposure_s, exposure.bottom_exposure_s], [3, 20]);
  assert.deepEqual([exposure.bottom_layer_count, exposure.transition_layer_count], [2, 1]);
  assertNear(exposure.cycle.lift.stages, [{ distance_mm: 5, speed_mm_min: 120 }]);
  // 5 mm up and down at 120 and 240 mm/min. The other wait of the job is part of the one that was changed: its file has their sum.
  const cycleS = 2.5 + 1.25 + 4;
  assertNear(computed.print_time_s, 2 * 20 + 11.5 + 3 * 3 + LAYERS * cycleS, 0.2);
});

test("a converted job of a format that ends with its MD5 does so", async () => {
  const pictures = [painted(120, 90, (x) => (x < 40 ? 255 : 0))];
  const { printer, ...facts } = someJob(pictures, {
    thumbnails: [plainThumbnail(116, 116, [0, 0, 0, 255]), plainThumbnail(290, 290, [0, 0, 0, 255])],
  });
  // The pixels of the machine.
  const [x, y] = [302.4 / 15_120, 161.98 / 6230];
  const machine = { ...printer, nameInJobs: "ELEGOO Jupiter 2", volumeMm: [120 * x, 90 * y, 300] as const };
  const file = server.file("jupiter.goo", archiveOf("goo-5", { ...facts, printer: machine }, pictures));
  const reply = bodyOf(await convert("jupiter-2.goo", { file, exposure_s: 3 }));
  assert.deepEqual([reply.layer_count, reply.is_exact], [1, true]);
  const bytes = readFileSync(path("jupiter-2.goo"));
  assert.equal(bytes.toString("latin1", 0, 4), "V5.1");
  const md5 = createHash("md5").update(bytes.subarray(0, -32)).digest("hex");
  assert.equal(bytes.toString("latin1", bytes.length - 32), md5);
});

test("a job for a machine with other pixels keeps its size and place", async () => {
  const reply = bodyOf(await convert("other.ctb", { machine_type: "ELEGOO-MC" }));
  assert.equal(reply.is_exact, false);
  assert.match(reply.warnings[0], /another size/);
  const { layers } = readCtb(readFileSync(path("other.ctb")));
  const { width, height, pixels } = layers[3].picture;
  assert.deepEqual([width, height], [1440, 2560]);
  const pixelMm = 68.04 / 1440;
  const sum = pixels.reduce((total, value) => total + value, 0);
  assertNear((sum / 255) * pixelMm ** 2, 80 * 40 * PIXEL_MM ** 2, 0.15, "area");
  let middle = 0;
  pixels.forEach((value, at) => (middle += value * ((at % width) + 0.5 - width / 2)));
  assertNear((middle / sum) * pixelMm, 100 * PIXEL_MM, 0.02, "mirrored from x = −100 pixels");
});

test("a job for a machine that turns its pictures is turned", async () => {
  bodyOf(await convert("turned.sl1s", { machine_type: "PRUSA-SL1S" }));
  const { layers } = readSl1(readFileSync(path("turned.sl1s")));
  const { width, height, pixels } = layers[0];
  let [sum, across, down] = [0, 0, 0];
  pixels.forEach((value, at) => {
    sum += value;
    across += value * ((at % width) + 0.5 - width / 2);
    down += value * (Math.floor(at / width) + 0.5 - height / 2);
  });
  // Its columns are parallel to y, its rows to x from right to left.
  assert.ok(Math.abs(Math.abs(across) / Math.abs(down) - 0.5) < 0.02, `${across}, ${down}`);
  assert.ok(down > 0, "x = −100 pixels is in the lower half of a picture whose top is the right side");
});

test("what cannot be converted is refused, and nothing is written", async () => {
  const wide = modelBody(0, meshOf(box([100, 5, 0.1])));
  const grid = { ...GRID, pixels: [2560, 1440] } as const;
  const file = server.file("wide.ctb", jobOfBodies([wide.placed], evenly(2, 0.05), grid));
  const small = { file, output_file: path("small.ctb"), machine_type: "ELEGOO-MC" };
  assertRefused(await ask("convert", small), "OPERATION_FAILED", /too small: it would cut \d+ lit pixels of layer 0/);
  assert.equal(existsSync(path("small.ctb")), false);
  assertRefused(await convert("a.goo", { machine_type: "ELEGOO-MC" }), "INPUT_ERROR", /\.ctb files/);
  assertRefused(await convert("a.goo", { machine_type: "NO-SUCH" }), "NOT_FOUND");
  assertRefused(await convert("a.stl", { machine_type: "ELEGOO-MC" }), "INPUT_ERROR");
  assertRefused(await convert("plate.ctb"), "INPUT_ERROR", /another name/);
});

test("a job compared with itself is equal, with a conversion it is not", async () => {
  const same = bodyOf(await ask("compare", { other_file: plate }));
  assert.deepEqual([same.is_equal, same.facts, same.compared_layer_count], [true, [], LAYERS]);
  const { placed } = modelBody(0, meshOf(box([4, 4, 0.2])));
  const other = server.file("other-part.ctb", jobOfBodies([placed], evenly(4, 0.05), GRID));
  const reply = bodyOf(await ask("compare", { other_file: other }));
  assert.equal(reply.is_equal, false);
  assert.deepEqual(
    reply.facts.map(({ name, value, other_value }: Record<string, unknown>) => [name, value, other_value]),
    [
      ["layer_count", LAYERS, 4],
      ["height_mm", 0.3, 0.2],
    ],
  );
  assert.equal(reply.compared_layer_count, 4);
  assert.equal(reply.differing_layer_count, 4);
  const [first, second] = [plate, other].map((file) => readCtb(readFileSync(file)).layers[0].picture.pixels);
  const differing = first.filter((value, at) => value !== second[at]).length;
  assert.deepEqual(reply.differing_layers[0], { layer: 0, pixel_count: differing });
  assert.equal(reply.differing_pixel_count, 4 * differing);
  assert.equal(reply.largest_difference, 255);
});
