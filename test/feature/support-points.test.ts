import assert from "node:assert/strict";
import { test } from "node:test";
import { requireCounts } from "../../src/feature/support-plan/draft-points.ts";
import { automaticPoint } from "../../src/support/points/touchpoint.ts";
import { inProcess } from "../fixture/in-process.ts";
import { slowRuns, longTest } from "../fixture/long.ts";
import { fc } from "../fixture/property.ts";
import { box } from "../fixture/shapes.ts";
import { POWDER } from "../fixture/test-server.ts";

const server = inProcess();
const SET = "/v1/scene/model/supports/set/";

interface Place {
  readonly x: number;
  readonly y: number;
  readonly z: number;
}
interface WirePoint {
  readonly index: number;
  readonly position: Place;
  readonly normal: Place;
  readonly size_mm: number;
  readonly origin: string;
  readonly cause: string;
  readonly locked: boolean;
  readonly resting: boolean;
  readonly reached: boolean;
  readonly tree: number;
  readonly load_n: number;
}

/** A block with automatic supports; its underside is 8 × 8 mm around the middle of the platform. */
async function supportedBlock(): Promise<{ scene_id: string; model_id: string; undersideMm: number }> {
  const scene_id = await server.newScene();
  const model_id = await server.importShape(scene_id, box([8, 8, 4]));
  await server.ask("auto-support", { scene_id });
  const model = server.scene(scene_id).models[0];
  return { scene_id, model_id, undersideMm: model.pose.position[2] - 2 };
}

const got = (ids: object) => server.ask("supports/get", ids);
const pointsOf = async (ids: object): Promise<WirePoint[]> => (await got(ids)).points;
const meshHash = (scene_id: string): string | undefined => server.scene(scene_id).models[0].supports?.mesh.hash;

longTest("the points of automatic supports: each with its tree, its load and its struts", async () => {
  const { scene_id, model_id } = await supportedBlock();
  const { edited, points, areas, settings, struts } = await got({ scene_id, model_id, include_struts: true });
  assert.equal(edited, false);
  assert.deepEqual(areas, []);
  assert.equal(settings.touchpoint_size_mm, 0.5);
  assert.equal(settings.bridging_distance_mm, undefined);
  assert.equal(points.length, server.scene(scene_id).models[0].supports!.touchpoints.length);
  for (const [i, { index, origin, reached, resting, tree, load_n, size_mm, normal }] of points.entries()) {
    assert.deepEqual([index, origin, reached, resting, size_mm], [i, "AUTOMATIC", true, false, 0.5]);
    assert.ok(tree >= 0 && load_n > 0 && normal.z === -1);
  }
  const tips = struts.filter((strut: unknown[]) => strut[8] === "TIP");
  for (const { position } of points) {
    const near = tips.some(([x, y, z]: number[]) => Math.hypot(x - position.x, y - position.y, z - position.z) < 0.5);
    assert.ok(near, JSON.stringify(position));
  }
  assert.equal((await got({ scene_id, model_id })).struts, undefined);
});

test("a model that nobody supported has no points, in powder neither", async () => {
  for (const combination of [undefined, POWDER]) {
    const scene_id = await server.newScene(combination);
    const model_id = await server.importShape(scene_id);
    const { edited, points, areas } = await got({ scene_id, model_id });
    assert.deepEqual([edited, points, areas], [false, [], []]);
  }
});

test("an edit adds, moves, changes and deletes points, and leaves all others", async () => {
  const { scene_id, model_id, undersideMm } = await supportedBlock();
  const { points: before, hash } = await got({ scene_id, model_id });
  const edit = {
    add: [{ position: { x: 1.3, y: -2.2, z: undersideMm - 0.7 }, size_mm: 0.8, locked: true }],
    move: [{ index: 0, position: { x: 0.4, y: 0.3, z: undersideMm } }],
    update: [{ indices: [1, 2], size_mm: 0.3 }],
    delete: [3],
  };
  const answer = await server.ask("supports/set", { scene_id, model_id, edit, based_on: hash });
  assert.deepEqual([answer.point_count, answer.dropped, answer.unreached_indices], [before.length, [], []]);
  const { points, edited, hash: after } = await got({ scene_id, model_id });
  assert.deepEqual([edited, after], [true, answer.hash]);
  const plain = ({ position, size_mm, origin, locked, cause }: WirePoint) => ({
    position,
    size_mm,
    origin,
    locked,
    cause,
  });
  const expected = [
    ...before.slice(1, 3).map((point: WirePoint) => ({ ...plain(point), size_mm: 0.3 })),
    ...before.slice(4).map(plain),
    // By y, as both are on the underside.
    { position: { x: 1.3, y: -2.2, z: undersideMm }, size_mm: 0.8, origin: "MANUAL", locked: true, cause: "MANUAL" },
    { position: { x: 0.4, y: 0.3, z: undersideMm }, size_mm: 0.5, origin: "MANUAL", locked: false, cause: "MANUAL" },
  ];
  const rounded = (point: ReturnType<typeof plain>) => ({
    ...point,
    position: Object.values(point.position).map((mm) => mm.toFixed(4)),
  });
  assert.deepEqual(points.map(plain).map(rounded), expected.map(rounded));
  await server.refused(SET, { scene_id, model_id, edit, based_on: hash }, "STALE_STATE", /have changed/);
});

test("supports that are set or rebuilt from the points that they have stay the same", async () => {
  const { scene_id, model_id, undersideMm } = await supportedBlock();
  const add = [{ position: { x: 1 / 3, y: 2.7, z: undersideMm } }];
  const first = await server.ask("supports/set", {
    scene_id,
    model_id,
    edit: { add },
    based_on: (await got({ scene_id, model_id })).hash,
  });
  const mesh = meshHash(scene_id);
  const points = (await pointsOf({ scene_id, model_id })).map(({ position }) => ({ position }));
  const again = await server.ask("supports/set", { scene_id, model_id, points: points.toReversed() });
  assert.deepEqual([again.hash, meshHash(scene_id)], [first.hash, mesh]);
  await server.ask("regenerate-supports", { scene_id });
  assert.deepEqual([(await got({ scene_id, model_id })).hash, meshHash(scene_id)], [first.hash, mesh]);
});

longTest("equal points give equal supports, in whatever order they are set", async () => {
  const { scene_id, model_id, undersideMm } = await supportedBlock();
  const tenths = fc.integer({ min: -36, max: 36 });
  const places = fc.uniqueArray(fc.tuple(tenths, tenths), { minLength: 3, maxLength: 6, selector: String });
  const request = fc.tuple(places, fc.infiniteStream(fc.nat())).map(([chosen, keys]) => {
    const order = chosen.map((place) => ({ place, key: keys.next().value! }));
    return { chosen, shuffled: order.sort((a, b) => a.key - b.key).map(({ place }) => place) };
  });
  // The model stands on the platform while it has no supports.
  const pointAt = ([x, y]: readonly number[]) => {
    const { pose, supports } = server.scene(scene_id).models[0];
    return { position: { x: x / 10, y: y / 10, z: supports ? undersideMm : pose.position[2] - 2 } };
  };
  await fc.assert(
    fc.asyncProperty(request, async ({ chosen, shuffled }) => {
      const whole = await server.ask("supports/set", { scene_id, model_id, points: chosen.map(pointAt) });
      const mesh = meshHash(scene_id);
      assert.ok(mesh);
      await server.ask("supports/delete", { scene_id });
      let based_on = (await got({ scene_id, model_id })).hash;
      for (const place of shuffled) {
        const set = await server.ask("supports/set", { scene_id, model_id, edit: { add: [pointAt(place)] }, based_on });
        based_on = set.hash;
      }
      assert.deepEqual([based_on, meshHash(scene_id)], [whole.hash, mesh]);
    }),
    { numRuns: slowRuns(3) },
  );
});

test("points that face up, or are where another one is, are dropped and named", async () => {
  const { scene_id, model_id, undersideMm } = await supportedBlock();
  const point = { position: { x: 2, y: 2, z: undersideMm } };
  const up = { position: { x: 1, y: 1, z: undersideMm + 4 } };
  const { dropped, point_count } = await server.ask("supports/set", { scene_id, model_id, points: [point, up, point] });
  assert.equal(point_count, 1);
  assert.deepEqual(
    dropped.map(({ position, reason }: { position: Place; reason: string }) => [
      Math.round(position.x),
      /faces up|same/.exec(reason)![0],
    ]),
    [
      [1, "faces up"],
      [2, "same"],
    ],
  );
});

test("requests that cannot be met are refused with their index and change nothing", async () => {
  const { scene_id, model_id, undersideMm } = await supportedBlock();
  const { hash, points } = await got({ scene_id, model_id });
  const near = { position: { x: 0, y: 0, z: undersideMm } };
  const far = { position: { x: 0, y: 0, z: undersideMm - 1.2 } };
  const ids = { scene_id, model_id };
  const refused = (body: object, message: RegExp, code = "INPUT_ERROR") =>
    server.refused(SET, { ...ids, ...body }, code, message);
  await refused({ points: [near, far] }, /^\/points\/1\/position: .* 1\.200 mm from the surface .* snap_mm \(1 mm\)/);
  await refused(
    { points: [{ ...near, position: { ...near.position, z: undersideMm - 0.01 } }], snap_mm: 0 },
    /0\.010 mm/,
  );
  await refused({ edit: { add: [far] }, based_on: hash }, /^\/edit\/add\/0/);
  await refused({ edit: { delete: [points.length] }, based_on: hash }, /^\/edit\/delete\/0: \d+ names no point/);
  const twice = { move: [{ ...near, index: 0 }], delete: [0] };
  await refused({ edit: twice, based_on: hash }, /^\/edit\/move\/0\/index: point 0 is moved or deleted elsewhere/);
  await refused({ points: [{ ...near, normal: { x: 0, y: 0, z: 1 } }] }, /^\/points\/0\/normal points into/);
  const area = { mode: "NEVER", shape: { kind: "BALL", centre: near.position, radius_mm: 1 } };
  await refused({ areas: Array.from({ length: 2001 }, () => area) }, /2001 areas; a model may have 2000/);
  const badBody = "JSON_SCHEMA_MATCH_ERROR";
  await refused({ edit: {} }, /based_on/, badBody);
  await refused({ edit: {}, points: [], based_on: hash }, /combined/, badBody);
  await refused({ points: [{ ...near, size_mm: 0.05 }] }, /size_mm/, badBody);
  await refused({ points: [near], snap_mm: 5.1 }, /snap_mm/, badBody);
  await server.refused(SET, { scene_id, model_id: scene_id, points: [] }, "NOT_FOUND");
  const powder = await server.newScene(POWDER);
  const inPowder = await server.importShape(powder);
  await server.refused(SET, { scene_id: powder, model_id: inPowder, points: [] }, "UNSUPPORTED_SCENE");
});

test("a model has at most 20,000 points, whether they are kept or added", () => {
  const point = { position: [0, 0, 0], normal: [0, 0, -1], sizeMm: 0.5, locked: false } as const;
  const added = Array.from({ length: 10_001 }, () => ({ ...point, pointer: "" }));
  const kept = Array.from({ length: 9999 }, () => automaticPoint(point, "OVERHANG", 0.5));
  requireCounts({ kept, added }, 0);
  assert.throws(() => requireCounts({ kept: [...kept, kept[0]], added }, 0), /20001 points; it may have 20000/);
});

test("supports are deleted with their plan, or without it, and the model comes down", async () => {
  const { scene_id, model_id, undersideMm } = await supportedBlock();
  const { points, hash } = await got({ scene_id, model_id });
  const mesh = meshHash(scene_id);
  const listed = points.map(({ position }: WirePoint) => ({ position }));
  const remove = (keep_plan: boolean) => server.ask("supports/delete", { scene_id, keep_plan });
  assert.deepEqual(await remove(true), { modified_model_ids: [model_id] });
  const lying = server.scene(scene_id).models[0];
  assert.deepEqual([lying.supports, lying.pose.position[2]], [undefined, 2]);
  const kept = await got({ scene_id, model_id });
  assert.deepEqual([kept.edited, kept.hash, kept.points.length], [true, hash, points.length]);
  assert.deepEqual(await remove(true), { modified_model_ids: [] });
  const shift = undersideMm - (lying.pose.position[2] - 2);
  const lower = listed.map(({ position }: WirePoint) => ({ position: { ...position, z: position.z - shift } }));
  await server.ask("supports/set", { scene_id, model_id, points: lower });
  assert.equal(meshHash(scene_id), mesh);
  assert.deepEqual(await remove(false), { modified_model_ids: [model_id] });
  const gone = await got({ scene_id, model_id });
  assert.deepEqual([gone.edited, gone.points, meshHash(scene_id)], [false, [], undefined]);
  assert.deepEqual(await remove(false), { modified_model_ids: [] });
});

test("a list without points removes the supports; areas stay, and come back as they were set", async () => {
  const { scene_id, model_id, undersideMm } = await supportedBlock();
  const normal = { x: 0, y: 0, z: -1 };
  const at = (x: number, y: number): Place => ({ x, y, z: undersideMm });
  const areas = [
    { mode: "NEVER", shape: { kind: "BALL", centre: at(1, 2), normal, radius_mm: 1.5 } },
    {
      mode: "ALWAYS",
      shape: { kind: "STROKE", points: [at(-3, 0), at(-3, 2.5)], normals: [normal, normal], radius_mm: 2 },
    },
    { mode: "NEVER", shape: { kind: "FACE", point: at(0, 0), normal, angle_deg: 12 } },
  ];
  const withoutNormals = areas.map(({ mode, shape }) => {
    const { normal: _one, normals: _all, ...rest } = shape as Record<string, unknown>;
    return { mode, shape: rest };
  });
  await server.ask("supports/set", { scene_id, model_id, points: [], areas: withoutNormals });
  assert.equal(meshHash(scene_id), undefined);
  const { pose } = server.scene(scene_id).models[0];
  const { areas: found, edited } = await got({ scene_id, model_id });
  assert.equal(edited, true);
  const lowered = JSON.stringify(areas).replaceAll(`"z":${undersideMm}`, `"z":${pose.position[2] - 2}`);
  assert.deepEqual(found, JSON.parse(lowered));
});

test("automatic supports keep points by hand and areas, unless they shall not", async () => {
  const { scene_id, model_id, undersideMm } = await supportedBlock();
  const ids = { scene_id, model_id };
  const at = (x: number, y: number) => ({ position: { x, y, z: undersideMm } });
  const never = { mode: "NEVER", shape: { kind: "BALL", centre: at(2, 2).position, radius_mm: 1.5 } };
  const areas = [never];
  const set = await server.ask("supports/set", { ...ids, points: [at(-1.3, -1.1), at(2.1, 2)], areas });
  assert.match(set.dropped[0].reason, /must not touch/);
  assert.deepEqual([set.dropped.length, set.point_count], [1, 1]);
  await server.ask("auto-support", { scene_id });
  const { points, areas: kept } = await got(ids);
  const byHand = points.filter(({ origin }: WirePoint) => origin === "MANUAL");
  assert.deepEqual([byHand.length, byHand[0].position.x, kept.length], [1, -1.3, 1]);
  const nearest = (all: readonly WirePoint[]): number =>
    Math.min(...all.map(({ position }) => Math.hypot(position.x - 2, position.y - 2)));
  assert.ok(points.length > 4 && nearest(points) >= 1.5, `${nearest(points)}`);
  await server.ask("auto-support", { scene_id, keep_hand_points: false, respect_areas: false });
  const anew = await got(ids);
  assert.ok(anew.points.every(({ origin }: WirePoint) => origin === "AUTOMATIC"));
  assert.ok(nearest(anew.points) < 1.5 && anew.edited);
  await server.ask("supports/set", { ...ids, areas: [] });
  await server.ask("auto-support", { scene_id });
  assert.equal((await got(ids)).edited, false);
});

test("a plan outlives a turn and a cut into the surface, and what cannot stay is named", async () => {
  const { scene_id, model_id, undersideMm } = await supportedBlock();
  const ids = { scene_id, model_id };
  const at = (x: number, y: number) => ({ position: { x, y, z: undersideMm } });
  await server.ask("supports/set", { ...ids, points: [at(0, 0), at(3, 3), at(-3, 2)] });
  const orientation = { x: 180, y: 0, z: 0 };
  await server.ask("orient", { scene_id, orientation });
  const turned = await got(ids);
  assert.deepEqual(
    turned.points.map(({ resting, reached }: WirePoint) => [resting, reached]),
    [1, 2, 3].map(() => [true, false]),
  );
  await server.ask("orient", { scene_id, orientation: { ...orientation, x: 0 } });
  assert.ok((await pointsOf(ids)).every(({ resting }) => !resting));
  await server.ask("update", { scene_id, units: "INCHES" });
  const inInches = (await pointsOf(ids)).map(({ position }) => Number(position.x.toFixed(3)));
  assert.deepEqual(inInches, [0, -76.2, 76.2]);
  await server.ask("update", { scene_id, units: "MILLIMETERS" });
  const hole = { orientation, position: { x: 0, y: 0, z: 0 }, diameter_mm: 3, depth_mm: 2 };
  const { warnings } = await server.ask("drill", { scene_id, drain_holes: [hole] });
  assert.ok(
    warnings.some((text: string) => /1 of 3 support points .* were dropped/.test(text)),
    warnings.join(),
  );
  assert.equal((await pointsOf(ids)).length, 2);
});
