import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { type Reply, awaitOperation } from "../fixture/client.ts";
import { box, cylinder, uvSphere } from "../fixture/shapes.ts";
import { meshOf } from "../fixture/slices.ts";
import { binaryStl } from "../fixture/stl-file.ts";
import { moved } from "../fixture/surface-edits.ts";
import {
  POWDER,
  type TestServer,
  UNKNOWN_ID,
  UUID,
  assertNear,
  assertRefused,
  bodyOf,
  openTestServer,
} from "../fixture/test-server.ts";
import { longTest, slowCases } from "../fixture/long.ts";
import { TOOTH_FORMS, jaw } from "../solid/dental/jaw.ts";

// Interface, "dental-hollow"; supplement, sections 1 and 4.

let server: TestServer;
let drum: string;
let teeth: string;
let scan: string;
before(async () => {
  server = await openTestServer();
  drum = server.file("drum.stl", binaryStl(cylinder(11, 12)));
  const shape = { form: TOOTH_FORMS.domes, teeth: 10, gumMm: 8, toothMm: 6 };
  teeth = server.file("teeth.stl", binaryStl(jaw(shape)));
  scan = server.file("scan.stl", binaryStl(jaw({ ...shape, isOpen: true })));
});
after(() => server.close());

type Body = Reply["body"];

const cut = (body: object): Promise<Reply> => server.ask("dental-hollow", body);

const volumesMl = async (scene_id: string): Promise<number[]> =>
  bodyOf(await server.printwright.post("/v1/scene/metadata/", { scene_id })).models.map(
    ({ volume_ml }: { volume_ml: number }) => volume_ml,
  );

/** Area of a regular polygon of 48 corners, mm². */
const discMm2 = (radius: number): number => 24 * radius * radius * Math.sin(Math.PI / 24);

const sizeOf = ({ bounding_box: { min_corner, max_corner } }: Body): number[] =>
  ["x", "y", "z"].map((axis) => max_corner[axis] - min_corner[axis]);

test("an arch is cut at a height in the scene, and keeps its place on its new base", async () => {
  const scene_id = await server.newScene();
  const id = await server.importOne(scene_id, drum, {
    name: "upper jaw",
    lock: "LOCKED_XY_FLIP_ENABLED",
    units: "MILLIMETERS",
  });
  bodyOf(await server.ask("translate", { scene_id, position: { x: 12, y: -7, z: 0 } }));
  bodyOf(await server.ask("orient", { scene_id, orientation: { x: 0, y: 180, z: 40 } }));
  const [source] = await server.models(scene_id);
  const answer = bodyOf(await cut({ scene_id, extrude_distance_mm: 5, cutoff_height_mm: 4 }));
  assert.deepEqual(Object.keys(answer).sort(), ["results", "warnings"]);
  const [{ source_model_id, new_model_ids }] = answer.results;
  assert.equal(source_model_id, id);
  assert.equal(new_model_ids.length, 1);
  assert.match(new_model_ids[0], UUID);
  assert.notEqual(new_model_ids[0], id);
  assert.deepEqual(answer.warnings, []);
  const [model, ...others] = await server.models(scene_id);
  assert.deepEqual(others, []);
  assert.equal(model.id, new_model_ids[0]);
  for (const key of ["name", "lock", "units", "orientation", "scale", "original_file", "visible"]) {
    assert.deepEqual(model[key], source[key], key);
  }
  assert.notEqual(model.raw_mesh_hash, source.raw_mesh_hash);
  const { min_corner, max_corner } = model.bounding_box;
  assertNear([min_corner.x, max_corner.x], [source.bounding_box.min_corner.x, source.bounding_box.max_corner.x], 1e-3);
  assertNear([min_corner.y, max_corner.y], [source.bounding_box.min_corner.y, source.bounding_box.max_corner.y], 1e-3);
  assertNear([min_corner.z, max_corner.z], [0, 13], 1e-3);
  assertNear((await volumesMl(scene_id))[0], (discMm2(11) * 13) / 1000, 0.02);
});

test("a scaled model in a powder scene keeps the height of its top", async () => {
  const scene_id = await server.newScene(POWDER);
  await server.importOne(scene_id, drum);
  bodyOf(await server.ask("scale", { scene_id, scale: 2 }));
  bodyOf(await server.ask("translate", { scene_id, position: { x: 3, y: 4, z: 50 } }));
  bodyOf(
    await cut({ scene_id, extrude_distance_mm: 10, cutoff_height_mm: 45, enable_smooth_contour_extended_sides: false }),
  );
  const [{ bounding_box, scale }] = await server.models(scene_id);
  assert.equal(scale, 2);
  assertNear(bounding_box.min_corner, { x: -19, y: -18, z: 35 }, 1e-3);
  assertNear(bounding_box.max_corner, { x: 25, y: 26, z: 62 }, 1e-3);
});

longTest("without a height the cut is at the gumline, or below it", async () => {
  for (const file of slowCases([scan, teeth])) {
    for (const [below, bottomMm] of [
      [undefined, 8],
      [2, 6],
      ...slowCases([
        [-1, 9],
        [0, 8],
      ] as const),
    ] as const) {
      const scene_id = await server.newScene();
      await server.importOne(scene_id, file, { repair_behavior: "IGNORE" });
      const [before] = await server.models(scene_id);
      const lowest = file === teeth ? 0 : -0.8;
      bodyOf(await cut({ scene_id, extrude_distance_mm: 3, cutoff_below_gumline_mm: below }));
      const [after] = await server.models(scene_id);
      // The top is that of a tooth, the bottom is 3 mm below the cut.
      assertNear(sizeOf(before)[2] - sizeOf(after)[2], bottomMm - 3 - lowest, 0.3, `${below}`);
    }
  }
});

longTest("a hollow base has the requested shell, honeycomb and holes, or the defaults of the interface", async () => {
  const volumeOf = async (options: object): Promise<number> => {
    const scene_id = await server.newScene();
    await server.importOne(scene_id, drum);
    const { warnings } = bodyOf(
      await cut({
        scene_id,
        extrude_distance_mm: 6,
        cutoff_height_mm: 6,
        enable_smooth_contour_extended_sides: false,
        ...options,
      }),
    );
    const { per_model_results } = bodyOf(await server.ask("validate/cups", { scene_id }));
    const isSealed = (options as { drain_hole_max_count?: number }).drain_hole_max_count === 0;
    assert.equal((Object.values(per_model_results)[0] as { cup_count: number }).cup_count > 0, isSealed);
    assert.equal(warnings.length, isSealed ? 1 : 0);
    return 1000 * (await volumesMl(scene_id))[0];
  };
  const solid = discMm2(11) * 12;
  assertNear(await volumeOf({}), solid, solid * 1e-3);
  assertNear(await volumeOf({ hollow: false }), solid, solid * 1e-3);
  const shell = { hollow: true, enable_honeycomb_infill: false, drain_hole_max_count: 0 };
  for (const shell_thickness_mm of slowCases([4, 1.5, 2.75])) {
    const expected = solid - discMm2(11 - shell_thickness_mm) * (12 - shell_thickness_mm);
    assertNear(await volumeOf({ ...shell, shell_thickness_mm }), expected, 0.01 * expected);
  }
  const plain = await volumeOf(shell);
  assertNear(plain, solid - discMm2(8.25) * 9.25, 0.01 * plain);
  const drained = await volumeOf({ hollow: true, enable_honeycomb_infill: false });
  assertNear(plain - drained, 2 * 2.75 * (Math.PI / 2) * 1.5 ** 2, 1.5);
  const defaults = await volumeOf({ hollow: true });
  assert.ok(defaults > drained && defaults < solid, `${defaults}`);
  const named = {
    shell_thickness_mm: 2.75,
    wall_thickness_mm: 1,
    drain_hole_radius_mm: 1.5,
    drain_hole_height_ratio: 1,
    drain_hole_suppression_distance_mm: 2,
    drain_hole_max_count: 2,
    enable_honeycomb_infill: true,
  };
  assertNear(await volumeOf({ hollow: true, ...named }), defaults, 1e-6);
  const thick = await volumeOf({ hollow: true, ...named, wall_thickness_mm: 2 });
  assert.ok(thick > defaults, `${thick}`);
});

test("results are in the order of the request, copies get the same mesh, other models are unchanged", async () => {
  const scene_id = await server.newScene();
  const first = await server.importOne(scene_id, drum, { name: "first" });
  const other = await server.importOne(scene_id, server.file("other.stl", binaryStl(box([9, 9, 9]))));
  const { results: copies } = bodyOf(await server.ask("duplicate", { scene_id, model_ids: [first], count: 1 }));
  const [copy] = copies[0].new_model_ids;
  const untouched = await server.models(scene_id, [other]);
  const body = { scene_id, model_ids: [copy, first, copy.toUpperCase()], extrude_distance_mm: 2, cutoff_height_mm: 5 };
  const { results } = bodyOf(await cut(body));
  assert.deepEqual(
    results.map(({ source_model_id }: Body) => source_model_id),
    [copy, first],
  );
  const [a, b] = await server.models(
    scene_id,
    results.flatMap(({ new_model_ids }: Body) => new_model_ids),
  );
  assert.equal(a.raw_mesh_hash, b.raw_mesh_hash);
  assert.deepEqual(await server.models(scene_id, [other]), untouched);
  assert.deepEqual(
    (await server.models(scene_id)).map(({ name }) => name),
    ["first", "other", "first"],
  );
  assertRefused(await server.ask("list", { scene_id, model_ids: [first] }), "NOT_FOUND");
});

longTest("without model_ids every model is cut, supports are removed, and the result can be sliced", async () => {
  const scene_id = await server.newScene();
  await server.importOne(scene_id, drum);
  bodyOf(await server.ask("auto-support", { scene_id, raft_label_enabled: false, only_minima: true }));
  const [{ bounding_box, has_supports }] = await server.models(scene_id);
  assert.equal(has_supports, true);
  // Heights are those in the scene: the model is above its raft.
  const top = bounding_box.max_corner.z;
  bodyOf(await cut({ scene_id, model_ids: [], extrude_distance_mm: 4, cutoff_height_mm: top - 5, hollow: true }));
  const [model] = await server.models(scene_id);
  assert.equal(model.has_supports, false);
  assertNear(sizeOf(model)[2], 9, 1e-3);
  assertNear(model.bounding_box.min_corner.z, 0, 1e-6);
  assert.equal((await server.scene(scene_id)).layer_count, 90);
  assert.ok(
    bodyOf(await server.printwright.post("/v1/scene/calculate-print-time/", { scene_id })).total_print_time_s > 0,
  );
});

test("smaller pieces of a cut are reported, or kept", async () => {
  const pegs = server.file(
    "pegs.stl",
    binaryStl(meshOf(...[0, 15].map((x) => moved(cylinder(3 + x / 15, 10), [x, 0, 0])))),
  );
  for (const keep of [undefined, false, true]) {
    const scene_id = await server.newScene();
    await server.importOne(scene_id, pegs, { name: "pegs" });
    const body = { scene_id, extrude_distance_mm: 1, cutoff_height_mm: 5, keep_disconnected_mesh_components: keep };
    const { results, warnings } = bodyOf(await cut(body));
    assert.equal(results[0].new_model_ids.length, 1);
    assert.match(warnings.join(), keep ? /^$/ : /"pegs" fell apart at the cut, and 1 smaller piece/);
    const [volume] = await volumesMl(scene_id);
    assertNear(1000 * volume, 6 * (discMm2(4) + (keep ? discMm2(3) : 0)), 1);
  }
});

longTest("a hollowed model is hollowed again from its solid", async () => {
  const scene_id = await server.newScene();
  await server.importOne(scene_id, drum);
  const body = { scene_id, extrude_distance_mm: 0, cutoff_height_mm: 0, hollow: true, drain_hole_max_count: 0 };
  bodyOf(await cut({ ...body, shell_thickness_mm: 2 }));
  bodyOf(await cut({ ...body, shell_thickness_mm: 3, enable_honeycomb_infill: false }));
  const expected = discMm2(11) * 12 - discMm2(8) * 9;
  assertNear(1000 * (await volumesMl(scene_id))[0], expected, 0.01 * expected);
});

test("a hollow without drain holes causes a warning", async () => {
  const warningsOf = async (changes: object): Promise<string> => {
    const scene_id = await server.newScene();
    await server.importOne(scene_id, drum);
    const base = { extrude_distance_mm: 0, cutoff_height_mm: 0, hollow: true, enable_honeycomb_infill: false };
    return bodyOf(await cut({ scene_id, ...base, ...changes })).warnings.join();
  };
  const none = await warningsOf({ drain_hole_max_count: 0 });
  const closed = await warningsOf({ drain_hole_radius_mm: 0 });
  const drained = await warningsOf({});
  assert.match(none, /^"drum" has no drain holes: .* its hollow is sealed .* above 0\.$/);
  assert.equal(closed, none);
  assert.equal(drained, "");
});

longTest("drilled holes into a cavity that are lost are reported", async () => {
  const scene_id = await server.newScene();
  await server.importOne(scene_id, drum);
  bodyOf(await server.ask("hollow", { scene_id, wall_thickness_mm: 2 }));
  const [{ position, bounding_box }] = await server.models(scene_id);
  const top = { x: position.x, y: position.y, z: bounding_box.max_corner.z };
  const hole = { orientation: { x: 0, y: 0, z: 0 }, position: top, diameter_mm: 3, depth_mm: "AUTO" };
  bodyOf(await server.ask("drill", { scene_id, drain_holes: [hole] }));
  const body = { scene_id, extrude_distance_mm: 0, cutoff_height_mm: 1, hollow: true };
  const { warnings } = bodyOf(await cut(body));
  assert.equal(warnings.length, 1);
  assert.match(warnings[0], /^"drum" .* without the holes drilled since \(1\)/);
  assert.deepEqual(bodyOf(await cut(body)).warnings, []);
});

longTest("a hollowed model on a solid base can be hollowed again from its solid, with the base", async () => {
  const scene_id = await server.newScene();
  await server.importOne(scene_id, drum);
  bodyOf(await server.ask("hollow", { scene_id, wall_thickness_mm: 3 }));
  bodyOf(await cut({ scene_id, extrude_distance_mm: 5, cutoff_height_mm: 6 }));
  const [pipe] = await volumesMl(scene_id);
  // A ring with a lid of 3 mm on it: 6 mm of drum remain above the cut, and 5 mm of base below it.
  assertNear(1000 * pipe!, discMm2(11) * 11 - discMm2(8) * 8, 30);
  const { infos } = bodyOf(await server.ask("hollow", { scene_id, wall_thickness_mm: 2 }));
  assert.match(infos[0], /hollow already/);
  const [hollow] = await volumesMl(scene_id);
  assertNear(1000 * hollow!, discMm2(11) * 11 - discMm2(9) * 7, 60);
});

longTest("an async request has an operation, whose progress ends at 1", async () => {
  const scene_id = await server.newScene();
  await server.importOne(scene_id, drum);
  const begun = await server.printwright.post("/v1/scene/model/dental-hollow/?async=true", {
    scene_id,
    extrude_distance_mm: 2,
    cutoff_height_mm: 3,
    hollow: true,
  });
  const { status, progress, result } = await awaitOperation(server.printwright, begun);
  assert.deepEqual([status, progress], ["SUCCEEDED", 1]);
  assert.equal(result.results.length, 1);
});

test("fields that the schema lacks are rejected", async () => {
  const scene_id = await server.newScene();
  await server.importOne(scene_id, drum);
  const before = await server.models(scene_id);
  const refused = async (body: object, pointer: string): Promise<void> =>
    assertRefused(
      await cut({ scene_id, extrude_distance_mm: 2, cutoff_height_mm: 3, ...body }),
      "JSON_SCHEMA_MATCH_ERROR",
      new RegExp(`^"/${pointer}"`),
    );
  await refused({ extrude_distance_mm: undefined }, "extrude_distance_mm");
  for (const [field, values] of Object.entries({
    extrude_distance_mm: ["2", null, 1e7],
    cutoff_height_mm: ["2", null, 1e7],
    hollow: [1, "true", null],
    enable_smooth_contour_extended_sides: [0, null],
    keep_disconnected_mesh_components: ["no", null],
    no_such_field: [1],
  })) {
    for (const value of values) await refused({ [field]: value }, field);
  }
  await refused({ cutoff_below_gumline_mm: 0 }, "cutoff_below_gumline_mm");
  // The interface sets no bound for this field.
  const upwards = await cut({ scene_id, extrude_distance_mm: -1, cutoff_height_mm: 3 });
  assertRefused(upwards, "INPUT_ERROR", /extrude_distance_mm is -1, and bases are extruded downwards/);
  assert.deepEqual(await server.models(scene_id), before);
  const hollowOnly = {
    shell_thickness_mm: [1, [-0.1, "1", null]],
    wall_thickness_mm: [1, [0, 0.009, "1", null]],
    drain_hole_radius_mm: [1, [-0.1, "1", null]],
    drain_hole_height_ratio: [1, [0, -1, "1", null]],
    drain_hole_suppression_distance_mm: [1, [-0.1, "1", null]],
    drain_hole_max_count: [1, [-1, 1.5, "1", null]],
    enable_honeycomb_infill: [true, [1, "true", null]],
  } as const;
  for (const [field, [good, bad]] of Object.entries(hollowOnly)) {
    await refused({ [field]: good }, field);
    await refused({ [field]: good, hollow: false }, field);
    for (const value of bad) await refused({ [field]: value, hollow: true }, field);
  }
  assert.deepEqual(await server.models(scene_id), before);
});

longTest("models that cannot be cut are refused by name, and nothing changes", async () => {
  const scene_id = await server.newScene();
  const id = await server.importOne(scene_id, drum, { name: "the drum" });
  const ball = await server.importOne(scene_id, server.file("ball.stl", binaryStl(uvSphere(4))), { name: "the ball" });
  const rim = await server.importOne(scene_id, scan, { name: "the scan", repair_behavior: "IGNORE" });
  const before = await server.models(scene_id);
  const refused = async (body: object, message: RegExp): Promise<void> =>
    assertRefused(await cut({ scene_id, extrude_distance_mm: 2, ...body }), "OPERATION_FAILED", message);
  await refused({ model_ids: [id, UNKNOWN_ID], cutoff_height_mm: 3 }, new RegExp(UNKNOWN_ID));
  await refused({ model_ids: ["no id"], cutoff_height_mm: 3 }, /no id/);
  await refused({ model_ids: [id], cutoff_height_mm: 12 }, /"the drum".*from 0.00 to 12.00 mm.*Choose a height/);
  await refused({ model_ids: [id], cutoff_height_mm: -0.1 }, /"the drum"/);
  await refused({ model_ids: [id], cutoff_below_gumline_mm: 1 }, /"the drum".*no gumline.*cutoff_height_mm/);
  await refused({ model_ids: [id, ball], cutoff_height_mm: 9 }, /"the ball"/);
  await refused({ model_ids: [rim], cutoff_height_mm: 1 }, /"the scan".*open rim.*Cut higher/);
  assert.deepEqual(await server.models(scene_id), before);
  assertRefused(await cut({ scene_id: UNKNOWN_ID, extrude_distance_mm: 2 }), "INPUT_ERROR");
});
