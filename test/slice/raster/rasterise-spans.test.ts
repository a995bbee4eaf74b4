import assert from "node:assert/strict";
import { test } from "node:test";
import type { SpanLayer } from "../../../src/geometry/spans.ts";
import { type Segments, newSegments, pushSegment } from "../../../src/slice/outline-segments.ts";
import { LayerRasteriser } from "../../../src/slice/raster/rasterise-layer.ts";
import { SpanRasteriser } from "../../../src/slice/raster/rasterise-spans.ts";
import { slowRuns } from "../../fixture/long.ts";
import { randomFrom } from "../../fixture/random.ts";

const [WIDTH, HEIGHT] = [40, 24];
const MODELS = 3;
const models = { count: MODELS, boundary: -1 };
const ROUNDS = slowRuns(400);
const poll = (): void => {};

/** Closed outlines with `corners` corners each. They may cross themselves and each other and extend beyond the layer. */
function someOutlines(random: () => number, corners: number, at: () => readonly [number, number]): Segments {
  const segments = newSegments();
  for (let outline = 0; outline < 4; outline++) {
    const places = Array.from({ length: corners }, at);
    const model = Math.floor(MODELS * random());
    places.forEach(([x, y], i) => pushSegment(segments, x, y, ...places[(i + 1) % corners], model));
  }
  return segments;
}

const layerRasteriser = new LayerRasteriser(WIDTH, HEIGHT);

/** Whether each pixel has at least a grey value, row by row. */
function drawn(segments: Segments, least = 1): boolean[] {
  const { runs } = layerRasteriser.rasterise(segments, models, poll);
  return pixelsOf(runs, (run) => runs.values[run] >= least);
}

type Spans = Pick<SpanLayer, "rowStarts" | "starts" | "ends">;

function pixelsOf({ rowStarts, starts, ends }: Spans, isWanted: (run: number) => boolean = () => true): boolean[] {
  const isSolid = Array.from({ length: WIDTH * HEIGHT }, () => false);
  for (let row = 0; row < HEIGHT; row++) {
    for (let i = rowStarts[row]; i < rowStarts[row + 1]; i++) {
      if (isWanted(i)) isSolid.fill(true, row * WIDTH + starts[i], row * WIDTH + ends[i]);
    }
  }
  return isSolid;
}

function assertApart({ rowStarts, starts, ends }: Spans): void {
  for (let row = 0; row < HEIGHT; row++) {
    for (let i = rowStarts[row] + 1; i < rowStarts[row + 1]; i++) assert.ok(starts[i] > ends[i - 1], "apart");
  }
}

const shapes: Record<string, (random: () => number) => Segments> = {
  "wild outlines": (random) =>
    someOutlines(random, 7, () => [1.4 * WIDTH * (random() - 0.15), 1.4 * HEIGHT * (random() - 0.15)]),
  "corners on the borders of pixels": (random) =>
    someOutlines(random, 5, () => [Math.floor(WIDTH * random()), Math.floor(HEIGHT * random())]),
  "steep and level sides": (random) => {
    const segments = newSegments();
    for (let i = 0; i < 12; i++) {
      const [x, y] = [50 * random() - 5, 30 * random() - 4];
      const [w, h] = [random() < 0.3 ? 0.01 : 6 * random(), 5 * random()];
      const corners = [
        [x, y],
        [x + w, y],
        [x + w + 0.3 * random(), y + h],
        [x, y + h],
      ] as const;
      corners.forEach(([x0, y0], k) => pushSegment(segments, ...corners[(k + 1) % 4], x0, y0, i % MODELS));
    }
    return segments;
  },
};

for (const [name, shape] of Object.entries(shapes)) {
  test(`the spans of a layer are the pixels above 0, except for slivers: ${name}`, () => {
    const random = randomFrom(7);
    let [solid, apart] = [0, 0];
    for (let round = 0; round < ROUNDS; round++) {
      const segments = shape(random);
      const expected = drawn(segments);
      const rasteriser = new SpanRasteriser(WIDTH, HEIGHT);
      rasteriser.rasterise(
        someOutlines(random, 3, () => [WIDTH * random(), HEIGHT * random()]),
        models,
        1,
        poll,
      );
      const spans = rasteriser.rasterise(segments, models, 1, poll);
      const touched = pixelsOf(spans);
      solid += expected.filter(Boolean).length;
      apart += touched.filter((is, pixel) => is !== expected[pixel]).length;
      assertApart(spans);
    }
    assert.ok(solid > 25 * ROUNDS, `${solid} pixels`);
    assert.ok(apart <= 1e-4 * solid, `${apart} of ${solid} pixels differ`);
  });

  test(`the spans above a threshold are exactly the pixels of at least that grey value: ${name}`, () => {
    const random = randomFrom(8);
    const rasteriser = new SpanRasteriser(WIDTH, HEIGHT);
    let solid = 0;
    for (let round = 0; round < ROUNDS; round++) {
      const segments = shape(random);
      const least = [2, 64, 128, 255][round % 4];
      const expected = drawn(segments, least);
      const spans = rasteriser.rasterise(segments, models, least, poll);
      assert.deepEqual(pixelsOf(spans), expected);
      assertApart(spans);
      solid += expected.filter(Boolean).length;
    }
    assert.ok(solid > 25 * ROUNDS, `${solid} pixels`);
  });
}
