import assert from "node:assert/strict";
import { test } from "node:test";
import { type ModelBox, copyOffsets } from "../../src/page/action/copy-places.ts";
import { fc } from "../fixture/property.ts";

const boxAt = ([x, y, z]: readonly number[], [w, d, h]: readonly number[]): ModelBox => ({
  min_corner: { x, y, z },
  max_corner: { x: x + w, y: y + d, z: z + h },
});

const moved = ({ min_corner: a, max_corner: b }: ModelBox, [x, y, z]: readonly number[]): ModelBox =>
  boxAt([a.x + x, a.y + y, a.z + z], [b.x - a.x, b.y - a.y, b.z - a.z]);

const overlap = (a: ModelBox, b: ModelBox): boolean =>
  (["x", "y", "z"] as const).every(
    (axis) => a.min_corner[axis] < b.max_corner[axis] && b.min_corner[axis] < a.max_corner[axis],
  );

const between = (min: number, max: number) => fc.double({ min, max, noNaN: true });

test("copies are inside the chamber and overlap neither other models nor each other", () => {
  const size = fc.tuple(between(5, 40), between(5, 40), between(5, 40));
  const model = fc.tuple(between(-80, 40), between(-80, 40), between(0, 200), size);
  fc.assert(
    fc.property(fc.array(model, { minLength: 1, maxLength: 6 }), fc.integer({ min: 1, max: 12 }), (models, count) => {
      const standing = models.map(([x, y, z, wide]) => boxAt([x, y, z], wide));
      const originals = standing.slice(0, 1 + (standing.length > 3 ? 1 : 0));
      const offsets = copyOffsets(originals, standing, [165, 165, 300], count);
      const copies = offsets.flatMap((offset) => originals.map((one) => moved(one, offset)));
      for (const [i, copy] of copies.entries()) {
        assert.ok(!standing.some((other) => overlap(copy, other)));
        const own = Math.floor(i / originals.length);
        assert.ok(!copies.some((other, j) => Math.floor(j / originals.length) !== own && overlap(copy, other)));
        const { min_corner: a, max_corner: b } = copy;
        assert.ok([a.x, a.y].every((least) => least >= -82.5 - 1e-9) && a.z >= -1e-9);
        assert.ok([b.x, b.y].every((most) => most <= 82.5 + 1e-9) && b.z <= 300 + 1e-9);
      }
      // In addition to six parts of 40 mm the chamber has room for twelve more, unless two parts far apart are copied together.
      if (originals.length === 1) assert.equal(offsets.length, count);
    }),
  );
});

test("the first copy is placed to the right, and no copy in a full chamber", () => {
  const part = boxAt([-80, -80, 0], [20, 20, 20]);
  assert.deepEqual(copyOffsets([part], [part], [165, 165, 300], 2), [
    [25, 0, 0],
    [50, 0, 0],
  ]);
  const whole = boxAt([-80, -80, 0], [160, 160, 290]);
  assert.deepEqual(copyOffsets([whole], [whole], [165, 165, 300], 3), []);
});
