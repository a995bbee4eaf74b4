import assert from "node:assert/strict";
import { test } from "node:test";
import { type MaskLook, placeAt, zoomed } from "../../src/page/view/layer-mask.ts";
import { fc } from "../fixture/property.ts";

const WHOLE: MaskLook = { zoom: 1, x: 0.5, y: 0.5 };
const fraction = fc.double({ min: 0, max: 1, noNaN: true });

test("a zoom keeps the place under the pointer, and never shows more than the mask", () => {
  fc.assert(
    fc.property(
      fc.array(fc.tuple(fc.double({ min: 0.2, max: 5, noNaN: true }), fraction, fraction), { maxLength: 8 }),
      fraction,
      fraction,
      (zooms, right, down) => {
        const look = zooms.reduce((seen, [factor, x, y]) => zoomed(seen, factor, [x, y]), WHOLE);
        for (const corner of [0, 1]) {
          for (const place of placeAt(look, [corner, corner])) assert.ok(place >= -1e-9 && place <= 1 + 1e-9);
        }
        // Enlarged at a point, the mask covers the canvas already: nothing has to be moved inside.
        const nearer = zoomed(look, 1.7, [right, down]);
        const [before, after] = [placeAt(look, [right, down]), placeAt(nearer, [right, down])];
        assert.ok(Math.hypot(before[0] - after[0], before[1] - after[1]) < 1e-9);
      },
    ),
  );
});
