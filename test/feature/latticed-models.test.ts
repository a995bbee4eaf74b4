import assert from "node:assert/strict";
import { test } from "node:test";
import type { Reply } from "../fixture/client.ts";
import { IMPLANT, PYRAMID, latticeFile } from "../fixture/beam-lattice-file.ts";
import { inProcess } from "../fixture/in-process.ts";

const printwright = inProcess();
const { post, ask, file, newScene, refused } = printwright;
const SLA = { machine_type: "CREALITY-LD-002R", material_code: "GENERIC-RESIN", layer_thickness_mm: 0.05 };

type Body = Reply["body"];

async function imported(
  resources: string,
  scene: object = SLA,
): Promise<{ scene_id: string; model_id: string; reply: Body }> {
  const scene_id = await newScene(scene);
  const reply = await ask("import", {
    scene_id,
    file: file("lattice.3mf", latticeFile(resources)),
    repair_behavior: "ERROR",
  });
  return { scene_id, model_id: reply.new_models[0].model_id, reply };
}

const volumeMl = async (scene_id: string): Promise<number> =>
  (await post("/v1/scene/get/", { scene_id })).material_usage.volume_ml;

/** Volume of the lit pixels of the job of a scene, ml. */
async function printedMl(scene_id: string): Promise<number> {
  const path = file("job.ctb", new Uint8Array());
  await post("/v1/scene/export/", { scene_id, file: path });
  return (await post("/v1/job/inspect/", { file: path, checks: [] })).computed.material_ml;
}

function assertMl(actual: number, expected: number, what: string): void {
  assert.ok(Math.abs(actual / expected - 1) < 0.015, `${what}: ${actual} ml, expected ${expected} ml`);
}

type Point = readonly [number, number, number];

/** Whether a point is in a beam with flat ends, or in a ball on one of them. */
function isInBeam(p: Point, from: Point, to: Point, r1: number, r2: number, balls: readonly number[]): boolean {
  const d = to.map((value, axis) => value - from[axis]);
  const v = p.map((value, axis) => value - from[axis]);
  const dot = (a: readonly number[], b: readonly number[]): number =>
    a.reduce((sum, value, i) => sum + value * b[i], 0);
  const share = dot(v, d) / dot(d, d);
  const fromAxis = dot(v, v) - share ** 2 * dot(d, d);
  if (share >= 0 && share <= 1 && fromAxis <= (r1 + share * (r2 - r1)) ** 2) return true;
  const w = p.map((value, axis) => value - to[axis]);
  return (balls.includes(1) && dot(v, v) <= r1 ** 2) || (balls.includes(2) && dot(w, w) <= r2 ** 2);
}

/** Volume of a solid in a box about the z axis, ml, by samples. */
function sampledMl(half: number, low: number, high: number, step: number, isInside: (p: Point) => boolean): number {
  let count = 0;
  for (let x = -half + step / 2; x < half; x += step)
    for (let y = -half + step / 2; y < half; y += step)
      for (let z = low + step / 2; z < high; z += step) if (isInside([x, y, z])) count++;
  return (count * step ** 3) / 1000;
}

const CORNERS: readonly Point[] = [
  [-5, -5, 0],
  [5, -5, 0],
  [5, 5, 0],
  [-5, 5, 0],
];
const PYRAMID_ML = sampledMl(6, -1, 10, 0.15, (p) => {
  if (p[0] ** 2 + p[1] ** 2 + (p[2] - 8) ** 2 <= 1) return true;
  return CORNERS.some(
    (corner, i) =>
      isInBeam(p, corner, CORNERS[(i + 1) % 4], 0.5, 0.5, [1, 2]) || isInBeam(p, corner, [0, 0, 8], 0.5, 0.5, [1, 2]),
  );
});

test("a pyramid of beams is imported, and its job has the volume of its beams", async () => {
  const { scene_id, reply } = await imported(PYRAMID);
  assert.match(reply.warnings.join(), /lattice of beams.*exact beams.*coarse tubes/);
  assertMl(await volumeMl(scene_id), PYRAMID_ML, "volume");
  assertMl(await printedMl(scene_id), PYRAMID_ML, "printed");
});

test("an implant: beams of a base, clipped by a box before they are united with it", async () => {
  // The base has 200 mm³, up to 2 mm; the clipping box ends at 9 mm.
  const beams = sampledMl(4, 2, 9, 0.1, (p) => {
    return (
      isInBeam(p, [-5, -5, 0], [5, 5, 12], 0.8, 0.4, [2]) || isInBeam(p, [5, 5, 0], [-5, -5, 12], 0.5, 0.5, [1, 2])
    );
  });
  const expected = 0.2 + beams;
  const { scene_id } = await imported(IMPLANT);
  assertMl(await volumeMl(scene_id), expected, "volume");
  assertMl(await printedMl(scene_id), expected, "printed");
});

test("moved, turned, scaled and duplicated models keep their lattices, also in another unit", async () => {
  const { scene_id, model_id } = await imported(PYRAMID);
  const ids = { scene_id, model_ids: [model_id] };
  await ask("orient", { ...ids, orientation: { x: 30, y: 40, z: 50 } });
  await ask("scale", { ...ids, scale: 1.5 });
  assertMl(await printedMl(scene_id), PYRAMID_ML * 1.5 ** 3, "turned and scaled");
  await ask("duplicate", { ...ids, count: 1 });
  const [model, copy] = printwright.scene(scene_id).models;
  assert.equal(copy?.mesh, model?.mesh);
  await ask("delete", ids);
  const other = { scene_id, model_ids: [copy!.id] };
  await ask("update", { ...other, units: "INCHES" });
  await ask("scale", { ...other, scale: 1.5 / 25.4 });
  assertMl(await printedMl(scene_id), PYRAMID_ML * 1.5 ** 3, "printed in inches");
});

test("a .form file keeps the lattices, and a damaged one is refused", async () => {
  const { scene_id } = await imported(IMPLANT);
  const path = file("project.form", new Uint8Array());
  await post("/v1/scene/save/", { scene_ids: [scene_id], file: path });
  const [mesh] = printwright.scene(scene_id).models.map((model) => model.mesh);
  const { scenes, warnings } = await post("/v1/scene/open/", { file: path });
  assert.equal(warnings, undefined);
  const [again] = printwright.scene(scenes[0].scene_id).models.map((model) => model.mesh);
  assert.equal(again?.hash, mesh?.hash);
  assert.equal(again?.latticed?.lattices[0]?.clip?.keeps, "inside");
  assertMl(await printedMl(scenes[0].scene_id), await printedMl(scene_id), "opened");
});

test("changes of the mesh refuse a lattice, and mesh files say that they have tubes", async () => {
  const { scene_id, model_id } = await imported(PYRAMID);
  const ids = { scene_id, model_ids: [model_id] };
  const message = /lattice of beams of "lattice" is no mesh/;
  const requests: [string, object][] = [
    ["hollow", { ...ids, wall_thickness_mm: 1 }],
    ["mirror", { ...ids, axis: "X" }],
    ["stretch", { ...ids, factors: { x: 1, y: 1, z: 2 } }],
    ["split-bodies", ids],
    ["auto-drain", ids],
  ];
  for (const [action, body] of requests) {
    await refused(`/v1/scene/model/${action}/`, body, "OPERATION_FAILED", message);
  }
  const { warnings } = await post("/v1/scene/export/", { scene_id, file: file("tubes.stl", new Uint8Array()) });
  assert.match(warnings.join(), /coarse tubes/);
  assert.match((await ask("repair", ids)).warnings.join(), /left as it is/);
});
