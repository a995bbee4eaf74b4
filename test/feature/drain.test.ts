import assert from "node:assert/strict";
import { test } from "node:test";
import { rotateVector, rotationMatrix } from "../../src/geometry/pose.ts";
import { dot, subtract, times } from "../../src/geometry/vector.ts";
import { type Surface, concatenateSurfaces, vertexAt, vertexCount } from "../../src/mesh/mesh.ts";
import { inProcess } from "../fixture/in-process.ts";
import { longTest } from "../fixture/long.ts";
import { type Shape, box, uvSphere } from "../fixture/shapes.ts";
import { insideOut, moved } from "../fixture/surface-edits.ts";
import { assertClosedManifold } from "../solid/drill/holes.ts";
import { POWDER, UNKNOWN_ID } from "../fixture/test-server.ts";

// Issue on parts that come out right, part 4: scene/model/auto-drain.

const PATH = "/v1/scene/model/auto-drain/";
const { ask, newScene, importShape, models, scene, refused } = inProcess();
const shell = (outer: Shape, ...cavities: Surface[]): Shape => ({
  ...outer,
  ...concatenateSurfaces([outer, ...cavities.map((one) => insideOut(one))]),
});
const CUBE = shell(box([16, 16, 16]), box([13, 13, 13]));
const SMALL = { vent_diameter_mm: 1, drain_diameter_mm: 2 };

test("a hollow cube gets a vent and a drain; a dry run changes nothing and names the same holes", async () => {
  const scene_id = await newScene();
  const id = await importShape(scene_id, CUBE);
  const before = await models(scene_id);
  const dry = await ask("auto-drain", { scene_id, ...SMALL, dry_run: true });
  assert.deepEqual(await models(scene_id), before);
  assert.deepEqual(
    dry.holes.map(({ kind }: { kind: string }) => kind),
    ["VENT", "DRAIN"],
  );
  const { sealed_before, cup_count, pool_count } = dry.proof;
  assert.deepEqual([sealed_before, cup_count, pool_count, dry.left, dry.filled], [2, 0, 0, [], []]);
  assert.deepEqual(await ask("auto-drain", { scene_id, ...SMALL }), { ...dry, modified_model_ids: [id] });
  const again = await ask("auto-drain", { scene_id, ...SMALL });
  assert.deepEqual([again.holes, again.proof.sealed_before, again.modified_model_ids], [[], 0, []]);
});

longTest("a ball on the platform gets a hole below where supports will lift it", async () => {
  const ball = shell(uvSphere(18, 64, 32), uvSphere(16.5, 64, 32));
  const [scene_id, other] = [await newScene(), await newScene()];
  for (const one of [scene_id, other]) await importShape(one, ball);
  const lying = await ask("auto-drain", { scene_id, dry_run: true });
  assert.deepEqual(
    lying.left.map(({ kind }: { kind: string }) => kind),
    ["CUP"],
  );
  const before = await models(scene_id);
  const { holes, left } = await ask("auto-drain", { scene_id, before_supports: true });
  assert.deepEqual(left, []);
  const [{ position }] = await models(scene_id);
  assert.ok(
    Math.abs(position.z - before[0]!.position.z) < 0.1,
    "it lies on the platform as before, on the rim of a hole",
  );
  await ask("drill", {
    scene_id: other,
    drain_holes: holes.map(({ drain_hole }: { drain_hole: object }) => drain_hole),
  });
  const [drained, drilled] = [scene(scene_id).models[0].mesh, scene(other).models[0].mesh];
  assert.ok(Math.abs(drained.volumeMm3 - drilled.volumeMm3) < 1e-3);
  await ask("auto-support", { scene_id });
  const again = await ask("auto-drain", { scene_id, dry_run: true });
  assert.deepEqual([again.holes, again.left], [[], []], "it drains on its supports");
});

longTest("drill takes the holes of a dry run, also of a turned and scaled model, and makes the same mesh", async () => {
  const [scene_id, other] = [await newScene(), await newScene()];
  for (const one of [scene_id, other]) {
    await importShape(one, CUBE);
    await ask("orient", { scene_id: one, orientation: { x: 20, y: 10, z: 33 } });
    await ask("scale", { scene_id: one, scale: 1.5 });
  }
  const { holes } = await ask("auto-drain", { scene_id, ...SMALL, dry_run: true });
  const drain_holes = holes.map(({ drain_hole }: { drain_hole: object }) => drain_hole);
  await ask("drill", { scene_id: other, drain_holes });
  await ask("auto-drain", { scene_id, ...SMALL });
  const [drained, drilled] = [scene(scene_id).models[0].mesh, scene(other).models[0].mesh];
  assert.ok(Math.abs(drained.volumeMm3 - drilled.volumeMm3) < 1e-3);
});

longTest("plugs are models that are smaller than their holes by the gap", async () => {
  const scene_id = await newScene();
  const id = await importShape(scene_id, CUBE);
  const answer = await ask("auto-drain", { scene_id, ...SMALL, plugs: true });
  assert.equal(answer.plugs.length, 2);
  const { holes } = answer;
  for (const [i, { plug_model_id, drilled_model_id }] of answer.plugs.entries()) {
    assert.equal(drilled_model_id, id);
    const plug = scene(scene_id).models.find((model) => model.id === plug_model_id)!;
    const { orientation, position, diameter_mm } = holes[i].drain_hole;
    const axis = rotateVector(rotationMatrix(orientation), [0, 0, -1]);
    const radiusMm = diameter_mm / 2 - 0.1;
    const { mesh } = plug;
    // The raw mesh of the cube is around the origin, 8 mm lower than in the scene. The polygon around the circle is less than 1 % larger.
    for (let vertex = 0; vertex < vertexCount(mesh); vertex++) {
      const away = subtract(vertexAt(mesh, vertex), [position.x, position.y, position.z - 8]);
      const across = subtract(away, times(axis, dot(away, axis)));
      assert.ok(Math.sqrt(dot(across, across)) < 1.01 * radiusMm);
    }
    assertClosedManifold(mesh, "plug");
    // Through a wall of 1.5 mm, and on where the bore cuts the floor or the roof of the cavity.
    const volume = 1.5 * Math.PI * radiusMm ** 2;
    assert.ok(mesh.volumeMm3 > 0.99 * volume && mesh.volumeMm3 < 1.4 * volume, `${mesh.volumeMm3} of ${volume}`);
  }
});

longTest("no hole is in a protected face, whose facets stay as they are", async () => {
  const scene_id = await newScene();
  await importShape(scene_id, CUBE);
  const face = (x: number, y: number) => ({ kind: "FACE", point: { x, y, z: 8 }, angle_deg: 15 });
  // The sides of the cube to the left, right and back: only the front, bottom and top are left.
  const protected_areas = [face(8, 0), face(-8, 0), face(0, 8)];
  const trianglesOf = (): string[] => {
    const { mesh } = scene(scene_id).models[0];
    const corner = (vertex: number): string => [...mesh.vertices.subarray(3 * vertex, 3 * vertex + 3)].join();
    const all = Array.from({ length: mesh.triangles.length / 3 }, (_, facet) =>
      [0, 1, 2]
        .map((i) => corner(mesh.triangles[3 * facet + i]))
        .toSorted()
        .join(" "),
    );
    return all.filter((one) => /^8,\S+ 8,\S+ 8,|^-8,\S+ -8,\S+ -8,/.test(one)).toSorted();
  };
  const before = trianglesOf();
  assert.equal(before.length, 4);
  const { holes, proof } = await ask("auto-drain", { scene_id, ...SMALL, protected_areas });
  assert.equal(proof.cup_count + proof.pool_count, 0);
  for (const { drain_hole } of holes) assert.ok(drain_hole.position.y < -7.9 || drain_hole.position.z > 15.9);
  assert.deepEqual(trianglesOf(), before);
});

longTest("supports stay, and holes keep off them", async () => {
  const scene_id = await newScene();
  await importShape(scene_id, CUBE);
  await ask("orient", { scene_id, orientation: { x: 35, y: 45, z: 0 } });
  await ask("auto-support", { scene_id });
  const [{ supports }] = scene(scene_id).models;
  const { proof } = await ask("auto-drain", { scene_id, ...SMALL });
  assert.deepEqual([proof.cup_count, proof.pool_count], [0, 0]);
  assert.equal(scene(scene_id).models[0].supports?.mesh.hash, supports!.mesh.hash);
  const cups = Object.values<{ cup_count: number }>((await ask("validate/cups", { scene_id })).per_model_results);
  assert.deepEqual(
    cups.map(({ cup_count }) => cup_count),
    [0],
  );
});

longTest("specks are filled, and a cavity that no hole reaches is named", async () => {
  const scene_id = await newScene();
  const specks = [-5, 5].map((x) => moved(box([2, 2, 2]), [x, 0, 0]));
  await importShape(scene_id, shell(box([16, 16, 16]), ...specks));
  const { filled, holes } = await ask("auto-drain", { scene_id });
  assert.deepEqual(
    filled.map(({ volume_ml }: { volume_ml: number }) => volume_ml),
    [0.008, 0.008],
  );
  assert.equal(holes.length, 0);
  assert.ok(Math.abs(scene(scene_id).models[0].mesh.volumeMm3 - 4096) < 1e-3);
  const deep = await newScene();
  await importShape(deep, shell(box([80, 80, 80]), uvSphere(5, 16, 8)));
  await importShape(deep, CUBE);
  const { left, warnings } = await ask("auto-drain", { scene_id: deep });
  assert.deepEqual(
    left.map(({ kind, reason }: { kind: string; reason: string }) => [kind, /at most 30 mm/.test(reason)]),
    [
      ["CUP", true],
      ["POOL", true],
    ],
  );
  assert.match(warnings[0], /2 closed spaces/);
});

longTest("what cannot be drained at all is refused with the reason, and wrong bodies change nothing", async () => {
  const scene_id = await newScene();
  await importShape(scene_id, CUBE);
  await refused(
    PATH,
    { scene_id, vent_diameter_mm: 20, drain_diameter_mm: 20 },
    "OPERATION_FAILED",
    /No cavity can be drained.*Turn the model/,
  );
  for (const wrong of [
    { vent_diameter_mm: 0 },
    { drain_diameter_mm: "2" },
    { max_pool_ml: 0 },
    { plugs: 1 },
    { dry_run: 1 },
  ])
    await refused(PATH, { scene_id, ...wrong }, "JSON_SCHEMA_MATCH_ERROR", /_mm|max_pool_ml|plugs|dry_run/);
  await refused(PATH, { scene_id, model_ids: [UNKNOWN_ID] }, "NOT_FOUND");
  const open: Shape = { ...CUBE, triangles: CUBE.triangles.slice(3) };
  const id = await importShape(scene_id, open, { name: "open", repair_behavior: "IGNORE" });
  await refused(PATH, { scene_id, model_ids: [id] }, "OPERATION_FAILED", /"open" cannot be drained: .*gaps/);
  const powder = await newScene(POWDER);
  await importShape(powder, CUBE);
  assert.deepEqual((await ask("auto-drain", { scene_id: powder })).holes, []);
});
