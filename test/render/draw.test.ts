import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { test } from "node:test";
import {
  CancelledError,
  type Progress,
  cancelTask,
  newTaskState,
  noProgress,
  taskProgress,
} from "../../src/core/progress.ts";
import type { Picture } from "../../src/codec/png.ts";
import type { Mesh } from "../../src/mesh/mesh.ts";
import type { ViewDirection } from "../../src/render/camera.ts";
import { draw } from "../../src/render/draw.ts";
import { frameOf } from "../../src/render/flyaround.ts";
import { type Purpose, prepare } from "../../src/render/prepare.ts";
import type { RenderItem } from "../../src/render/render-scene.ts";
import { longTest, slowSample } from "../fixture/long.ts";
import { box, torus, uvSphere } from "../fixture/shapes.ts";
import { RESIN_SETTING } from "../fixture/some-scene.ts";
import { FROM_CORNER, ZOOMED, bodyAt, meshOf, pictureOf } from "../fixture/stage.ts";

const volume = RESIN_SETTING.printerType.volume;
const BALL = meshOf(uvSphere(12));
const RING = meshOf(torus(15, 5));

const at = ({ width, rgba }: Picture, x: number, y: number): number[] =>
  Array.from(rgba.subarray(4 * (y * width + x), 4 * (y * width + x) + 3));

const middle = (picture: Picture): number[] => at(picture, picture.width >> 1, picture.height >> 1);

test("every pixel is opaque, at any size and from any direction", () => {
  for (const sizePx of [16, 17, 333]) {
    for (const pitchDeg of [-90, -30, 0, 1e-9, 35, 90]) {
      const picture = pictureOf(
        { volume, items: [bodyAt(RING, [0, 0, 5])] },
        { ...ZOOMED, sizePx },
        { yawDeg: 10, pitchDeg },
      );
      assert.equal(picture.rgba.length, 4 * picture.width * picture.height);
      assert.ok(picture.rgba.every((value, i) => i % 4 < 3 || value === 255));
    }
  }
});

test("the same scene gives the same pixels in every runtime", () => {
  const items: RenderItem[] = [
    bodyAt(BALL, [0, 0, 30]),
    bodyAt(RING, [20, 10, 5], "outOfBounds", { x: 20, y: 33, z: 71 }),
    bodyAt(meshOf(box([5, 5, 30])), [-15, 0, 15], "support"),
  ];
  const { rgba } = pictureOf({ volume, items }, { ...ZOOMED, sizePx: 300 }, { yawDeg: -33, pitchDeg: 21 });
  assert.equal(
    createHash("sha256").update(rgba).digest("hex"),
    "6cb79842088fb234314cb77de4c783d5731ba9f30a399345f9d71e672f46cd56",
  );
});

test("each kind of body has its own tint, and bodies out of bounds are red", () => {
  const colours = (["model", "outOfBounds", "support", "lattice", "letters"] as const).map((kind) =>
    middle(pictureOf({ volume, items: [bodyAt(BALL, [0, 0, 60], kind)] })),
  );
  for (const [i, one] of colours.entries()) {
    for (const other of colours.slice(0, i)) {
      assert.ok(Math.hypot(...one.map((value, channel) => value - other[channel])) > 25, `${one} and ${other}`);
    }
  }
  const [model, warning] = colours as [number[], number[]];
  assert.ok(warning[0] > 2 * warning[2] && model[0] < model[2]);
});

test("letters have their own tint, whatever their body is, in one picture and in several", () => {
  const block = meshOf(box([20, 20, 20]));
  // The front of the body, and the facets that meet it, extend beyond the plane.
  const letters = { axis: 1, side: -1, atMm: -9 } as const;
  const direction: ViewDirection = { yawDeg: 90, pitchDeg: 0 };
  for (const kind of ["lattice", "outOfBounds"] as const) {
    const body = { ...bodyAt(block, [0, 0, 10], kind), letters };
    const front = middle(pictureOf({ volume, items: [body] }, ZOOMED, direction));
    const back = middle(pictureOf({ volume, items: [body] }, ZOOMED, { ...direction, yawDeg: -90 }));
    const plain = middle(pictureOf({ volume, items: [bodyAt(block, [0, 0, 10], kind)] }, ZOOMED, direction));
    assert.ok(Math.max(...front) < 80, `${kind}: ${front}`);
    assert.ok(Math.max(...back) > 120 && Math.max(...plain) > 120, `${kind}: ${back}`);
  }
  const scene = { volume, items: [{ ...bodyAt(block, [0, 0, 10], "lattice"), letters }] };
  for (const purpose of ["onePicture", "manyPictures"] as const) {
    const { bodies } = prepare(scene, purpose, noProgress);
    assert.deepEqual(bodies.map(({ kind }) => kind).sort(), ["lattice", "letters"], purpose);
  }
});

test("near bodies hide far ones, in any order", () => {
  const front = bodyAt(BALL, [40, 0, 60], "outOfBounds");
  const back = bodyAt(RING, [-40, 0, 60]);
  const pictures = [
    [front, back],
    [back, front],
  ].map((items) => pictureOf({ volume, items }, ZOOMED, { yawDeg: 0, pitchDeg: 0 }));
  assert.deepEqual(pictures[0], pictures[1]);
  assert.ok(middle(pictures[0])[0] > 150);
  const fromBehind = pictureOf({ volume, items: [front, back] }, ZOOMED, { yawDeg: 180, pitchDeg: 0 });
  assert.notDeepEqual(middle(fromBehind), middle(pictures[0]));
});

longTest("solids look the same with and without back faces, and open bodies show their inside", () => {
  const { vertices, triangles } = meshOf(box([20, 20, 20]));
  const open = { ...meshOf(box([20, 20, 20])), vertices, triangles: triangles.slice(6) };
  const picture = (mesh: Mesh, purpose: Purpose, direction: ViewDirection): Picture => {
    const stage = { volume, items: [bodyAt(mesh, [0, 0, 30], "model", { x: 20, y: 33, z: 71 })] };
    return draw(prepare(stage, purpose, noProgress), direction, frameOf(stage, ZOOMED, direction), noProgress);
  };
  for (const mesh of [RING, meshOf(box([20, 20, 20])), open]) {
    for (const yawDeg of slowSample([77, 154, 231, 308, 0], 3)) {
      const direction = { yawDeg, pitchDeg: yawDeg / 4 - 40 };
      const [once, often] = (["onePicture", "manyPictures"] as const).map((one) => picture(mesh, one, direction).rgba);
      const differing = once!.reduce((count, value, i) => count + (Math.abs(value - often![i]) > 3 ? 1 : 0), 0);
      assert.ok(differing < 1e-4 * once!.length, `${differing} channels differ`);
    }
  }
});

test("the platform is translucent from below and darkened under bodies", () => {
  const items = [bodyAt(meshOf(box([40, 40, 10])), [0, 0, 5], "outOfBounds")];
  const below = middle(pictureOf({ volume, items }, ZOOMED, { yawDeg: 0, pitchDeg: -60 }));
  assert.ok(below[0] > 1.15 * below[2], String(below));
  const framing = { ...ZOOMED, viewType: "FULL_BUILD_VOLUME" } as const;
  const [bare, shadowed] = [[], items].map((all) =>
    pictureOf({ volume, items: all }, framing, { yawDeg: -90, pitchDeg: 90 }),
  );
  const [x, y] = [bare!.width >> 1, bare!.height >> 1];
  // Between the lines of the grid, 1.5 mm from the body.
  const beside = Math.round(21.5 * ((bare!.width - 32) / volume.dimensionsMm[0]));
  assert.ok(at(bare!, x + beside, y + 4)[0] > at(shadowed!, x + beside, y + 4)[0] + 5);
});

test("bodies without volume, triangles or area do not fail", () => {
  const points = Float32Array.of(0, 0, 0, 1, 0, 0, 2, 0, 0);
  const flat = { ...meshOf(box([10, 10, 1e-3])) };
  const line = {
    ...flat,
    vertices: points,
    triangles: Uint32Array.of(0, 1, 2, 0, 0, 1),
    box: { min: [0, 0, 0], max: [2, 0, 0] },
  } as const;
  for (const mesh of [flat, line, { ...line, triangles: new Uint32Array() }]) {
    const picture = pictureOf({ volume, items: [bodyAt(mesh, [0, 0, 1])] });
    assert.equal(Math.max(picture.width, picture.height), 410);
  }
});

longTest("large pictures are drawn in bands without seams", () => {
  const items = [bodyAt(BALL, [0, 0, 12]), bodyAt(RING, [15, 0, 5])];
  const [small, large] = [1024, 2048].map((sizePx) =>
    pictureOf({ volume, items }, { ...ZOOMED, sizePx, cropped: false }),
  );
  let most = 0;
  for (let y = 0; y < 1024; y++) {
    let difference = 0;
    for (let x = 0; x < 1024; x += 8) difference += Math.abs(at(small!, x, y)[1] - at(large!, 2 * x, 2 * y)[1]);
    most = Math.max(most, difference / 128);
  }
  assert.ok(most < 3, `a row differs by ${most}`);
});

longTest("a picture does not depend on pictures drawn before", () => {
  const first = { volume, items: [bodyAt(RING, [0, 0, 5])] };
  const other = { volume, items: [bodyAt(BALL, [20, 0, 12], "support"), bodyAt(RING, [-20, 0, 30], "outOfBounds")] };
  const alone = pictureOf(first);
  for (const sizePx of [100, 900]) pictureOf(other, { ...ZOOMED, sizePx });
  assert.deepEqual(pictureOf(first), alone);
});

test("a cancelled picture ends at the next report, and reports are frequent", () => {
  const stage = { volume, items: [bodyAt(BALL, [0, 0, 12])] };
  const state = newTaskState();
  cancelTask(state);
  assert.throws(() => prepare(stage, "manyPictures", taskProgress(state)), CancelledError);
  const prepared = prepare(stage, "manyPictures", noProgress);
  assert.throws(
    () => draw(prepared, FROM_CORNER, frameOf(stage, ZOOMED, FROM_CORNER), taskProgress(state)),
    CancelledError,
  );
  const shares: number[] = [];
  const counting = (from: number, to: number): Progress => ({
    report: (share) => void shares.push(from + share * (to - from)),
    part: (a, b) => counting(from + a * (to - from), from + b * (to - from)),
    silent: () => noProgress,
  });
  draw(prepared, FROM_CORNER, frameOf(stage, ZOOMED, FROM_CORNER), counting(0, 1));
  assert.ok(shares.length > 20 && shares.every((share, i) => share <= 1 && share >= (shares[i - 1] ?? 0)));
});
