import assert from "node:assert/strict";
import { test } from "node:test";
import { CancelledError, cancelTask, newTaskState, taskProgress } from "../../src/core/progress.ts";
import { floorOf } from "../../src/layout/floor.ts";
import { layOutParts } from "../../src/layout/lay-out.ts";
import { rotatePart } from "../../src/layout/part.ts";
import { rectangle } from "../fixture/polygons.ts";

// A layout in rows of parts with detailed silhouettes, next to hundreds of obstacles, took minutes and did not end when it was
// cancelled.

test("a layout in rows ends when it is cancelled", () => {
  const state = newTaskState();
  cancelTask(state);
  const request = {
    floor: floorOf({ dimensionsMm: [200, 125, 210], filletRadiusMm: 5 }),
    spacingMm: 2,
    parts: [{ part: { body: rectangle(20, 15) }, turns: true }],
    obstacles: [{ part: rotatePart({ body: rectangle(60, 40) }, 0), x: 0, y: 0 }],
    dental: false,
  };
  assert.throws(() => layOutParts(request, taskProgress(state)), CancelledError);
});
