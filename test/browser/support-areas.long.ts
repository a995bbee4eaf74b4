import assert from "node:assert/strict";
import { before, test } from "node:test";
import { concatenateSurfaces } from "../../src/mesh/mesh.ts";
import { box, uvSphere } from "../fixture/shapes.ts";
import { binaryStl } from "../fixture/stl-file.ts";
import { moved } from "../fixture/surface-edits.ts";
import { temporaryFiles } from "../fixture/temporary-files.ts";
import { bodyOf } from "../fixture/test-server.ts";
import { type PageDriver, eventually } from "./page-driver.ts";
import { pageSuite } from "./page-suite.ts";

// Areas of the surface where supports are never or always, and the selection of support points by a rectangle.

const suite = pageSuite();
const { options } = suite;
const file = temporaryFiles();

/** A plate on a leg at its corner, with a ball that hangs from its middle: it begins in mid-air. */
const BALL_MM = 5;
const HANGER = file(
  "hanger.stl",
  binaryStl(
    concatenateSurfaces([
      moved(box([40, 40, 3]), [0, 0, 18]),
      moved(box([6, 6, 20]), [-17, -17, 9]),
      moved(uvSphere(BALL_MM), [0, 0, 13]),
    ]),
  ),
);
/** Two plates on a column: from below, the lower one hides most points of the upper one. */
const SHELF = file(
  "shelf.stl",
  binaryStl(
    concatenateSurfaces([
      moved(box([40, 40, 2]), [0, 0, 16]),
      moved(box([30, 24, 2]), [0, 0, 4]),
      moved(box([5, 5, 20]), [0, 0, 8]),
    ]),
  ),
);

interface Xyz {
  readonly x: number;
  readonly y: number;
  readonly z: number;
}
interface Point {
  readonly position: Xyz;
  readonly normal: Xyz;
  readonly size_mm: number;
  readonly origin: string;
}
interface Got {
  readonly hash: string;
  readonly points: readonly Point[];
  readonly areas: readonly { readonly mode: string; readonly shape: any }[];
  readonly struts?: readonly (readonly [number, number, number, number, number, number, number, number, string])[];
}

const post = async (path: string, body: object) => bodyOf(await suite.server().post(path, body));

async function supportsOf(name: string, include_struts = false): Promise<Got> {
  const [{ id: scene_id }, { id: model_id }] = [await suite.scene(), await suite.model(name)];
  return post("/v1/scene/model/supports/get/", { scene_id, model_id, include_struts });
}

let day: PageDriver;
before(async () => {
  if (options.skip !== false) return;
  const { id: scene_id } = await suite.scene();
  for (const path of [HANGER, SHELF])
    await post("/v1/scene/model/import/", { scene_id, file: path, repair_behavior: "REPAIR" });
  const { id } = await suite.model("hanger");
  await post("/v1/scene/model/auto-support/", { scene_id, model_ids: [id], raft_label_enabled: false });
  const { id: shelf } = await suite.model("shelf");
  await post("/v1/scene/model/auto-support/", {
    scene_id,
    model_ids: [shelf],
    raft_label_enabled: false,
    internal_supports_enabled: true,
  });
  await post("/v1/scene/model/auto-layout/", { scene_id, lock_rotation: true });
  day = await suite.open({ width: 1440, height: 900 });
});

async function editPoints(name: string): Promise<void> {
  if (await day.page.$(".support-mode")) await day.keys("Escape");
  await day.select(name);
  await day.openStep("Support");
  await day.press("Edit points");
  await eventually("the points are shown", () =>
    day.page.$eval("canvas", ({ dataset }) => dataset.points !== undefined),
  );
  await day.press("From below");
  await day.keys("f");
  await day.idle();
}

async function pixelAt(right: number, down: number): Promise<readonly [number, number]> {
  const { x, y, width, height } = (await (await day.page.$("canvas"))!.boundingBox())!;
  return [x + right * width, y + down * height];
}

/** Drags through places of the view, fractions of its width and height. */
async function drag(places: readonly (readonly [number, number])[]): Promise<void> {
  const [first, ...others] = places;
  await day.page.mouse.move(...(await pixelAt(...first)));
  await day.page.mouse.down();
  for (const place of others) await day.page.mouse.move(...(await pixelAt(...place)), { steps: 6 });
  await day.page.mouse.up();
  await day.idle();
}

const vec = ({ x, y, z }: Xyz): readonly number[] => [x, y, z];
const gap = (a: readonly number[], b: readonly number[]): number => Math.hypot(...a.map((v, i) => v - b[i]));

/** Distance from a polyline, by places a hundredth of a piece apart. */
const strokeDistance = (place: Xyz, points: readonly Xyz[]): number =>
  Math.min(
    ...points.flatMap((from, i) => {
      const [a, b] = [vec(from), vec(points[i + 1] ?? from)];
      return Array.from({ length: 101 }, (_, k) =>
        gap(
          vec(place),
          a.map((v, axis) => v + (k / 100) * (b[axis] - v)),
        ),
      );
    }),
  );

const card = (): Promise<string> => day.text(".support-area b");

/** Applies the edits and chooses automatic points anew. */
async function chooseAutomatically(): Promise<void> {
  const { hash } = await supportsOf("hanger");
  await day.press("Automatic");
  await day.press("Choose automatic points");
  await eventually("the points are chosen", async () => {
    const isBusy = await day.page.$eval(
      ".support-automatic button",
      (button) => (button as HTMLButtonElement).disabled,
    );
    return !isBusy && (await supportsOf("hanger")).hash !== hash;
  });
  await day.idle();
}

test("a stroke of the brush keeps supports off the part, and no automatic point is in it", options, async () => {
  await editPoints("hanger");
  const old = await supportsOf("hanger");
  await day.press("Protect");
  await day.press("Brush");
  await drag([
    [0.68, 0.36],
    [0.68, 0.5],
    [0.7, 0.64],
  ]);
  assert.match(await card(), /^Protected: 1 area/);
  let size = 0;
  await eventually("its size is told", async () => {
    size = Number(/area, ([\d.,]+) mm²$/.exec(await card())?.[1]?.replace(",", "") ?? 0);
    return size > 0;
  });
  await chooseAutomatically();
  const { areas, points } = await supportsOf("hanger");
  assert.equal(areas.length, 1);
  const [{ mode, shape }] = areas;
  assert.equal(mode, "NEVER");
  assert.equal(shape.kind, "STROKE");
  assert.ok(Math.abs(shape.radius_mm - 2.5) < 1e-6);
  const along = (shape.points as Xyz[]).slice(1).reduce((sum, p, i) => sum + gap(vec(p), vec(shape.points[i])), 0);
  // A strip with two half discs at its ends, on the flat underside.
  assert.ok(Math.abs(size - (5 * along + Math.PI * 2.5 ** 2)) < 0.05 * size, `${size} mm² of ${along} mm`);
  const inside = (all: readonly Point[]): number =>
    all.filter(({ position, normal }) => normal.z < 0 && strokeDistance(position, shape.points) < 2.5 - 1e-3).length;
  assert.ok(inside(old.points) > 0, "there were points before");
  assert.equal(inside(points), 0);
  assert.ok(points.length > 3);
});

test("a face lights up before it is protected; then nothing holds it, and the check tells so", options, async () => {
  const minima = async (): Promise<number> => {
    const { per_model_results } = await post("/v1/scene/model/validate/minima/", {
      scene_id: (await suite.scene()).id,
    });
    return per_model_results[(await suite.model("hanger")).id].minima_count;
  };
  const onBall = async (): Promise<number> => {
    const { min_corner: a, max_corner: b } = (await suite.model("hanger")).bounding_box;
    // The plate is nearly as wide as all supports; the middle of the ball is 6.5 mm below its top.
    const middle = [(a.x + b.x) / 2, (a.y + b.y) / 2, b.z - 6.5];
    const { points } = await supportsOf("hanger");
    return points.filter(({ position: { x, y, z } }) => {
      const isBelow = z < middle[2] + 2;
      return isBelow && Math.hypot(x - middle[0], y - middle[1]) < BALL_MM + 1;
    }).length;
  };
  assert.ok((await onBall()) > 0);
  assert.equal(await minima(), 0);
  await day.press("Protect");
  await day.press("Face");
  await day.page.mouse.move(...(await pixelAt(0.5, 0.5)));
  await day.clickView(0.5, 0.5);
  assert.match(await card(), /^Protected: 2 areas/);
  // Undo inside the mode, and again.
  await day.page.keyboard.down("Control");
  await day.keys("z");
  await day.page.keyboard.up("Control");
  assert.match(await card(), /^Protected: 1 area/);
  await day.clickView(0.5, 0.5);
  await chooseAutomatically();
  const { areas } = await supportsOf("hanger");
  assert.deepEqual(
    areas.map(({ shape }) => shape.kind),
    ["STROKE", "FACE"],
  );
  assert.equal(await onBall(), 0);
  assert.ok((await minima()) > 0);
});

test("areas and points by hand are the same in a file that is opened again", options, async () => {
  await day.press("Points");
  await day.press("Add");
  await day.clickView(0.32, 0.5);
  await day.press("Apply 1");
  await eventually("the edits are applied", async () => (await day.page.$(".support-mode")) === null);
  await day.idle();
  const { id } = await suite.scene();
  const saved = await supportsOf("hanger");
  assert.equal(saved.points.filter(({ origin }) => origin === "MANUAL").length, 1);
  const path = file("hanger.form", "");
  await post("/v1/scene/save/", { scene_ids: [id], file: path });
  const opened = await post("/v1/scene/open/", { file: path });
  const scene_id = opened.scenes[0].scene_id;
  const { models } = await post("/v1/scene/model/list/", { scene_id });
  const model_id = models.find(({ name }: any) => name === "hanger").id;
  const again: Got = await post("/v1/scene/model/supports/get/", { scene_id, model_id });
  assert.deepEqual(again.areas, saved.areas);
  assert.deepEqual(
    again.points.filter(({ origin }) => origin === "MANUAL"),
    saved.points.filter(({ origin }) => origin === "MANUAL"),
  );
  bodyOf(await suite.server().call("DELETE", "/v1/scene/delete/", { scene_id }));
});

/** The facets of a model in the scene, nine coordinates each. */
async function facetsOf(name: string): Promise<Float64Array> {
  const { id } = await suite.model(name);
  const scene = bodyOf(await suite.server().call("GET", `/ui/scene/${(await suite.scene()).id}/`, {}));
  const { mesh, matrix: m } = scene.models.find((model: any) => model.id === id);
  const bytes = await (await fetch(`http://localhost:${suite.server().port}/ui/mesh/${mesh}/`)).arrayBuffer();
  const [, vertexCount, facetCount] = new Uint32Array(bytes, 0, 3);
  const vertices = new Float32Array(bytes, 12, 3 * vertexCount);
  const corners = new Uint32Array(bytes, 12 + 12 * vertexCount, 3 * facetCount);
  const placed = new Float64Array(9 * facetCount);
  for (const [i, corner] of corners.entries()) {
    const [x, y, z] = vertices.subarray(3 * corner, 3 * corner + 3);
    for (const axis of [0, 1, 2]) placed[3 * i + axis] = m[axis] * x + m[4 + axis] * y + m[8 + axis] * z + m[12 + axis];
  }
  return placed;
}

/** Whether a facet is straight below a place: then it is hidden from a viewer below. Near a rim (0.02 mm) undefined. */
function isHidden(facets: Float64Array, [x, y, z]: readonly number[]): boolean | undefined {
  let isUnclear = false;
  for (let at = 0; at < facets.length; at += 9) {
    const [ax, ay, az, bx, by, bz, cx, cy, cz] = facets.subarray(at, at + 9);
    if (Math.min(ax, bx, cx) > x || Math.max(ax, bx, cx) < x || Math.min(ay, by, cy) > y || Math.max(ay, by, cy) < y)
      continue;
    const whole = (bx - ax) * (cy - ay) - (by - ay) * (cx - ax);
    const u = ((bx - x) * (cy - y) - (by - y) * (cx - x)) / whole;
    const v = ((cx - x) * (ay - y) - (cy - y) * (ax - x)) / whole;
    const w = 1 - u - v;
    if (!(u >= 0 && v >= 0 && w >= 0)) continue;
    const below = z - (u * az + v * bz + w * cz);
    if (below > 0.05) return true;
    if (below > -0.02) isUnclear = true;
  }
  return isUnclear ? undefined : false;
}

const selectedCount = async (): Promise<number> => Number(/^\d+/.exec(await day.text(".point-selection b"))?.[0] ?? 0);

/** Selects points by a rectangle, below the messages of the edits before, and takes some out again. Returns how many are selected. */
async function selectByRectangles(): Promise<number> {
  await day.press("Select");
  await day.page.keyboard.down("Shift");
  await drag([
    [0.3, 0.92],
    [0.5, 0.6],
    [0.62, 0.45],
  ]);
  await day.page.keyboard.up("Shift");
  await eventually("points are selected", async () => (await selectedCount()) > 0);
  const taken = await selectedCount();
  await day.page.keyboard.down("Alt");
  await drag([
    [0.28, 0.93],
    [0.5, 0.75],
  ]);
  await day.page.keyboard.up("Alt");
  await eventually("some are taken out", async () => (await selectedCount()) < taken);
  return selectedCount();
}

async function apply(): Promise<void> {
  await day.press("Apply 1");
  await eventually("the edit is applied", async () => (await day.page.$(".support-mode")) === null);
  await day.idle();
}

async function meshOfSupports(name: string): Promise<string> {
  const scene = bodyOf(await suite.server().call("GET", `/ui/scene/${(await suite.scene()).id}/`, {}));
  return scene.models.find((model: any) => model.name === name).supports.mesh;
}

test("a rectangle takes visible points only", options, async () => {
  await editPoints("shelf");
  const old = await supportsOf("shelf", true);
  const first = await meshOfSupports("shelf");
  const facets = await facetsOf("shelf");
  const count = await selectByRectangles();
  assert.ok(count > 3, `${count} points`);
  await day.keys("q");
  await apply();
  const { points } = await supportsOf("shelf");
  const light = points.filter(({ size_mm }) => Math.abs(size_mm - 0.3) < 1e-9);
  assert.equal(light.length, count);
  const tips = old.struts!.filter(([, , , , , , , , kind]) => kind === "TIP");
  for (const { position } of light) {
    const before = old.points.find(({ position: p }) => Math.hypot(p.x - position.x, p.y - position.y) < 1e-4)!;
    const place = vec(before.position);
    const feet = tips.flatMap(([x, y, z, r, u, v, w, s]): (readonly number[])[] =>
      gap(place, [x, y, z]) < 1.5 * r ? [[u, v, w]] : gap(place, [u, v, w]) < 1.5 * s ? [[x, y, z]] : [],
    );
    const outside = place.map((value, i) => value + 0.01 * vec(before.normal)[i]);
    const isSeen = [outside, ...feet].some((one) => isHidden(facets, one) !== true);
    assert.ok(isSeen, `${place.join(" ")} is hidden`);
  }
  const [xs, ys] = [light.map(({ position: { x } }) => x), light.map(({ position: { y } }) => y)];
  const hiddenAmong = old.points.filter(({ position }) => {
    const isWithin = position.x > Math.min(...xs) && position.x < Math.max(...xs);
    return isWithin && position.y > Math.min(...ys) && position.y < Math.max(...ys) && isHidden(facets, vec(position));
  });
  assert.ok(hiddenAmong.length > 0, "the part hides points in the rectangle");
  await day.press("Undo");
  await day.idle();
  assert.equal(await meshOfSupports("shelf"), first);
});

test("points that a rectangle takes are deleted at once, and come back by undo", options, async () => {
  const first = await meshOfSupports("shelf");
  const before = (await supportsOf("shelf")).points.length;
  await editPoints("shelf");
  const count = await selectByRectangles();
  await day.keys("Delete");
  await apply();
  assert.equal((await supportsOf("shelf")).points.length, before - count);
  await day.press("Undo");
  await day.idle();
  assert.equal(await meshOfSupports("shelf"), first);
});
