import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import type { Surface } from "../../src/mesh/mesh.ts";
import { arch } from "../fixture/arch.ts";
import { type Reply, awaitOperation } from "../fixture/client.ts";
import { distanceOf, edgesOf, polygons } from "../fixture/polygons.ts";
import { rotated, rowsOf } from "../fixture/rotated.ts";
import { box, tetrahedron } from "../fixture/shapes.ts";
import { binaryStl } from "../fixture/stl-file.ts";
import {
  POWDER,
  type TestServer,
  UNKNOWN_ID,
  assertNear,
  bodyOf,
  codeOf,
  openTestServer,
} from "../fixture/test-server.ts";
import { longTest } from "../fixture/long.ts";

// Interface supplement, section 6: "auto-layout", "fill-build-platform"; interface, "lock values".

let server: TestServer;
before(async () => {
  server = await openTestServer();
});
after(() => server.close());

type Model = Reply["body"];

let files = 0;
const stl = (surface: Surface): string => server.file(`part-${files++}.stl`, binaryStl(surface));
/** A scene of parts, imported one by one: the surface and the options of the import. */
async function sceneOf(
  ...parts: readonly (readonly [Surface, object?])[]
): Promise<{ scene_id: string; ids: string[] }> {
  const scene_id = await server.newScene();
  const ids: string[] = [];
  for (const [surface, options] of parts) ids.push(await server.importOne(scene_id, stl(surface), options));
  return { scene_id, ids };
}

/** The edges of each facet at its place in the scene, seen from above; facets without extent in height are left out. */
function facetsOf(surface: Surface, { position, orientation, scale }: Model) {
  const { vertices, triangles } = surface;
  const corner = (v: number) => {
    const [x, y] = rotated([vertices[3 * v], vertices[3 * v + 1], vertices[3 * v + 2]], orientation);
    return [position.x + scale * x, position.y + scale * y] as const;
  };
  return Array.from({ length: triangles.length / 3 }, (_, t) => {
    const ring = [...triangles.subarray(3 * t, 3 * t + 3)].map(corner);
    const area = edgesOf(polygons(ring)).reduce((sum, [[ax, ay], [bx, by]]) => sum + ax * by - ay * bx, 0);
    return edgesOf(polygons(area < 0 ? ring.toReversed() : ring));
  });
}

/** The least distance of two models, by all pairs of their facets. Surfaces are centred on their origin. */
const distanceBetween = (a: Surface, modelA: Model, b: Surface, modelB: Model): number =>
  Math.min(...facetsOf(a, modelA).flatMap((p) => facetsOf(b, modelB).map((q) => distanceOf(p, q))));

async function assertApart(scene_id: string, surfaces: readonly Surface[], spacingMm: number): Promise<Model[]> {
  const models = await server.models(scene_id);
  for (const [i, model] of models.entries()) {
    for (let j = 0; j < i; j++) {
      const gap = distanceBetween(surfaces[i], model, surfaces[j], models[j]);
      assert.ok(gap >= spacingMm - 1e-6, `${gap} mm apart`);
    }
  }
  return models;
}

const assertInside = (models: readonly Model[]): void => assert.ok(models.every(({ in_bounds }) => in_bounds));

test("models at the same place are moved apart and inside, and keep their tilt and height", async () => {
  const surfaces = [box([30, 20, 10]), tetrahedron(40), box([12, 60, 8]), tetrahedron(25)];
  const { scene_id, ids } = await sceneOf(...surfaces.map((surface) => [surface] as const));
  for (const id of ids)
    bodyOf(await server.ask("orient", { scene_id, model_ids: [id], orientation: { x: 20, y: 35, z: 50 } }));
  const before = await server.models(scene_id);
  const { modified_model_ids } = bodyOf(await server.ask("auto-layout", { scene_id, model_spacing_mm: 3 }));
  assert.deepEqual(modified_model_ids, ids);
  const models = await assertApart(scene_id, surfaces, 3);
  assertInside(models);
  for (const [i, { orientation, position }] of models.entries()) {
    assertNear({ ...rowsOf(orientation)[2] }, { ...rowsOf(before[i].orientation)[2] }, 1e-7);
    assertNear(position.z, before[i].position.z, 1e-6);
  }
});

test("layout respects each lock", async () => {
  const long = box([190, 20, 10]);
  const bounds = { custom_bounds: { x_min_mm: -60, x_max_mm: -5, y_min_mm: -60, y_max_mm: 60 } };
  const upright = { orientation: { x: 0, y: 0, z: 0 } };
  const narrow = box([100, 20, 10]);
  for (const lock of ["FREE", "LOCKED_XY_FLIP_ENABLED", "LOCKED_XY_ROTATION_FREE_TRANSLATION"]) {
    const { scene_id } = await sceneOf([narrow, { lock }]);
    bodyOf(await server.ask("auto-layout", { scene_id, ...bounds }));
    const [{ orientation, bounding_box: at }] = await server.models(scene_id);
    assert.deepEqual([orientation.x, orientation.y, Math.abs(orientation.z)], [0, 0, 90]);
    assert.ok(at.min_corner.x >= -60.001 && at.max_corner.x <= -4.999);
    const shallow = { custom_bounds: { y_max_mm: 30 } };
    assert.equal(
      codeOf(await server.ask("auto-layout", { scene_id, lock_rotation: true, ...shallow })),
      "OPERATION_FAILED",
    );
    bodyOf(await server.ask("auto-layout", { scene_id, ...shallow }));
  }
  const still = await sceneOf([long, { lock: "LOCKED_ROTATION_FREE_TRANSLATION" }]);
  bodyOf(await server.ask("translate", { scene_id: still.scene_id, position: { x: 0, y: 50, z: 0 } }));
  bodyOf(await server.ask("auto-layout", { scene_id: still.scene_id }));
  const [moved] = await server.models(still.scene_id);
  assertNear({ ...upright.orientation, y: moved.position.y }, { ...moved.orientation, y: 0 });
  assert.equal(codeOf(await server.ask("auto-layout", { scene_id: still.scene_id, ...bounds })), "OPERATION_FAILED");
  const locked = await sceneOf([box([30, 30, 10]), { lock: "FULLY_LOCKED" }], [box([30, 30, 10])]);
  const [before] = await server.models(locked.scene_id);
  const { modified_model_ids } = bodyOf(await server.ask("auto-layout", { scene_id: locked.scene_id }));
  assert.deepEqual(modified_model_ids, [locked.ids[1]]);
  const [after] = await assertApart(locked.scene_id, [box([30, 30, 10]), box([30, 30, 10])], 2);
  assert.deepEqual(after, before);
});

test("models that are not named keep their place and are avoided", async () => {
  const surfaces = [box([60, 60, 10]), box([40, 40, 10]), box([40, 40, 10])];
  const { scene_id, ids } = await sceneOf(...surfaces.map((surface) => [surface] as const));
  const [before] = await server.models(scene_id);
  bodyOf(await server.ask("auto-layout", { scene_id, model_ids: [ids[2], ids[1]] }));
  const models = await assertApart(scene_id, surfaces, 2);
  assert.deepEqual(models[0], before);
});

longTest("when not all models fit, nothing moves and the error has the number that fit", async () => {
  const { scene_id } = await sceneOf([box([90, 120, 10])], [box([90, 120, 10])], [box([90, 120, 10])]);
  const before = await server.scene(scene_id);
  const reply = await server.ask("auto-layout", { scene_id });
  assert.equal(codeOf(reply), "OPERATION_FAILED");
  assert.match(reply.body.error.message, /Of 3 models 2 fit/);
  assert.deepEqual(await server.scene(scene_id), before);
});

test("invalid requests are refused", async () => {
  const { scene_id } = await sceneOf([box([10, 10, 10])]);
  const crossed = { x_min_mm: 10, x_max_mm: -10 };
  assert.equal(codeOf(await server.ask("auto-layout", { scene_id, custom_bounds: crossed })), "INPUT_ERROR");
  assert.equal(
    codeOf(await server.ask("auto-layout", { scene_id, custom_bounds: { z_min_mm: 1 } })),
    "JSON_SCHEMA_MATCH_ERROR",
  );
  for (const action of ["auto-layout", "fill-build-platform"]) {
    assert.equal(codeOf(await server.ask(action, { scene_id, model_spacing_mm: -1 })), "JSON_SCHEMA_MATCH_ERROR");
    assert.equal(codeOf(await server.ask(action, { scene_id, model_ids: [UNKNOWN_ID] })), "NOT_FOUND");
    assert.equal(codeOf(await server.ask(action, { scene_id: await server.newScene(POWDER) })), "UNSUPPORTED_SCENE");
    bodyOf(await server.ask(action, { scene_id: await server.newScene() }));
  }
});

longTest("DENTAL: arches are parallel to the front edge and nested", async () => {
  const surfaces = Array.from({ length: 5 }, (_, i) =>
    arch({ widthMm: 58 + i, depthMm: 42, bandMm: 12, heightMm: 16 }),
  );
  const { scene_id, ids } = await sceneOf(...surfaces.map((surface) => [surface] as const));
  for (const [i, id] of ids.entries()) {
    bodyOf(await server.ask("orient", { scene_id, model_ids: [id], orientation: { x: 0, y: 0, z: 71 * i } }));
  }
  bodyOf(await server.ask("auto-layout", { scene_id, mode: "DENTAL" }));
  const models = await server.models(scene_id);
  assertInside(models);
  for (const {
    bounding_box: { min_corner, max_corner },
  } of models) {
    assert.ok(max_corner.x - min_corner.x > 57.9 && max_corner.y - min_corner.y < 42.1);
  }
});

longTest("fill adds copies of each model in turn, all apart, until no further one fits", async () => {
  const surfaces = [box([48, 36, 20]), box([32, 32, 10])];
  const { scene_id, ids } = await sceneOf(...surfaces.map((surface) => [surface] as const));
  const { results } = bodyOf(await server.ask("fill-build-platform", { scene_id, model_spacing_mm: 4 }));
  assert.deepEqual(
    results.map((one: Model) => one.source_model_id),
    ids,
  );
  const [first, second] = results.map((one: Model) => one.new_model_ids);
  assert.ok(first.length >= 4 && second.length >= first.length, `${first.length} and ${second.length}`);
  const models = await assertApart(
    scene_id,
    [...surfaces, ...first.map(() => surfaces[0]), ...second.map(() => surfaces[1])],
    4,
  );
  assertInside(models);
  assert.deepEqual(
    models.map(({ id }) => id),
    [...ids, ...first, ...second],
  );
  assert.equal(models[2].raw_mesh_hash, models[0].raw_mesh_hash);
  for (const id of ids) {
    const again = bodyOf(await server.ask("fill-build-platform", { scene_id, model_ids: [id], model_spacing_mm: 4 }));
    assert.deepEqual(again.results, [{ source_model_id: id, new_model_ids: [] }]);
  }
});

test("layout runs as an operation", async () => {
  const { scene_id, ids } = await sceneOf([box([10, 10, 10])], [box([10, 10, 10])]);
  const begun = await server.printwright.post("/v1/scene/model/auto-layout/?async=true", { scene_id });
  const operation = await awaitOperation(server.printwright, begun);
  assert.equal(operation.status, "SUCCEEDED");
  assert.deepEqual(operation.result.modified_model_ids, ids);
});

test("equal boxes are placed in aligned rows with equal gaps, at round angles", async () => {
  const upright = box([20, 15, 10]);
  // A tiny angle, as left by exports.
  const vertices = Float32Array.from(upright.vertices);
  for (let at = 0; at < vertices.length; at += 3)
    vertices.set(rotated([vertices[at], vertices[at + 1], vertices[at + 2]], { x: 0, y: 0, z: 0.00953 }), at);
  for (const [surface, turns, trace] of [
    [upright, [0], 0],
    [upright, [17.3, -72.7, 107.3], 0],
    [{ ...upright, vertices }, [180, 0, 90], 0.01],
  ] as const) {
    const scene_id = await server.newScene();
    await server.importOne(scene_id, stl(surface));
    bodyOf(await server.ask("duplicate", { scene_id, count: 11 }));
    for (const [i, { id }] of (await server.models(scene_id)).entries()) {
      const orientation = { x: 0, y: 0, z: turns[i % turns.length] };
      bodyOf(await server.ask("orient", { scene_id, model_ids: [id], orientation }));
    }
    bodyOf(await server.ask("auto-layout", { scene_id }));
    const models = await server.models(scene_id);
    assertInside(models);
    assert.deepEqual([...new Set(models.map(({ orientation }: Model) => Math.abs(orientation.z % 90)))], [0]);
    const steps = (axis: "x" | "y"): number[] =>
      [...new Set<number>(models.map(({ position }: Model) => position[axis]))].sort((a, b) => a - b);
    const [columns, rows] = [steps("x"), steps("y")];
    assert.equal(columns.length * rows.length, 12);
    const [pitchX, pitchY] = models[0].orientation.z % 180 === 0 ? [22, 17] : [17, 22];
    for (const [list, pitch] of [
      [columns, pitchX],
      [rows, pitchY],
    ] as const) {
      for (const [i, value] of list.slice(1).entries()) {
        const step = value - list[i];
        assert.ok(step > pitch - 1e-9 && step < pitch + trace + 1e-9, `${step}`);
      }
    }
  }
});
