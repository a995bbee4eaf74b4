import assert from "node:assert/strict";
import { test } from "node:test";
import { type Segments, newSegments, pushSegment } from "../../../src/slice/outline-segments.ts";
import { RasterKernel, nextRows } from "../../../src/slice/raster/raster-kernel.ts";
import { SpanRasteriser } from "../../../src/slice/raster/rasterise-spans.ts";
import { randomFrom } from "../../fixture/random.ts";

const MODELS = 3;
const models = { count: MODELS, boundary: -1 };
const MODES = ["touchedRows", "thresholdRows", "greyRows"] as const;
const HALF = 127.5;
const poll = (): void => {};

/** Triangles that may cross each other and extend beyond a layer of this size. */
function triangles(random: () => number, width: number, height: number, count: number): Segments {
  const segments = newSegments();
  for (let i = 0; i < count; i++) {
    const at = () => [width * (1.4 * random() - 0.2), height * (1.4 * random() - 0.2)] as const;
    const corners = [at(), at(), at()] as const;
    corners.forEach(([x, y], k) => pushSegment(segments, x, y, ...corners[(k + 1) % 3], i % MODELS));
  }
  return segments;
}

function spansOf(kernel: RasterKernel, round: number, segments: Segments, height: number) {
  const mode = MODES[round % MODES.length];
  const nextRow = round % 4 === 3 ? nextRows(height, (row) => row % 3 === 0) : undefined;
  const { rowStarts, starts, ends, values } = kernel.rasterise(mode, segments, models, poll, nextRow, HALF);
  const count = rowStarts[height];
  return [rowStarts, starts.slice(0, count), ends.slice(0, count), mode === "greyRows" && values.slice(0, count)];
}

/** The number of memories that `work` allocates. */
function memoriesOf(work: () => void): number {
  const { Memory } = WebAssembly;
  let count = 0;
  WebAssembly.Memory = class extends Memory {
    constructor(descriptor: WebAssembly.MemoryDescriptor) {
      super(descriptor);
      count++;
    }
  };
  try {
    work();
  } finally {
    WebAssembly.Memory = Memory;
  }
  return count;
}

test("a kernel that is resized gives the layers of a new kernel of that size", () => {
  const random = randomFrom(11);
  const kernel = new RasterKernel(5, 5);
  for (let round = 0; round < 40; round++) {
    const [width, height] = [1 + Math.floor(400 * random()), 1 + Math.floor(300 * random())];
    const segments = triangles(random, width, height, round % 10 === 0 ? 60 : 8);
    kernel.resize(width, height);
    const expected = spansOf(new RasterKernel(width, height), round, segments, height);
    assert.deepEqual(spansOf(kernel, round, segments, height), expected, `round ${round}`);
  }
});

/** A layer of some 600,000 pieces of 40 bytes. */
const LARGE = { width: 60, height: 3000, triangles: 200 } as const;

test("spans of layers of all sizes take one memory of a thread, and a large one is let go", () => {
  const random = randomFrom(12);
  const rasterise = (width: number, height: number, count: number): number =>
    new SpanRasteriser(width, height).rasterise(triangles(random, width, height, count), models, 1, poll).starts.length;
  rasterise(10, 10, 4);
  const sizes = Array.from({ length: 40 }, (_, i) => [10 + 13 * i, 500 - 11 * i] as const);
  assert.equal(
    memoriesOf(() => sizes.forEach((size) => assert.ok(rasterise(...size, 20) > 0))),
    0,
  );
  const { width, height } = LARGE;
  assert.equal(
    memoriesOf(() => assert.ok(rasterise(width, height, LARGE.triangles) > 0)),
    0,
  );
  assert.equal(
    memoriesOf(() => sizes.forEach((size) => assert.ok(rasterise(...size, 20) > 0))),
    1,
  );
});

test("a layer that was cancelled does not change the next one", () => {
  const random = randomFrom(13);
  const rasteriser = new SpanRasteriser(300, 200);
  const [first, second] = [triangles(random, 300, 200, 40), triangles(random, 300, 200, 40)];
  const expected = rasteriser.rasterise(second, models, 128, poll);
  for (let polls = 1; polls < 4; polls++) {
    let left = polls;
    const cancel = (): void => {
      if (--left === 0) throw new Error("cancelled");
    };
    assert.throws(() => rasteriser.rasterise(first, models, 128, cancel), /cancelled/);
    assert.deepEqual(rasteriser.rasterise(second, models, 128, poll), expected, `after ${polls} polls`);
  }
});
