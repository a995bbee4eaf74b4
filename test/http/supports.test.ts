import assert from "node:assert/strict";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { concatenateSurfaces } from "../../src/mesh/mesh.ts";
import type { Reply } from "../fixture/client.ts";
import { longTest } from "../fixture/long.ts";
import { box, uvSphere } from "../fixture/shapes.ts";
import { binaryStl } from "../fixture/stl-file.ts";
import { insideOut, moved } from "../fixture/surface-edits.ts";
import { POWDER, type TestServer, assertNear, bodyOf, codeOf, openTestServer } from "../fixture/test-server.ts";

// Interface, "auto-support", "regenerate-supports" and what supports do to a model; supplement, sections 4, 5 and 6.

let server: TestServer;
let ball: string;
let table: string;
before(async () => {
  server = await openTestServer();
  ball = server.file("ball.stl", binaryStl(uvSphere(5)));
  table = tableOf(20, 14);
});
after(() => server.close());

/** A top on one leg, as one solid of two boxes that overlap. */
function tableOf(widthMm: number, depthMm: number): string {
  const leg = moved(box([4, 4, 7]), [widthMm / 2 - 2, depthMm / 2 - 2, 0]);
  const top = moved(box([widthMm, depthMm, 2]), [0, 0, 3.5]);
  return server.file(`table-${widthMm}.stl`, binaryStl(concatenateSurfaces([leg, top])));
}

type Body = Reply["body"];

const PLAIN = { raft_label_enabled: false };

/** A scene with one model and its supports. */
async function supported(
  file: string,
  settings: object = PLAIN,
): Promise<{ scene_id: string; id: string; answer: Body }> {
  const scene_id = await server.newScene();
  const id = await server.importOne(scene_id, file);
  return { scene_id, id, answer: bodyOf(await server.ask("auto-support", { scene_id, ...settings })) };
}

const modelIn = async (scene_id: string): Promise<Body> => (await server.models(scene_id))[0];
const metadata = async (scene_id: string): Promise<Body> =>
  bodyOf(await server.printwright.post("/v1/scene/metadata/", { scene_id })).models[0];
const check = async (scene_id: string, what: string): Promise<Body> =>
  Object.values(bodyOf(await server.ask(`validate/${what}`, { scene_id })).per_model_results)[0];
const sizeOf = ({ bounding_box: { min_corner, max_corner } }: Body, axis: "x" | "y" | "z"): number =>
  max_corner[axis] - min_corner[axis];

test("supports lift a model, count in its box, its material and its layers, and leave nothing unsupported", async () => {
  const scene_id = await server.newScene();
  const id = await server.importOne(scene_id, ball);
  const bare = await server.scene(scene_id);
  assert.equal((await check(scene_id, "minima")).minima_count, 0);
  const answer = bodyOf(await server.ask("auto-support", { scene_id, ...PLAIN }));
  assert.deepEqual(answer, { modified_model_ids: [id], warnings: [] });

  const scene = await server.scene(scene_id);
  const [model] = scene.models;
  assert.equal(model.has_supports, true);
  // The default print setting: 1 mm of raft, and 5 mm above it.
  assertNear(model.position.z, 1 + 5 + 5, 1e-4);
  assertNear(model.bounding_box.min_corner.z, 0, 1e-6);
  assertNear(model.bounding_box.max_corner.z, 1 + 5 + 10, 1e-4);
  assert.equal(scene.layer_count, bare.layer_count + 60);
  const { volume_ml, support_volume_ml } = await metadata(scene_id);
  assert.ok(support_volume_ml > 0.01 && support_volume_ml < volume_ml, `${support_volume_ml} ml of supports`);
  assertNear(scene.material_usage.unsupported_volume_ml, bare.material_usage.volume_ml, 1e-9);
  // Tips dip into the model, and the common volume counts once.
  const sharedMl = volume_ml + support_volume_ml - scene.material_usage.volume_ml;
  assert.ok(sharedMl >= 0 && sharedMl < 1e-3 * volume_ml, `${sharedMl} ml in both`);
  assert.equal((await check(scene_id, "minima")).minima_count, 0);
  assert.ok((await check(scene_id, "supportedness")).percent_unsupported < 1);
});

longTest("every field of auto-support has its effect", async () => {
  const small = tableOf(9, 7);
  const of = async (settings: object): Promise<Body> => {
    const { scene_id } = await supported(small, { ...PLAIN, ...settings });
    return { ...(await modelIn(scene_id)), ...(await metadata(scene_id)) };
  };
  const usual = await of({});
  const dense = await of({ density: 2 });
  const sparse = await of({ density: 0.25 });
  assert.ok(dense.support_volume_ml > usual.support_volume_ml, "more at twice the density");
  assert.ok(sparse.support_volume_ml < usual.support_volume_ml, "less at a quarter of the density");
  assert.ok((await of({ only_minima: true })).support_volume_ml < sparse.support_volume_ml, "least for minima alone");
  assert.ok((await of({ touchpoint_size_mm: 1.2 })).support_volume_ml > usual.support_volume_ml, "more for wider tips");
  assertNear((await of({ raft_thickness_mm: 3 })).position.z, usual.position.z + 2, 1e-4);
  assertNear((await of({ height_above_raft_mm: 7.5 })).position.z, usual.position.z + 2.5, 1e-4);
  assertNear((await of({ z_compression_correction_mm: 0.4 })).position.z, usual.position.z + 0.4, 1e-4);
  const noRaft = await of({ raft_type: "NONE" });
  assertNear(noRaft.position.z, usual.position.z - 1, 1e-4);
  const volumes = new Set<number>([usual.support_volume_ml, noRaft.support_volume_ml]);
  for (const raft_type of ["MINI_RAFT", "MINI_RAFTS_ON_BP"]) {
    volumes.add((await of({ raft_type })).support_volume_ml);
  }
  volumes.add((await of({ breakaway_structure_enabled: true })).support_volume_ml);
  volumes.add((await of({ early_layer_merge_mm: 1.5 })).support_volume_ml);
  assert.equal(volumes.size, 6, `each another solid: ${[...volumes].join(", ")}`);
});

longTest("a raft with room for it is labelled with its model's name", async () => {
  const plate = server.file("A1.stl", binaryStl(box([40, 30, 1])));
  const volumes: number[] = [];
  for (const raft_label_enabled of [false, true]) {
    const { scene_id } = await supported(plate, { density: 0.1, raft_label_enabled });
    volumes.push((await metadata(scene_id)).support_volume_ml);
  }
  assert.ok(volumes[1] > volumes[0], `${volumes.join(" and ")} ml`);
});

longTest("equal models get equal supports at any place", async () => {
  const scene_id = await server.newScene();
  await server.importOne(scene_id, table);
  bodyOf(await server.ask("duplicate", { scene_id, count: 2 }));
  for (const [i, { id }] of (await server.models(scene_id)).entries()) {
    const position = { x: 50 * (i - 1), y: 0, z: 0 };
    bodyOf(await server.ask("translate", { scene_id, model_ids: [id], position }));
  }
  bodyOf(await server.ask("auto-support", { scene_id, ...PLAIN }));
  const models = await server.models(scene_id);
  for (const axis of ["x", "y", "z"] as const) {
    for (const model of models) assertNear(sizeOf(model, axis), sizeOf(models[0], axis), 1e-9);
  }
});

longTest("supports follow moves and turns about z, and are removed by scaling and other turns", async () => {
  const { scene_id } = await supported(table);
  const before = await modelIn(scene_id);
  bodyOf(await server.ask("translate", { scene_id, mode: "RELATIVE", position: { x: 12, y: -3, z: 40 } }));
  const shifted = await modelIn(scene_id);
  assert.equal(shifted.has_supports, true);
  assertNear(shifted.position, { ...before.position, x: before.position.x + 12, y: before.position.y - 3 }, 1e-9);
  assertNear(shifted.bounding_box.min_corner.x, before.bounding_box.min_corner.x + 12, 1e-6);

  bodyOf(await server.ask("orient", { scene_id, orientation: { x: 0, y: 0, z: 90 } }));
  const turned = await modelIn(scene_id);
  assert.equal(turned.has_supports, true);
  assertNear(sizeOf(turned, "x"), sizeOf(before, "y"), 1e-4);
  assertNear(sizeOf(turned, "y"), sizeOf(before, "x"), 1e-4);
  assertNear(turned.position.z, before.position.z, 1e-6);
  assert.equal((await check(scene_id, "minima")).minima_count, 0);

  bodyOf(await server.ask("orient", { scene_id, orientation: { x: 5, y: 0, z: 90 } }));
  const tilted = await modelIn(scene_id);
  assert.equal(tilted.has_supports, false);
  assertNear(tilted.bounding_box.min_corner.z, 0, 1e-9);

  const scaled = await supported(ball);
  bodyOf(await server.ask("scale", { scene_id: scaled.scene_id, scale: 0.5 }));
  assert.equal((await modelIn(scaled.scene_id)).has_supports, false);
});

longTest("regenerate-supports keeps touchpoints and settings, and changes only models with supports", async () => {
  const { scene_id, id } = await supported(table, { ...PLAIN, density: 1.5, height_above_raft_mm: 8 });
  const [before, volume] = [await modelIn(scene_id), (await metadata(scene_id)).support_volume_ml];
  await server.importOne(scene_id, ball);
  const answer = bodyOf(await server.ask("regenerate-supports", { scene_id }));
  assert.deepEqual(answer, { modified_model_ids: [id], warnings: [] });
  const after = await modelIn(scene_id);
  assertNear(after.position, before.position, 1e-6);
  assertNear((await metadata(scene_id)).support_volume_ml, volume, 1e-6 * volume);
  assert.equal((await server.models(scene_id))[1].has_supports, false);
});

longTest("new supports replace the old ones", async () => {
  const { scene_id } = await supported(table);
  const [before, volume] = [await modelIn(scene_id), (await metadata(scene_id)).support_volume_ml];
  bodyOf(await server.ask("auto-support", { scene_id, ...PLAIN }));
  assertNear((await modelIn(scene_id)).position, before.position, 1e-6);
  assertNear((await metadata(scene_id)).support_volume_ml, volume, 1e-6);
});

longTest("copies have the supports of their source; a replacement gets its own", async () => {
  const { scene_id, id } = await supported(table);
  const [copy] = bodyOf(await server.ask("duplicate", { scene_id, count: 1 })).results[0].new_model_ids;
  assert.equal((await server.models(scene_id, [copy]))[0].has_supports, true);
  const other = await server.importOne(scene_id, ball);
  const body = { scene_id, model_id: id, replacement_model_id: other };
  assert.deepEqual(bodyOf(await server.ask("replace", body)), { modified_model_ids: [other], deleted_model_ids: [id] });
  const [replacement] = await server.models(scene_id, [other]);
  assert.equal(replacement.has_supports, true);
  assertNear(replacement.position.z, 1 + 5 + 5, 1e-4);
});

longTest("supports are saved with their scene, and can be regenerated once it is opened", async () => {
  const { scene_id } = await supported(table);
  const file = join(server.folder, "supported.form");
  bodyOf(await server.printwright.post("/v1/scene/save/", { scene_ids: [scene_id], file }));
  const [opened] = bodyOf(await server.printwright.post("/v1/scene/open/", { file })).scenes;
  const [before, after] = [await modelIn(scene_id), await modelIn(opened.scene_id)];
  assert.deepEqual({ ...after, id: before.id }, before);
  const volume = (await metadata(scene_id)).support_volume_ml;
  assert.equal((await metadata(opened.scene_id)).support_volume_ml, volume);
  bodyOf(await server.ask("regenerate-supports", { scene_id: opened.scene_id }));
  assertNear((await metadata(opened.scene_id)).support_volume_ml, volume, 1e-6 * volume);
});

test("a change of the print setting's support defaults removes supports and lists their models", async () => {
  const { scene_id, id } = await supported(ball);
  const [{ machine_type, material_code }] = [(await server.scene(scene_id)).scene_settings];
  const update = (body: object) => server.printwright.post("/v1/scene/update/", { scene_id, ...body });
  const finer = bodyOf(await update({ machine_type, material_code, layer_thickness_mm: 0.05 }));
  assert.deepEqual(finer.unsupported_model_ids, []);
  assert.equal((await modelIn(scene_id)).has_supports, true);
  const powder = bodyOf(await update(POWDER));
  assert.deepEqual(powder.unsupported_model_ids, [id]);
  assert.equal((await modelIn(scene_id)).has_supports, false);
});

test("supports near the edge of the platform are inside the volume", async () => {
  const scene_id = await server.newScene();
  const id = await server.importOne(scene_id, table);
  const { build_volume } = await server.scene(scene_id);
  const x = build_volume.dimensions_mm.x / 2 - 10.2;
  bodyOf(await server.ask("translate", { scene_id, position: { x, y: 0, z: 0 } }));
  bodyOf(await server.ask("auto-support", { scene_id, ...PLAIN }));
  const [model] = await server.models(scene_id, [id]);
  assert.equal(model.has_supports, true);
  assert.equal(model.in_bounds, true, JSON.stringify(model.bounding_box));
});

test("touchpoints that cannot be reached cause a warning with count and places", async () => {
  // A ball that floats in a closed box.
  const rattle = concatenateSurfaces([box([14, 14, 14]), insideOut(box([12, 12, 12])), uvSphere(2)]);
  const file = server.file("rattle.stl", binaryStl(rattle));
  const scene_id = await server.newScene();
  await server.importOne(scene_id, file);
  const { warnings } = bodyOf(
    await server.ask("auto-support", { scene_id, ...PLAIN, internal_supports_enabled: false, only_minima: true }),
  );
  assert.equal(warnings.length, 2);
  assert.match(warnings[1], /^"rattle" is not held while it prints/);
  assert.match(warnings[0], /^1 of \d+ touchpoints of "rattle".*\(-?[\d.]+, -?[\d.]+, -?[\d.]+\) mm/);
});

longTest("a model that supports lift out of the volume causes a warning with its height and the way out", async () => {
  const scene_id = await server.newScene();
  const { build_volume } = await server.scene(scene_id);
  const heightMm = build_volume.dimensions_mm.z;
  const file = server.file("tower.stl", binaryStl(box([12, 12, heightMm - 3])));
  const id = await server.importOne(scene_id, file);
  const low = bodyOf(await server.ask("auto-support", { scene_id, ...PLAIN, height_above_raft_mm: 1 }));
  assert.deepEqual(low.warnings, []);
  for (const action of ["auto-support", "regenerate-supports"]) {
    const settings = action === "auto-support" ? { ...PLAIN, height_above_raft_mm: 6 } : {};
    const { warnings } = bodyOf(await server.ask(action, { scene_id, ...settings }));
    assert.equal(warnings.length, 1);
    const [top] = [(1 + 6 + heightMm - 3).toFixed(1)];
    assert.ok(
      warnings[0].startsWith(`Supports lift "tower" to ${top} mm, 4.0 mm out of the build volume`),
      warnings[0],
    );
    assert.match(warnings[0], /lower height_above_raft_mm/);
    const [model] = await server.models(scene_id, [id]);
    assert.equal(model.in_bounds, false);
  }
});

longTest("pillars on the bare platform without room for wide flares cause a warning", async () => {
  const settings = { ...PLAIN, raft_type: "NONE", density: 0.3 };
  // In addition, so few tips do not hold the table.
  const unheld = /^"table-20" is not held while it prints/;
  const { answer: low } = await supported(table, { ...settings, height_above_raft_mm: 1 });
  assert.equal(low.warnings.length, 2);
  assert.match(low.warnings[0], unheld);
  assert.match(low.warnings[1], /^The raft of "table-20" is too small/);
  const { answer: high } = await supported(table, { ...settings, height_above_raft_mm: 5 });
  assert.equal(high.warnings.length, 1);
  assert.match(high.warnings[0], unheld);
});

test("refused requests change nothing", async () => {
  const powder = await server.newScene(POWDER);
  await server.importOne(powder, ball);
  for (const action of ["auto-support", "regenerate-supports"]) {
    assert.equal(codeOf(await server.ask(action, { scene_id: powder })), "UNSUPPORTED_SCENE");
  }
  const scene_id = await server.newScene();
  await server.importOne(scene_id, ball);
  const before = await server.scene(scene_id);
  const wrong: object[] = [
    { density: -1 },
    { slope_multiplier: "1" },
    { only_minima: 1 },
    { raft_type: "FULL" },
    { touchpoint_size_mm: 0.09 },
    { touchpoint_size_mm: 5.1 },
    { raft_thickness_mm: 10.5 },
    { height_above_raft_mm: 51 },
    { z_compression_correction_mm: -0.1 },
    { early_layer_merge_mm: 6 },
  ];
  for (const body of wrong) {
    assert.equal(codeOf(await server.ask("auto-support", { scene_id, ...body })), "JSON_SCHEMA_MATCH_ERROR");
  }
  assert.deepEqual(await server.scene(scene_id), before);
});
