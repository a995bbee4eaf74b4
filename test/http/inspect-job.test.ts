import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { awaitOperation } from "../fixture/client.ts";
import { modelBody } from "../fixture/check-request.ts";
import { jobOfBodies } from "../fixture/job/job-of-bodies.ts";
import { box } from "../fixture/shapes.ts";
import { evenly, gridOf, meshOf } from "../fixture/slices.ts";
import { moved } from "../fixture/surface-edits.ts";
import { type TestServer, assertNear, assertRefused, bodyOf, openTestServer } from "../fixture/test-server.ts";

// An addition to the interface: POST /v1/job/inspect/.

let server: TestServer;
let plate: string;

/** A slab of 10 mm × 8 mm × 1 mm, and a cube of 2 mm in the air, at x = 5 mm, y = −3 mm, z from 2 mm. */
before(async () => {
  server = await openTestServer();
  const parts = [modelBody(0, meshOf(box([10, 8, 1])), [0, 0, 0]), modelBody(1, meshOf(box([2, 2, 2])), [5, -3, 2])];
  const file = jobOfBodies(
    parts.map(({ placed }) => placed),
    evenly(40, 0.1),
    gridOf(400, 300, 0.05, true),
  );
  plate = server.file("plate.ctb", file);
});
after(() => server.close());

const inspect = (body: object, query = "") => server.printwright.post(`/v1/job/inspect/${query}`, body);

test("the facts of a job are read without its layers", async () => {
  const reply = bodyOf(await inspect({ file: plate, read_layers: false }));
  assert.equal(reply.format, "Chitubox CTB");
  assert.equal(reply.printer_name, "ELEGOO Saturn 4 Ultra");
  assert.deepEqual(reply.machine_types, [{ machine_type: "ELEGOO-S4U-12K", label: "Elegoo Saturn 4 Ultra" }]);
  assert.deepEqual(reply.pixels, { x: 400, y: 300 });
  assertNear(reply.pixel_mm, { x: 0.05, y: 0.05 });
  assert.equal(reply.mirrored, true);
  assert.equal(reply.layer_count, 40);
  assert.deepEqual(reply.layer_thicknesses_mm, [0.1]);
  assertNear(reply.height_mm, 4);
  assert.equal(reply.exposure.exposure_s, 2.5);
  assert.deepEqual(reply.exposure.cycle.lift, { duration_s: 3.5, stages: [{ distance_mm: 7, speed_mm_min: 120 }] });
  assertNear(reply.stated.material_ml, 12.75, 1e-3);
  // 40 layers of 2.5 s, each with a cycle of 6 s.
  assertNear(reply.computed.print_time_s, 40 * (2.5 + 6), 0.1);
  assert.deepEqual([reply.computed.material_ml, reply.islands, reply.finding_count], [undefined, undefined, undefined]);
});

test("the layers of a job are measured and their findings placed, the same as an operation", async () => {
  const reply = bodyOf(await inspect({ file: plate }));
  assertNear(reply.computed.material_ml, (80 + 8) / 1000, 1e-4);
  assertNear(reply.computed.largest_layer_mm2, 80, 1e-6);
  assert.equal(reply.island_count, 1);
  const [{ layer, position, pixel, area_mm2 }] = reply.islands;
  assert.equal(layer, 20);
  assertNear(area_mm2, 4, 1e-6);
  assertNear(position, { x: 5, y: -3, z: 2 }, 1.05, "seen from above");
  // The pictures are mirrored.
  assertNear(pixel, { x: 200 - 5 / 0.05, y: 150 + 3 / 0.05 }, 1.05 / 0.05);
  assert.deepEqual(reply.empty_layers, [10, 11, 12, 13, 14, 15, 16, 17, 18, 19]);
  assert.deepEqual([reply.cup_count, reply.cups, reply.borders, reply.overhangs], [0, [], [], []]);
  assert.equal(reply.finding_count, 11);
  const operation = await awaitOperation(server.printwright, await inspect({ file: plate }, "?async=true"));
  assert.deepEqual(operation.result, reply);
});

test("only the checks that were asked for are run", async () => {
  const reply = bodyOf(await inspect({ file: plate, checks: ["BORDERS"] }));
  assert.deepEqual(
    [reply.island_count, reply.cup_count, reply.unsupported_mm2, reply.empty_layers],
    Array(4).fill(undefined),
  );
  assert.deepEqual([reply.borders, reply.finding_count], [[], 0]);
});

test("overhangs are those beyond the bridging distance", async () => {
  const table = meshOf(moved(box([4, 4, 1]), [0, 0, 0.5]), moved(box([12, 4, 1]), [0, 0, 1.5]));
  const { placed } = modelBody(0, table);
  const file = server.file("table.ctb", jobOfBodies([placed], evenly(20, 0.1), gridOf(400, 300, 0.05)));
  const unsupported = async (bridging_distance_mm: number) =>
    bodyOf(await inspect({ file, checks: ["OVERHANGS"], bridging_distance_mm })).unsupported_mm2;
  assert.equal(await unsupported(5), 0);
  assertNear(await unsupported(2), 2 * 2 * 4, 1.6);
});

test("files that are no jobs and paths that are not absolute are refused", async () => {
  assertRefused(await inspect({ file: "plate.ctb" }), "INPUT_ERROR", /absolute/);
  assertRefused(await inspect({ file: server.file("text.ctb", "no job") }), "OPERATION_FAILED", /no job file/);
  assertRefused(await inspect({ file: `${plate}.missing` }), "OPERATION_FAILED");
  assertRefused(await inspect({ file: plate, checks: ["HOLES"] }), "JSON_SCHEMA_MATCH_ERROR");
});
