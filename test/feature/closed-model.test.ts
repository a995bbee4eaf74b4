import assert from "node:assert/strict";
import { test } from "node:test";
import { noProgress } from "../../src/core/progress.ts";
import { type ClosedModelRequest, closedModel } from "../../src/feature/print/closed-model.ts";
import type { Surface } from "../../src/mesh/mesh.ts";
import { box, torus, uvSphere } from "../fixture/shapes.ts";
import { asFiled, meshOf, placed } from "../fixture/slices.ts";
import { insideOut, moved, surfaceOfStl, withFacets, facetsOf } from "../fixture/surface-edits.ts";

/** Volume and box of a file, and whether each edge joins as many facets in one direction as in the other. */
function measure({ vertices, triangles }: Surface) {
  const corner = (at: number) => [...vertices.subarray(3 * triangles[at]!, 3 * triangles[at]! + 3)];
  let volume = 0;
  const edges = new Map<string, number>();
  const [min, max] = [
    [Infinity, Infinity, Infinity],
    [-Infinity, -Infinity, -Infinity],
  ];
  for (let at = 0; at < triangles.length; at += 3) {
    const corners = [corner(at), corner(at + 1), corner(at + 2)];
    const [[ax, ay, az], [bx, by, bz], [cx, cy, cz]] = corners as [number[], number[], number[]];
    volume += (ax! * (by! * cz! - bz! * cy!) - ay! * (bx! * cz! - bz! * cx!) + az! * (bx! * cy! - by! * cx!)) / 6;
    corners.forEach((from, i) => {
      const [a, b] = [String(from), String(corners[(i + 1) % 3])];
      const key = a < b ? `${a}|${b}` : `${b}|${a}`;
      edges.set(key, (edges.get(key) ?? 0) + (a < b ? 1 : -1));
      from.forEach((value, axis) => {
        min[axis] = Math.min(min[axis]!, value);
        max[axis] = Math.max(max[axis]!, value);
      });
    });
  }
  return { volume, box: { min, max }, isClosed: [...edges.values()].every((sum) => sum === 0) };
}

async function fileOf(request: ClosedModelRequest) {
  const { stl, box: told } = await closedModel(request, noProgress);
  const measured = measure(surfaceOfStl(stl));
  assert.ok(measured.isClosed);
  assert.deepEqual({ min: [...told.min], max: [...told.max] }, measured.box);
  return measured;
}

test("a part and its supports become one closed solid, whose overlap counts once", async () => {
  const part = asFiled(meshOf(moved(box([10, 10, 10]), [5, 5, 10])));
  // Its upper end is 2 mm within the part.
  const supports = asFiled(meshOf(moved(box([2, 2, 7]), [5, 5, 3.5])));
  const { volume, box: found } = await fileOf({ part, supports });
  assert.ok(Math.abs(volume - (1000 + 28 - 8)) < 0.01, String(volume));
  assert.deepEqual(found, { min: [0, 0, 0], max: [10, 10, 15] });
});

test("round parts on many supports are united at their places in the scene", async () => {
  const part = placed(meshOf(uvSphere(5)), { position: [20, -30, 9], orientation: { x: 30, y: 10, z: 5 }, scale: 1.5 });
  const pillars = [-3, 0, 3].map((x) => moved(box([0.5, 0.5, 5]), [x, 0, 0]));
  const plate = moved(box([10, 4, 1]), [0, 0, -2.5]);
  const supports = placed(meshOf(...pillars, plate), { position: [20, -30, 2] });
  const alone = await fileOf({ part, supports: undefined });
  const all = await fileOf({ part, supports });
  assert.ok(all.volume > alone.volume + 30 && all.volume < alone.volume + 45, `${all.volume} ${alone.volume}`);
  assert.ok(Math.abs(all.box.max[2]! - 16.5) < 0.1);
  assert.ok(all.box.min[2]! < 0);
});

test("a cavity stays, and bodies that are inside out are turned", async () => {
  const hollow = meshOf(box([10, 10, 10]), insideOut(box([6, 6, 6])));
  const supports = asFiled(meshOf(moved(box([1, 1, 4]), [0, 0, -6])));
  const { volume } = await fileOf({ part: asFiled(hollow), supports });
  assert.ok(Math.abs(volume - (1000 - 216 + 3)) < 0.01, String(volume));
  const turned = await fileOf({ part: asFiled(meshOf(insideOut(torus(6, 2)))), supports: undefined });
  assert.ok(turned.volume > 0);
});

test("a part with a gap is closed as it is for slicing", async () => {
  const whole = box([4, 4, 4]);
  const open = meshOf(withFacets(whole, facetsOf(whole).slice(1)));
  const { volume } = await fileOf({ part: asFiled(open), supports: undefined });
  assert.ok(Math.abs(volume - 64) < 1e-3, String(volume));
});
