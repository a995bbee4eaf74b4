import assert from "node:assert/strict";
import { test } from "node:test";
import { noProgress } from "../../src/core/progress.ts";
import { boxOf } from "../../src/geometry/box.ts";
import type { SpanLayer } from "../../src/geometry/spans.ts";
import { placedSurface } from "../../src/mesh/mesh.ts";
import { layersOfStack, spanChunk } from "../../src/slice/span-chunks.ts";
import { spanGridOver, spanLayers, stackOnGrid } from "../../src/slice/span-layers.ts";
import { type Shape, box, mug, torus, uvSphere } from "../fixture/shapes.ts";
import { evenly, meshOf, placed } from "../fixture/slices.ts";

const SHAPES: readonly Shape[] = [box([4, 3, 2]), torus(4, 2), mug(3, 5), uvSphere(3, 16, 8)];

const plain = ({ index, rowStarts, starts, ends }: SpanLayer) => [index, [...rowStarts], [...starts], [...ends]];

test("layers are the same whichever of their chunks other threads have rasterised, in any order", () => {
  for (const shape of SHAPES) {
    for (const minCoverage of [1, 128]) {
      const body = placed(meshOf(shape), { position: [1, 2, 4] });
      const boundariesMm = evenly(80, 0.1);
      const grid = spanGridOver(boxOf(placedSurface(body).vertices), 0.3);
      const request = { placed: [body], boundariesMm, grid };
      const expected = [...spanLayers({ ...request, minCoverage }, noProgress)].map(plain);
      const stack = stackOnGrid(request, noProgress);
      const downwards = Array.from({ length: stack.chunkCount }, (_, i) => stack.chunkCount - 1 - i);
      const chunks = downwards.map((chunk) => spanChunk(stack, chunk, minCoverage, () => {})).toReversed();
      assert.ok(chunks.length > 2);
      for (let known = 0; known <= chunks.length; known++) {
        const layers = layersOfStack({ stack, chunks: chunks.slice(0, known) }, minCoverage, noProgress);
        assert.deepEqual([...layers].map(plain), expected);
      }
    }
  }
});
