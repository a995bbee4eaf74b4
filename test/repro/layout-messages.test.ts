import assert from "node:assert/strict";
import { test } from "node:test";
import { noProgress } from "../../src/core/progress.ts";
import { EMPTY_RECTANGLE, boundingRectangle, unionRectangles } from "../../src/geometry/box.ts";
import { rotatePolygons } from "../../src/layout/indexed-polygon.ts";
import type { ModelSilhouette } from "../../src/layout/part.ts";
import { fillPlatform, layOut } from "../../src/feature/layout/layout.ts";
import { rectangle, star } from "../fixture/polygons.ts";
import { fc } from "../fixture/property.ts";

// The message was "Of 5 models 3 fit" where four did. A model that is too large was reported only after the whole search, without its
// name. Layouts in which supports may overlap were larger than layouts in which they may not.

const VOLUME = { dimensionsMm: [100, 60, 100], filletRadiusMm: 0 } as const;
type Seen = ModelSilhouette & { readonly name: string; readonly turns: boolean };

const seen = (region: Seen["region"], changes: Partial<Seen> = {}): Seen => ({
  position: [0, 0, 0],
  region,
  name: '"part"',
  turns: true,
  ...changes,
});
const layOutOf = (models: readonly Seen[], overlappingSupports = false) =>
  layOut(
    { volume: VOLUME, bounds: {}, spacingMm: 1, overlappingSupports, dental: false, models, obstacles: [] },
    noProgress,
  );

test("if not all models fit, the message has the largest number that fits", () => {
  const models = [rectangle(98, 40), ...Array.from({ length: 4 }, () => rectangle(48, 28))].map((one) => seen(one));
  assert.throws(() => layOutOf(models), { code: "OPERATION_FAILED", message: /Of 5 models 4 fit/ });
});

test("a model that is too large is refused by name, with the missing length, whatever rotations are allowed", () => {
  const small = seen(rectangle(10, 10));
  const refused = (model: Seen, message: RegExp): void =>
    assert.throws(() => layOutOf([small, model]), { code: "OPERATION_FAILED", message });
  const long = { name: '"a rail"' };
  refused(
    seen(rectangle(112.5, 10), { ...long, turns: false }),
    /"a rail" is 12\.50 mm too large: .*112\.50 × 10\.00 mm/,
  );
  // The diagonal of 100 × 60 mm has room for less than 117 mm.
  refused(
    seen(rectangle(130, 5), long),
    /"a rail" is \d+\.\d\d mm too large: .* suits it best, and there is room for 100\.00 × 60\.00/,
  );
  refused(seen(rectangle(70, 70), { name: '"a plate"' }), /"a plate" is 10\.00 mm too large/);
  const turned = rotatePolygons([rectangle(99, 59)[0]], 33);
  assert.equal(layOutOf([seen(turned)]).length, 1);
});

test("a model that is too large for a copy is refused by name, whether it moves itself or not", () => {
  const fill = (one: Seen, moves: boolean) => {
    const sources = [seen(rectangle(10, 10)), one].map((source) => ({ ...source, moves }));
    return fillPlatform(
      { volume: VOLUME, bounds: {}, spacingMm: 30, sources, obstacles: [], maxCopies: 3 },
      noProgress,
    );
  };
  for (const moves of [true, false]) {
    const message = /"a rail" is 12\.50 mm too large: .*leave it out of model_ids/;
    const rail = seen(rectangle(112.5, 10), { name: '"a rail"', turns: false });
    assert.throws(() => fill(rail, moves), { code: "OPERATION_FAILED", message });
  }
  assert.equal(fill(seen(rectangle(99, 9)), true).places.length, 2);
});

test("a layout is never larger if supports may overlap", () => {
  const part = fc.record({ body: star(4, 10), supports: star(5, 14) });
  fc.assert(
    fc.property(fc.array(part, { minLength: 2, maxLength: 4 }), (parts) => {
      const models = parts.map(({ body, supports }) =>
        seen(body, { supports: { position: [0, 0, 0], region: supports } }),
      );
      const extents = [false, true].map((overlapping) => {
        const around = layOutOf(models, overlapping)
          .map((place, i) => {
            const { turnDeg, x, y } = place!;
            const all = [...models[i].region, ...models[i].supports!.region];
            const box = boundingRectangle(rotatePolygons(all, turnDeg));
            return { minX: box.minX + x, minY: box.minY + y, maxX: box.maxX + x, maxY: box.maxY + y };
          })
          .reduce(unionRectangles, EMPTY_RECTANGLE);
        return (around.maxX - around.minX) * (around.maxY - around.minY);
      });
      assert.ok(extents[1] <= extents[0] + 0.01, `${extents[1]} mm² with overlaps, ${extents[0]} mm² without`);
    }),
    { numRuns: 12 },
  );
});
