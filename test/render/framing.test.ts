import assert from "node:assert/strict";
import { test } from "node:test";
import { fc } from "../fixture/property.ts";
import { noProgress } from "../../src/core/progress.ts";
import type { Mesh } from "../../src/mesh/mesh.ts";
import { mapPoints, meshToWorld, viewMatrix } from "../../src/render/camera.ts";
import { type Framing, flyaroundFrames, frameOf, interpolateKeyframes } from "../../src/render/flyaround.ts";
import { EMPTY_RECTANGLE } from "../../src/geometry/box.ts";
import { type Frame, frameWithin, marginOf, silhouetteExtent } from "../../src/render/framing.ts";
import { inMortonOrder } from "../../src/render/prepare.ts";
import type { RenderItem, RenderScene } from "../../src/render/render-scene.ts";
import { bumpySphere } from "../bench/models.ts";
import { box, cylinder, torus, uvSphere } from "../fixture/shapes.ts";
import { POWDER_SETTING, RESIN_SETTING } from "../fixture/some-scene.ts";
import { FROM_CORNER, ZOOMED, bodyAt, meshOf, pictureOf } from "../fixture/stage.ts";
import { slowRuns } from "../fixture/long.ts";

const volume = RESIN_SETTING.printerType.volume;
const SLAB = meshOf(box([60, 10, 4]));
const RING = meshOf(torus(15, 5, 24, 12));
const BALL = meshOf(uvSphere(12));

const direction = fc.record({
  yawDeg: fc.integer({ min: -400, max: 400 }),
  pitchDeg: fc.integer({ min: -90, max: 90 }),
});
const place = fc.tuple(
  fc.integer({ min: -80, max: 80 }),
  fc.integer({ min: -50, max: 50 }),
  fc.integer({ min: 0, max: 180 }),
);
const bodies = fc.array(fc.tuple(fc.constantFrom(SLAB, RING, BALL), place), { minLength: 1, maxLength: 4 });
const stages = bodies.map((all): RenderScene => ({ volume, items: all.map(([mesh, at]) => bodyAt(mesh, at)) }));

/** Points of the view plane in pixels from the left and top of the picture. */
const toPixels = ({ width, height, centre, pixelsPerMm }: Frame, x: number, y: number): [number, number] => [
  width / 2 + (x - centre[0]) * pixelsPerMm,
  height / 2 - (y - centre[1]) * pixelsPerMm,
];

test("cropped pictures have a margin on all four sides, and the larger side has the requested size", () => {
  fc.assert(
    fc.property(stages, direction, fc.integer({ min: 16, max: 4096 }), (stage, from, sizePx) => {
      const frame = frameOf(stage, { ...ZOOMED, sizePx }, from);
      const { minX, minY, maxX, maxY } = silhouetteExtent(stage.items, viewMatrix(from));
      const margin = Math.round(0.04 * sizePx);
      assert.equal(Math.max(frame.width, frame.height), sizePx);
      const [left, bottom] = toPixels(frame, minX, minY);
      const [right, top] = toPixels(frame, maxX, maxY);
      for (const gap of [left, top, frame.width - right, frame.height - bottom])
        assert.ok(Math.abs(gap - margin) < 0.51, `${gap} is not ${margin}`);
    }),
  );
});

test("pictures that are not cropped are square, with the same scale", () => {
  fc.assert(
    fc.property(stages, direction, (stage, from) => {
      const square = frameOf(stage, { ...ZOOMED, cropped: false }, from);
      assert.deepEqual(square, { ...frameOf(stage, ZOOMED, from), width: 410, height: 410 });
    }),
  );
});

test("the pixels of a body reach to the margin", () => {
  const framing: Framing = { viewType: "ZOOM_ON_MODELS", sizePx: 200, cropped: true };
  const { width, height, rgba } = pictureOf({ volume, items: [bodyAt(BALL, [0, 0, 150], "outOfBounds")] }, framing);
  const isRed = (x: number, y: number): boolean => rgba[4 * (y * width + x)] > 1.4 * rgba[4 * (y * width + x) + 2];
  const red = Array.from({ length: width * height }, (_, at) => at).filter((at) =>
    isRed(at % width, Math.floor(at / width)),
  );
  const columns = red.map((at) => at % width);
  const rows = red.map((at) => Math.floor(at / width));
  const ends = [
    Math.min(...columns),
    Math.min(...rows),
    width - 1 - Math.max(...columns),
    height - 1 - Math.max(...rows),
  ];
  for (const end of ends) assert.ok(end >= 7 && end <= 10, String(ends));
});

for (const { printerType } of [RESIN_SETTING, POWDER_SETTING]) {
  test(`FULL_BUILD_VOLUME shows the whole volume of a ${printerType.label}, and bodies outside of it`, () => {
    fc.assert(
      fc.property(stages, direction, ({ items }, from) => {
        const frame = frameOf(
          { volume: printerType.volume, items },
          { ...ZOOMED, viewType: "FULL_BUILD_VOLUME" },
          from,
        );
        const [x, y, z] = printerType.volume.dimensionsMm;
        const view = viewMatrix(from);
        const whole = bodyAt(meshOf(box([x, y, z])), [0, 0, z / 2]);
        const { minX, minY, maxX, maxY } = silhouetteExtent([whole, ...items], view);
        const [left, bottom] = toPixels(frame, minX, minY);
        const [right, top] = toPixels(frame, maxX, maxY);
        assert.ok(Math.min(left, top, frame.width - right, frame.height - bottom) > 15);
        assert.ok(Math.min(left, top) < 17.5);
      }),
    );
  });
}

test("FULL_PLATFORM_WIDTH fits the platform into the picture's width", () => {
  const items = [bodyAt(BALL, [0, 0, 12])];
  const frame = frameOf(
    { volume, items },
    { ...ZOOMED, viewType: "FULL_PLATFORM_WIDTH" },
    { yawDeg: 90, pitchDeg: 30 },
  );
  assert.equal(frame.width, 410);
  assert.ok(
    Math.abs(frame.pixelsPerMm * volume.dimensionsMm[0] - (410 - 2 * marginOf({ width: 410, height: 410 }))) < 1e-9,
  );
});

test("an empty scene is framed as its build volume, whatever the view type", () => {
  const frames = (["ZOOM_ON_MODELS", "FULL_BUILD_VOLUME", "FULL_PLATFORM_WIDTH"] as const).map((viewType) =>
    frameOf({ volume, items: [] }, { ...ZOOMED, viewType }, FROM_CORNER),
  );
  assert.deepEqual(frames[1], frames[0]);
  assert.deepEqual(frames[2], frames[0]);
});

test("a body is as large as the canvas allows", () => {
  const canvas = fc.record({ width: fc.integer({ min: 40, max: 900 }), height: fc.integer({ min: 40, max: 900 }) });
  fc.assert(
    fc.property(canvas, (size) => {
      const frame = frameWithin({ minX: -10, minY: 20, maxX: 30, maxY: 40 }, size);
      const gaps = [size.width - 40 * frame.pixelsPerMm, size.height - 20 * frame.pixelsPerMm];
      assert.ok(Math.abs(Math.min(...gaps) - 2 * marginOf(size)) < 1e-9);
    }),
  );
});

test("a flyaround passes linearly through its keyframes, including the first and the last", () => {
  const turn = interpolateKeyframes(
    [
      { yawDeg: 0, pitchDeg: 0 },
      { yawDeg: 360, pitchDeg: 40 },
    ],
    5,
  );
  assert.deepEqual(
    turn.map(({ yawDeg }) => yawDeg),
    [0, 90, 180, 270, 360],
  );
  assert.deepEqual(
    turn.map(({ pitchDeg }) => pitchDeg),
    [0, 10, 20, 30, 40],
  );
  const bent = interpolateKeyframes(
    [0, 10, -30].map((yawDeg) => ({ yawDeg, pitchDeg: 0 })),
    5,
  );
  assert.deepEqual(
    bent.map(({ yawDeg }) => yawDeg),
    [0, 5, 10, -10, -30],
  );
  assert.equal(
    interpolateKeyframes(
      [
        { yawDeg: 0, pitchDeg: 0 },
        { yawDeg: 1, pitchDeg: 1 },
      ],
      2,
    ).length,
    2,
  );
});

test("with constant size all pictures of a flyaround have the same canvas and scale, and show all bodies whole", () => {
  const directions = interpolateKeyframes(
    [
      { yawDeg: 0, pitchDeg: -20 },
      { yawDeg: 360, pitchDeg: 60 },
    ],
    12,
  );
  fc.assert(
    fc.property(stages, fc.boolean(), (stage, cropped) => {
      const shots = flyaroundFrames(stage, { ...ZOOMED, cropped }, directions, true, noProgress);
      const { centre: _, ...steady } = shots[0].frame;
      assert.equal(Math.max(steady.width, steady.height), 410);
      for (const { direction, frame } of shots) {
        const { centre: _, ...same } = frame;
        assert.deepEqual(same, steady);
        const { minX, minY, maxX, maxY } = silhouetteExtent(stage.items, viewMatrix(direction));
        const [left, bottom] = toPixels(frame, minX, minY);
        const [right, top] = toPixels(frame, maxX, maxY);
        assert.ok(Math.min(left, top, frame.width - right, frame.height - bottom) > 15);
      }
    }),
    { numRuns: slowRuns(30) },
  );
});

test("otherwise each picture of a flyaround has the frame of a single picture, on a common canvas", () => {
  const directions = interpolateKeyframes(
    [
      { yawDeg: 0, pitchDeg: 0 },
      { yawDeg: 90, pitchDeg: 90 },
    ],
    7,
  );
  const stage = { volume, items: [bodyAt(SLAB, [0, 0, 20])] };
  const shots = flyaroundFrames(stage, ZOOMED, directions, false, noProgress);
  const alone = directions.map((one) => frameOf(stage, ZOOMED, one));
  const canvas = {
    width: Math.max(...alone.map((one) => one.width)),
    height: Math.max(...alone.map((one) => one.height)),
  };
  assert.deepEqual(
    shots.map(({ frame }) => frame),
    alone.map((one) => ({ ...one, ...canvas })),
  );
});

/** With fewer vertices than a run, the same number, and many more. */
const MESHES = [box([3, 40, 7]), cylinder(9, 4, 31), torus(15, 5), uvSphere(20, 96, 48), bumpySphere(6000)]
  .map(meshOf)
  .flatMap((mesh) => [mesh, inMortonOrder(mesh, noProgress)]);

const degrees = fc.integer({ min: -180, max: 180 });
const anyDirection = fc.record({ yawDeg: degrees, pitchDeg: fc.integer({ min: -90, max: 90 }) });
const millimetres = fc.integer({ min: -300, max: 300 });
const items = fc.array(
  fc
    .tuple(
      fc.constantFrom<Mesh>(...MESHES),
      fc.tuple(millimetres, millimetres, millimetres),
      fc.record({ x: degrees, y: degrees, z: degrees }),
    )
    .map(([mesh, position, orientation]) => bodyAt(mesh, position, "model", orientation)),
  { minLength: 1, maxLength: 3 },
);

test("the rectangle around silhouettes is the rectangle around all vertices", () => {
  fc.assert(
    fc.property(items, anyDirection, (bodies, from) => {
      const view = viewMatrix(from);
      const { minX, minY, maxX, maxY } = silhouetteExtent(bodies, view);
      const points = bodies.flatMap((body) => verticesInView(body, view));
      const xs = points.map(([x]) => x);
      const ys = points.map(([, y]) => y);
      const wanted = [Math.min(...xs), Math.min(...ys), Math.max(...xs), Math.max(...ys)];
      [minX, minY, maxX, maxY].forEach((found, i) =>
        assert.ok(Math.abs(found - wanted[i]) < 1e-3, `${found} is not ${wanted[i]}`),
      );
    }),
  );
});

function verticesInView({ mesh, pose }: RenderItem, view: ReturnType<typeof viewMatrix>): [x: number, y: number][] {
  const world = mapPoints(mesh.vertices, meshToWorld(mesh, pose));
  const seen = mapPoints(world, { linear: view, offset: [0, 0, 0] });
  return Array.from({ length: seen.length / 3 }, (_, i) => [seen[3 * i], seen[3 * i + 1]]);
}

test("the rectangle around no bodies is empty", () => {
  assert.deepEqual(silhouetteExtent([], viewMatrix({ yawDeg: 10, pitchDeg: 20 })), EMPTY_RECTANGLE);
});
