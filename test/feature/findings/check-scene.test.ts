import assert from "node:assert/strict";
import { test } from "node:test";
import { must } from "../../../src/core/must.ts";
import { validateInterferences } from "../../../src/feature/check/placement-endpoints.ts";
import type { Endpoint } from "../../../src/api/endpoint.ts";
import { validateCups, validateMinima } from "../../../src/feature/check/printability-endpoints.ts";
import { acceptFindings, checkWholeScene } from "../../../src/feature/findings/endpoint.ts";
import { IDENTITY_POSE, type Pose, rotationMatrix } from "../../../src/geometry/pose.ts";
import { outlineOf } from "../../../src/mesh/outline.ts";
import { placeModel } from "../../../src/scene/placement.ts";
import { withPose } from "../../../src/scene/pose.ts";
import type { Model, Scene } from "../../../src/scene/project.ts";
import { slowRuns, longTest } from "../../fixture/long.ts";
import { BLOCK, HOVERING, MUG, MUSHROOM, UPSIDE_DOWN, modelAt, mushroom } from "../../fixture/parts-to-check.ts";
import { fc } from "../../fixture/property.ts";
import { recordingServer } from "../../fixture/recording-server.ts";
import { POWDER_SETTING, RESIN_SETTING, sceneModel, someScene } from "../../fixture/some-scene.ts";

const movedTo = (model: Model, x: number, y: number): Model =>
  withPose(model, { ...model.pose, position: [x, y, model.pose.position[2]] });

function turned(model: Model, orientation: Pose["orientation"]): Model {
  const posed = withPose(model, { ...model.pose, orientation });
  return placeModel({ ...posed, outline: outlineOf(model.mesh, rotationMatrix(orientation)) }, RESIN_SETTING);
}

const replaced = (scene: Scene, from: Model, to: Model): Scene => ({
  ...scene,
  models: scene.models.map((model) => (model === from ? to : model)),
});

test("errors come before warnings, and status is the worst of them; powder scenes know no supports, cups and overhangs", async () => {
  const { ask } = recordingServer();
  const models = [modelAt(0, 0, { mesh: MUSHROOM }), modelAt(0, 40, { mesh: HOVERING })];
  const { status, findings } = await ask(checkWholeScene, someScene(models), {});
  assert.equal(status, "ERROR");
  assert.deepEqual(
    findings.map(({ kind }: { kind: string }) => kind),
    ["MINIMA", "SUPPORTEDNESS", "SUPPORTEDNESS"],
  );
  assert.ok(findings[1].size >= findings[2].size);
  const inPowder = models.map((model) => ({
    ...model,
    pose: { ...model.pose, position: [0, model.pose.position[1], 60] as const },
  }));
  assert.deepEqual(await ask(checkWholeScene, someScene(inPowder, POWDER_SETTING), {}), { status: "OK", findings: [] });
  const empty = await ask(checkWholeScene, someScene(), {});
  assert.deepEqual([empty.status, empty.findings[0].text], ["ERROR", "There is nothing to print yet"]);
});

longTest("copies share a finding, whose id stays with moves and turns about z, and changes with a tilt", async () => {
  const { ask } = recordingServer();
  const mugAt = (x: number): Model =>
    modelAt(x, 0, { mesh: MUG, pose: { ...IDENTITY_POSE, orientation: UPSIDE_DOWN } });
  const first = mugAt(0);
  const copies = [first, mugAt(30), mugAt(60)];
  const cupsOf = async (...models: Model[]): Promise<any> =>
    (await ask(checkWholeScene, someScene(models), { checks: ["CUPS"] })).findings;
  const [found, ...others] = await cupsOf(...copies);
  assert.equal(others.length, 0);
  assert.deepEqual([found.model_ids.length, found.count], [3, 3]);
  assert.match(found.id, /^[0-9a-f]{16}$/);
  for (const same of [movedTo(first, -31.7, 12.9), turned(first, { x: 180, y: 0, z: 90 })])
    assert.equal((await cupsOf(same))[0].id, found.id);
  const [upright, leaning] = await Promise.all(
    [0, 10].map((x) =>
      ask(checkWholeScene, someScene([turned(modelAt(0, 0, { mesh: HOVERING }), { x, y: 0, z: 0 })]), {}),
    ),
  );
  assert.notEqual(upright.findings[0].id, leaning.findings[0].id);
  assert.ok(Math.abs(found.size - 3 * (await cupsOf(first))[0].size) < 1e-6);
});

const WORK = new Set(["checkManifoldness", "checkGroup", "prepareGroup", "checkInterferences", "buildMeshTree"]);

test("after an edit of one model only it is examined again, and after a move only overlaps", async () => {
  const { ask, ran } = recordingServer();
  const models = [0, 1, 2, 3].map((i) => modelAt(-60 + 40 * i, 0, { mesh: mushroom(9 + i) }));
  const scene = someScene(models);
  const workOf = async (next: Scene): Promise<string[]> => {
    ran.length = 0;
    await ask(checkWholeScene, next, {});
    return ran.filter((name) => WORK.has(name));
  };
  const all = await workOf(scene);
  assert.deepEqual(await workOf(scene), []);
  const [model] = models;
  // Into the box of its neighbour, seen from above, and out of the volume: the results are those of the same model.
  for (const [x, y] of [
    [-35, 14],
    [-35.5, 13.2],
    [-98, 0],
  ] as const)
    assert.deepEqual(await workOf(replaced(scene, model, movedTo(model, x, y))), []);
  const edited = await workOf(
    replaced(scene, model, { ...model, mesh: BLOCK, outline: sceneModel({ mesh: BLOCK }).outline }),
  );
  assert.ok(edited.length <= all.length / models.length, `${edited.join()} of ${all.join()}`);
  const overlapping = await workOf(replaced(scene, model, movedTo(model, -22, 0)));
  assert.deepEqual(new Set(overlapping), new Set(["buildMeshTree", "checkInterferences", "checkGroup"]));
});

test("the pairs that overlap are those of validate/interferences, for any poses", async () => {
  const coordinate = fc.double({ min: -14, max: 14, noNaN: true });
  const angle = fc.double({ min: -180, max: 180, noNaN: true });
  const part = fc.record({ x: coordinate, y: coordinate, z: angle, isMug: fc.boolean() });
  const { ask } = recordingServer();
  await fc.assert(
    fc.asyncProperty(
      fc.array(part, { minLength: 2, maxLength: 5 }),
      fc.constantFrom(0, 1.5),
      async (parts, offsetMm) => {
        const models = parts.map(({ x, y, z, isMug }) =>
          modelAt(x, y, { mesh: isMug ? MUG : BLOCK, pose: { ...IDENTITY_POSE, orientation: { x: 0, y: 0, z } } }),
        );
        const scene = someScene(models);
        const body = { collision_offset_mm: offsetMm };
        const { interferences } = await ask(validateInterferences, scene, body);
        const { findings } = await ask(checkWholeScene, scene, { ...body, checks: ["INTERFERENCES"] });
        assert.equal(
          findings.reduce((sum: number, { count }: { count: number }) => sum + count, 0),
          interferences.length,
        );
        assert.deepEqual(new Set(findings.flatMap((one: any) => one.model_ids)), new Set(interferences.flat()));
      },
    ),
    { numRuns: slowRuns(40) },
  );
});

test("each model has the cups and minima of validate/, whether it is alone, close to others or in them", async () => {
  const coordinate = fc.integer({ min: -9, max: 9 }).map((steps) => 1.7 * steps);
  const part = fc.record({ x: coordinate, y: coordinate, isMug: fc.boolean() });
  const { ask } = recordingServer();
  await fc.assert(
    fc.asyncProperty(fc.array(part, { minLength: 1, maxLength: 4 }), async (parts) => {
      const models = parts.map(({ x, y, isMug }) =>
        isMug
          ? modelAt(x, y, { mesh: MUG, pose: { ...IDENTITY_POSE, orientation: UPSIDE_DOWN } })
          : modelAt(x, y, { mesh: HOVERING }),
      );
      const scene = someScene(models);
      const sums = async (endpoint: Endpoint, figure: string): Promise<number> =>
        Object.values<any>((await ask(endpoint, scene, {})).per_model_results).reduce(
          (sum, one) => sum + one[figure],
          0,
        );
      const { findings } = await ask(checkWholeScene, scene, { checks: ["CUPS", "MINIMA"] });
      const counted = (kind: string): number =>
        findings.reduce((sum: number, one: any) => (one.kind === kind ? sum + one.count : sum), 0);
      assert.equal(counted("CUPS"), await sums(validateCups, "cup_count"));
      assert.equal(counted("MINIMA"), await sums(validateMinima, "minima_count"));
    }),
    { numRuns: slowRuns(40) },
  );
});

test("an accepted finding counts no more, until it is larger; a model outside cannot be accepted", async () => {
  const { ask, send } = recordingServer();
  const model = modelAt(0, 0, { mesh: HOVERING });
  const scene = someScene([model]);
  const check = async (next: Scene): Promise<any> => ask(checkWholeScene, next, { checks: ["MINIMA", "IN_BOUNDS"] });
  const { findings } = await check(scene);
  const accept = { finding_ids: [findings[0].id] };
  const accepted = await send(acceptFindings, scene, accept);
  assert.deepEqual(accepted.answer.accepted_finding_ids, accept.finding_ids);
  const later = await check(replaced(accepted.scene, model, movedTo(model, 30, -7)));
  assert.deepEqual([later.status, later.findings[0].accepted, later.findings[0].id], ["OK", true, findings[0].id]);
  const copy = movedTo({ ...model, id: crypto.randomUUID() }, 40, 0);
  assert.equal((await check({ ...accepted.scene, models: [model, copy] })).status, "OK");
  const again = await check(replaced(accepted.scene, model, turned(model, { x: 20, y: 0, z: 0 })));
  assert.deepEqual([again.status, again.findings[0].accepted], ["ERROR", false]);
  const smaller = [{ ...must(accepted.scene.acceptedFindings?.[0], "accepted"), size: 0.9 }];
  assert.equal((await check({ ...accepted.scene, acceptedFindings: smaller })).status, "ERROR");
  const revoked = await send(acceptFindings, accepted.scene, { ...accept, accepted: false });
  assert.deepEqual(revoked.answer.accepted_finding_ids, []);
  await assert.rejects(ask(acceptFindings, scene, { finding_ids: ["0123456789abcdef"] }), { code: "NOT_FOUND" });
  const outside = replaced(scene, model, movedTo(model, 100, 0));
  const [beyond] = (await check(outside)).findings;
  await assert.rejects(ask(acceptFindings, outside, { finding_ids: [beyond.id] }), { code: "INPUT_ERROR" });
});

test("THIN_FEATURES need a threshold", async () => {
  const { ask } = recordingServer();
  await assert.rejects(
    ask(checkWholeScene, someScene(), { checks: ["THIN_FEATURES"] }),
    /is required with THIN_FEATURES/,
  );
});
