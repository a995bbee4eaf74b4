import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { profileOf } from "../../src/catalog/profile.ts";
import type { Surface } from "../../src/mesh/mesh.ts";
import { type Reply, awaitOperation } from "../fixture/client.ts";
import { rowsOf } from "../fixture/rotated.ts";
import { box, tetrahedron, torus } from "../fixture/shapes.ts";
import { POWDER_SETTING } from "../fixture/some-scene.ts";
import { binaryStl } from "../fixture/stl-file.ts";
import {
  POWDER,
  type TestServer,
  UNKNOWN_ID,
  assertNear,
  assertRefused,
  bodyOf,
  codeOf,
  openTestServer,
} from "../fixture/test-server.ts";
import { longCases, longTest } from "../fixture/long.ts";

// Interface supplement, section 6: "auto-pack", "fill-build-chamber"; interface, "lock values".

let server: TestServer;
before(async () => {
  server = await openTestServer();
});
after(() => server.close());

type Model = Reply["body"];

let files = 0;
const stl = (surface: Surface): string => server.file(`part-${files++}.stl`, binaryStl(surface));

/** A powder scene of parts, imported one by one: the surface and the options of the import. */
async function sceneOf(...parts: readonly (readonly [Surface, object?])[]) {
  const scene_id = await server.newScene(POWDER);
  const ids: string[] = [];
  for (const [surface, options] of parts) ids.push(await server.importOne(scene_id, stl(surface), options));
  return { scene_id, ids };
}

/** Asserts that all models are inside the chamber and apart by the spacing, and returns them. */
async function assertPacked(scene_id: string, spacingMm: number): Promise<Model[]> {
  const models = await server.models(scene_id);
  assert.ok(models.every(({ in_bounds }: Model) => in_bounds));
  const near = await server.ask("validate/interferences", { scene_id, collision_offset_mm: spacingMm });
  assert.deepEqual(bodyOf(near).interferences, []);
  return models;
}

const poseOf = ({ position, orientation, scale }: Model) => ({ position, orientation, scale });

longTest(
  "models are packed inside the chamber, 5 mm apart unless asked otherwise, around those that are not named or are locked",
  async () => {
    const { scene_id, ids } = await sceneOf(
      [box([40, 30, 20])],
      [torus(15, 4)],
      [tetrahedron(25)],
      [box([60, 60, 10]), { lock: "FULLY_LOCKED" }],
      [box([12, 12, 30])],
    );
    const staying = ids.slice(3);
    bodyOf(await server.ask("translate", { scene_id, model_ids: [staying[0]], position: { x: 0, y: 0, z: 30 } }));
    bodyOf(await server.ask("translate", { scene_id, model_ids: [staying[1]], position: { x: -60, y: 60, z: 15 } }));
    const before = await server.models(scene_id, staying);
    for (const [spacing, spacingMm] of [
      [{}, 5],
      [{ model_spacing_mm: 0.7 }, 0.7],
      ...longCases([[{ model_spacing_mm: 0 }, 0]] as const),
    ] as const) {
      const body = { scene_id, model_ids: ids.slice(0, 4), ...spacing };
      assert.deepEqual(bodyOf(await server.ask("auto-pack", body)).modified_model_ids, ids.slice(0, 3));
      const models = await assertPacked(scene_id, spacingMm);
      assert.deepEqual(models.slice(3).map(poseOf), before.map(poseOf));
      assert.ok(models.slice(0, 3).every(({ bounding_box }: Model) => bounding_box.max_corner.z < 90));
    }
  },
);

longTest("packing respects each lock", async () => {
  const tilt = { x: 20, y: 35, z: 50 };
  const shape = box([40, 16, 6]);
  const { scene_id, ids } = await sceneOf(
    ...["LOCKED_XY_FLIP_ENABLED", "LOCKED_XY_ROTATION_FREE_TRANSLATION", "LOCKED_ROTATION_FREE_TRANSLATION"].map(
      (lock) => [shape, { lock }] as const,
    ),
    [shape],
  );
  bodyOf(await server.ask("orient", { scene_id, orientation: tilt }));
  bodyOf(await server.ask("auto-pack", { scene_id, model_spacing_mm: 2 }));
  const models = await assertPacked(scene_id, 2);
  assert.deepEqual(
    models.map(({ id }: Model) => id),
    ids,
  );
  const [flip, spin, still, free] = models.map(({ orientation }: Model) => orientation);
  const up = rowsOf(tilt)[2];
  const sign = Math.sign(rowsOf(flip)[2].reduce((sum: number, value: number, i: number) => sum + value * up[i], 0));
  assertNear({ ...rowsOf(flip)[2].map((value: number) => sign * value) }, { ...up }, 1e-6);
  assertNear({ ...rowsOf(spin)[2] }, { ...up }, 1e-6);
  assertNear(still, tilt, 1e-6);
  // A box that may rotate is packed low, but tilted about its longest side: its largest face is not level.
  const { min_corner, max_corner } = models[3].bounding_box;
  const [c, s] = [Math.cos(Math.PI / 18), Math.sin(Math.PI / 18)];
  assertNear(max_corner.z - min_corner.z, 6 * c + 16 * s, 1e-3, JSON.stringify(free));
});

longTest("material and time of a packed chamber with a cage are those of its parts and the lattice", async () => {
  const { scene_id } = await sceneOf([box([9, 8, 10])], [box([12, 10, 5])]);
  const { new_model_ids } = bodyOf(await server.ask("cage", { scene_id, packing_type: "PACK_HEIGHT" }));
  await server.importOne(scene_id, stl(box([40, 30, 20])));
  await server.importOne(scene_id, stl(box([60, 8, 8])));
  bodyOf(await server.ask("auto-pack", { scene_id, model_spacing_mm: 2 }));
  const { models, bounding_box, layer_count, material_usage } = bodyOf(
    await server.printwright.post("/v1/scene/metadata/", { scene_id }),
  );
  const lattice = models.find(({ id }: Model) => id === new_model_ids[0]);
  const sinteredMl = 0.72 + 0.6 + 24 + 3.84 + lattice.volume_ml;
  const profile = profileOf(POWDER_SETTING);
  assert.ok(profile.family === "powder");
  const { bufferMm, timeS, densityGPerMl, unsinteredDensityGPerMl } = profile;
  const totalMl = (165 * 165 * (bounding_box.max_corner.z + bufferMm.below + bufferMm.above)) / 1000;
  const sinteredKg = (sinteredMl * densityGPerMl) / 1000;
  const expected = {
    total_powder_ml: totalMl,
    total_powder_kg: sinteredKg + ((totalMl - sinteredMl) * unsinteredDensityGPerMl) / 1000,
    total_sintered_powder_ml: sinteredMl,
    total_sintered_powder_kg: sinteredKg,
    mass_packing_density: sinteredKg / ((165 * 165 * 300) / 1e6),
  };
  assertNear(material_usage, expected, 1e-4);
  const { printing_time_s } = bodyOf(await server.printwright.post("/v1/scene/calculate-print-time/", { scene_id }));
  const thicknessMm = POWDER.layer_thickness_mm;
  const sinteringS = (timeS.sinterPerCm2 * (1000 * sinteredMl)) / thicknessMm / 100;
  const recoatingS = timeS.recoat * (layer_count + Math.ceil(bufferMm.above / thicknessMm));
  assertNear(printing_time_s, recoatingS + sinteringS, 0.02 * sinteringS);
});

longTest("when not all models fit, nothing moves and the error has the number that fit", async () => {
  const { scene_id } = await sceneOf(
    ...Array.from({ length: 4 }, () => [box([120, 120, 90]), { lock: "LOCKED_ROTATION_FREE_TRANSLATION" }] as const),
  );
  const before = await server.scene(scene_id);
  const reply = await server.ask("auto-pack", { scene_id });
  assertRefused(reply, "OPERATION_FAILED", /Of 4 models 3 fit in the chamber, 5 mm apart: nothing was moved/);
  assert.deepEqual(await server.scene(scene_id), before);
  const filled = await server.ask("fill-build-chamber", { scene_id, fill_to_height_mm: 80 });
  assertRefused(
    filled,
    "OPERATION_FAILED",
    /is too large for the chamber: .* 80 mm within its walls are 10 mm too short/,
  );
  assert.deepEqual(await server.scene(scene_id), before);
});

longTest(
  "models stay level if tilts would make the job more than a tenth higher, or if not all would fit",
  async () => {
    const { scene_id } = await sceneOf([box([120, 120, 94])], [box([120, 120, 94])]);
    const heightsOf = async (): Promise<number[]> => {
      bodyOf(await server.ask("auto-pack", { scene_id }));
      const models = await assertPacked(scene_id, 5);
      return models.map(({ bounding_box: { min_corner, max_corner } }: Model) => max_corner.z - min_corner.z);
    };
    assert.ok((await heightsOf()).every((height) => Math.abs(height - 94) < 1e-3));
    await server.importOne(scene_id, stl(box([120, 120, 94])));
    assert.ok((await heightsOf()).every((height) => Math.abs(height - 94) < 1e-3));
  },
);

longTest("a plate is tilted next to a taller part; alone, or with packing_mode HEIGHT, it is packed flat", async () => {
  const { scene_id, ids } = await sceneOf([box([50, 40, 6])], [box([12, 12, 40]), { lock: "FULLY_LOCKED" }]);
  bodyOf(await server.ask("translate", { scene_id, model_ids: [ids[1]], position: { x: 60, y: 60, z: 20 } }));
  const heightAfter = async (mode: object): Promise<number> => {
    bodyOf(await server.ask("auto-pack", { scene_id, ...mode }));
    const [{ bounding_box }] = await assertPacked(scene_id, 5);
    return bounding_box.max_corner.z - bounding_box.min_corner.z;
  };
  assert.ok((await heightAfter({})) > 10);
  assert.ok(Math.abs((await heightAfter({ packing_mode: "HEIGHT" })) - 6) < 1e-3);
  bodyOf(await server.ask("delete", { scene_id, model_ids: [ids[1]] }));
  assert.ok(Math.abs((await heightAfter({ packing_mode: "BALANCED" })) - 6) < 1e-3);
});

longTest("a cage is packed, avoided and copied as one body, with its lattice and its parts", async () => {
  const { scene_id, ids } = await sceneOf([box([9, 8, 10])], [box([12, 10, 5])], [box([70, 60, 12])]);
  const [first, second, block] = ids;
  const cage = { scene_id, model_ids: [first, second], packing_type: "PACK_HEIGHT" };
  const { cage_model_id, new_model_ids } = bodyOf(await server.ask("cage", cage));
  const members = [first, second, new_model_ids[0]];
  const standing = async (): Promise<number[][]> => {
    const models = await server.models(scene_id, members);
    const [from] = models.map(({ position }: Model) => position);
    return models.map(({ position: { x, y, z } }: Model) =>
      [x - from.x, y - from.y, z - from.z].map((mm) => Math.round(1e3 * mm)),
    );
  };
  const before = await standing();
  // In the way of the block, and outside the chamber.
  bodyOf(await server.ask("translate", { scene_id, model_ids: [block], position: { x: 0, y: 0, z: 6 } }));
  bodyOf(await server.ask("translate", { scene_id, model_ids: [cage_model_id], position: { x: 0, y: 0, z: 0 } }));
  const { modified_model_ids } = bodyOf(await server.ask("auto-pack", { scene_id, model_spacing_mm: 3 }));
  assert.deepEqual([...modified_model_ids].sort(), [...ids, new_model_ids[0], cage_model_id].sort());
  const apart = async (): Promise<void> => {
    const near = await server.ask("validate/interferences", { scene_id, collision_offset_mm: 1.9 });
    assert.deepEqual(bodyOf(near).interferences, []);
    assert.ok((await server.models(scene_id)).every(({ in_bounds }: Model) => in_bounds));
  };
  await apart();
  assert.deepEqual(await standing(), before);
  const poses = (await server.models(scene_id, members)).map(poseOf);
  bodyOf(await server.ask("auto-pack", { scene_id, model_ids: [block], model_spacing_mm: 3 }));
  await apart();
  assert.deepEqual((await server.models(scene_id, members)).map(poseOf), poses);
  const fill = { scene_id, model_ids: [cage_model_id], fill_to_height_mm: 40, model_spacing_mm: 3 };
  const { results } = bodyOf(await server.ask("fill-build-chamber", fill));
  const sources = results.map(({ source_model_id }: Model) => source_model_id);
  assert.deepEqual([...sources].sort(), [...members, cage_model_id].sort());
  const counts: number[] = results.map((one: Model) => one.new_model_ids.length);
  assert.ok(counts[0] >= 3 && counts.every((count) => count === counts[0]), `${counts}`);
  await apart();
});

test("a model that is too large is refused with its name and the excess, before anything is packed", async () => {
  const lock = "LOCKED_ROTATION_FREE_TRANSLATION";
  const { scene_id } = await sceneOf([box([20, 20, 20])], [box([200, 40, 3]), { lock, name: "long" }]);
  const before = await server.scene(scene_id);
  for (const action of ["auto-pack", "fill-build-chamber"]) {
    const reply = await server.ask(action, { scene_id });
    const message =
      /The model "long" is too large for the chamber: .* are 3[0-9.]* mm too short for it.*set its lock to FREE/;
    assertRefused(reply, "OPERATION_FAILED", message);
  }
  assert.deepEqual(await server.scene(scene_id), before);
});

longTest("a part longer than the chamber is packed along the diagonal once its lock is FREE", async () => {
  const { scene_id } = await sceneOf([box([20, 20, 20])], [box([200, 40, 3]), { lock: "FREE" }]);
  bodyOf(await server.ask("auto-pack", { scene_id }));
  await assertPacked(scene_id, 5);
});

test("invalid requests are refused, and empty scenes stay empty", async () => {
  const { scene_id } = await sceneOf([box([10, 10, 10])]);
  for (const action of ["auto-pack", "fill-build-chamber"]) {
    assert.equal(codeOf(await server.ask(action, { scene_id, model_spacing_mm: -1 })), "JSON_SCHEMA_MATCH_ERROR");
    assert.equal(codeOf(await server.ask(action, { scene_id, model_ids: [UNKNOWN_ID] })), "NOT_FOUND");
    assertRefused(await server.ask(action, { scene_id: await server.newScene() }), "UNSUPPORTED_SCENE", /powder/);
    bodyOf(await server.ask(action, { scene_id: await server.newScene(POWDER) }));
  }
  const mode = { scene_id, packing_mode: "LOW" };
  assert.equal(codeOf(await server.ask("auto-pack", mode)), "JSON_SCHEMA_MATCH_ERROR");
  const height = { scene_id, fill_to_height_mm: 0 };
  assert.equal(codeOf(await server.ask("fill-build-chamber", height)), "JSON_SCHEMA_MATCH_ERROR");
});

longTest("fill adds copies of each model in turn up to the height, until no further one fits", async () => {
  const { scene_id, ids } = await sceneOf([box([70, 75, 20])], [box([50, 60, 30])]);
  const fill = { scene_id, fill_to_height_mm: 62, model_spacing_mm: 4 };
  const { results } = bodyOf(await server.ask("fill-build-chamber", fill));
  assert.deepEqual(
    results.map((one: Model) => one.source_model_id),
    ids,
  );
  const [first, second] = results.map((one: Model) => one.new_model_ids.length);
  assert.ok(first >= 2 && second >= 2, `${first} and ${second}`);
  const models = await assertPacked(scene_id, 4);
  assert.equal(models.length, 2 + first + second);
  assert.ok(models.every(({ bounding_box }: Model) => bounding_box.max_corner.z <= 62.001));
  const again = bodyOf(await server.ask("fill-build-chamber", { ...fill, model_ids: [ids[0]] }));
  assert.deepEqual(again.results, [{ source_model_id: ids[0], new_model_ids: [] }]);
});

test("packing runs as an operation; if it is cancelled, nothing moves", async () => {
  const { scene_id, ids } = await sceneOf([torus(14, 4)], [torus(9, 3)]);
  const begun = await server.printwright.post("/v1/scene/model/auto-pack/?async=true", { scene_id });
  const operation = await awaitOperation(server.printwright, begun);
  assert.deepEqual(operation.result.modified_model_ids, ids);
  const before = await server.scene(scene_id);
  const filling = await server.printwright.post("/v1/scene/model/fill-build-chamber/?async=true", { scene_id });
  const { operation_id } = filling.body;
  bodyOf(await server.printwright.post("/v1/operation/cancel/", { operations: [operation_id] }));
  const { status } = await awaitOperation(server.printwright, filling);
  assert.equal(status, "FAILED");
  assert.deepEqual(await server.scene(scene_id), before);
});
