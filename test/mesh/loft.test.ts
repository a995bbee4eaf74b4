import assert from "node:assert/strict";
import { test } from "node:test";
import { noProgress } from "../../src/core/progress.ts";
import { offsetPolygons, unionPolygons } from "../../src/geometry/polygon-operations.ts";
import { type Polygon, polygonsArea } from "../../src/geometry/polygon.ts";
import { loft } from "../../src/mesh/loft.ts";
import { describeDefects, meshReport } from "../../src/mesh/mesh-report.ts";
import { meshOf } from "../fixture/slices.ts";
import { randomFrom } from "../fixture/random.ts";

const square = (x: number, y: number, half: number): Polygon =>
  Float64Array.of(x - half, y - half, x + half, y - half, x + half, y + half, x - half, y + half);

const near = (actual: number, expected: number, slack = 1e-6): void =>
  assert.ok(Math.abs(actual - expected) <= slack, `${actual} instead of ${expected}`);

test("a loft is a closed solid between its sections", async () => {
  const [lower, upper] = [[square(0, 0, 5)], [square(0, 0, 6)]];
  const straight = meshOf(
    await loft([
      { zMm: 1, region: lower },
      { zMm: 3, region: lower },
    ]),
  );
  near(straight.volumeMm3, 200, 1e-4);
  const frustum = meshOf(
    await loft([
      { zMm: 0, region: lower },
      { zMm: 1, region: upper },
      { zMm: 2, region: upper },
    ]),
  );
  near(frustum.volumeMm3, (100 + 144 + 120) / 3 + 144, 1e-3);
  assert.deepEqual(describeDefects(meshReport(frustum, noProgress)), []);
});

test("lofts whose parts merge from one section to the next are closed", async () => {
  const random = randomFrom(3);
  for (let i = 0; i < 20; i++) {
    const rings = Array.from({ length: 12 }, () => square(20 * random(), 20 * random(), 0.5 + random()));
    const lower = await unionPolygons(rings);
    const upper = await offsetPolygons(lower, 1);
    const mesh = meshOf(
      await loft([
        { zMm: 0, region: lower },
        { zMm: 1, region: upper },
        { zMm: 2, region: upper },
      ]),
    );
    const { openEdges, misorientedEdges } = meshReport(mesh, noProgress);
    assert.deepEqual([openEdges, misorientedEdges], [0, 0]);
    assert.ok(mesh.volumeMm3 > polygonsArea(lower) + polygonsArea(upper) && mesh.volumeMm3 < 2 * polygonsArea(upper));
  }
});
