import assert from "node:assert/strict";
import { test } from "node:test";
import { type PartRow, foldCopies, orderOf, partRows } from "../../src/page/state/part-rows.ts";
import type { PageModel } from "../../src/ui/replies.ts";
import { fc } from "../fixture/property.ts";

const IDENTITY = [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1] as const;

const modelOf = (id: string, part: Partial<PageModel> = {}): PageModel => ({
  id,
  name: "axle",
  mesh: "m",
  triangles: 12,
  matrix: IDENTITY,
  kind: "part",
  visible: true,
  in_bounds: true,
  lock: "FREE",
  cage_id: null,
  supports: null,
  lost_supports: null,
  letters: null,
  volume_ml: 1,
  support_plan: null,
  above_plate_mm: 0,
  support_points: 0,
  ...part,
});

const rowsOf = (models: readonly PageModel[], open: readonly string[] = [], search = ""): readonly PartRow[] =>
  partRows(foldCopies(models, "resin"), new Set(open), search);
const said = (rows: readonly PartRow[]): string[] =>
  rows.map(({ name, ids, isOpen }) => (isOpen === undefined ? name : `${name} × ${ids.length}`));

test("three copies are one row, two are not, and the number of a copy does not count", () => {
  assert.deepEqual(said(rowsOf([modelOf("a"), modelOf("b", { name: "axle (2)" })])), ["axle", "axle (2)"]);
  const copies = [modelOf("a"), modelOf("gear", { name: "gear" }), modelOf("b", { name: "axle (2)" }), modelOf("c")];
  assert.deepEqual(said(rowsOf(copies)), ["axle × 3", "gear"]);
  const [{ key }] = rowsOf(copies) as [PartRow];
  const open = rowsOf(copies, [key]);
  assert.deepEqual(said(open), ["axle × 3", "axle", "axle (2)", "axle", "gear"]);
  assert.deepEqual(orderOf(open), ["a", "b", "c", "gear"], "each once");
});

test("what differs in mesh, upper side, scale, supports or name is no copy; place and turn about z are no difference", () => {
  const turned = [0, 1, 0, 0, -1, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1] as const;
  const lying = [0, 0, 1, 0, 0, 1, 0, 0, -1, 0, 0, 0, 0, 0, 0, 1] as const;
  const larger = [2, 0, 0, 0, 0, 2, 0, 0, 0, 0, 2, 0, 0, 0, 0, 1] as const;
  const moved = [...IDENTITY.slice(0, 12), 7, 8, 9, 1] as unknown as PageModel["matrix"];
  const supports = { mesh: "s", triangles: 4, matrix: IDENTITY };
  const alike = [modelOf("a"), modelOf("b", { matrix: turned }), modelOf("c", { matrix: moved })];
  for (const other of [{ mesh: "n" }, { matrix: lying }, { matrix: larger }, { supports }, { name: "wheel" }]) {
    assert.equal(said(rowsOf([...alike, modelOf("d", other)])).length, 2, JSON.stringify(other));
  }
  const inPowder = foldCopies([...alike, modelOf("d", { matrix: lying })], "powder");
  assert.equal(inPowder.length, 1, "parts of a chamber stand on every side");
});

test("a search keeps folds, and finds the names in them", () => {
  const models = [modelOf("a"), modelOf("b", { name: "axle (2)" }), modelOf("c"), modelOf("d", { name: "gear" })];
  assert.deepEqual(said(rowsOf(models, [], " AXLE ")), ["axle × 3"]);
  assert.deepEqual(said(rowsOf(models, [], "(2)")), ["axle × 3"]);
  assert.deepEqual(said(rowsOf(models, [], "wheel")), []);
});

test("every part is in exactly one row, in the order of the first of each row", () => {
  const names = fc.array(fc.constantFrom("a", "b", "b (2)", "c"), { maxLength: 30 });
  fc.assert(
    fc.property(names, (all) => {
      const models = all.map((name, i) => modelOf(String(i), { name }));
      const rows = rowsOf(models);
      assert.deepEqual(
        rows.flatMap(({ ids }) => ids).toSorted((a, b) => Number(a) - Number(b)),
        models.map(({ id }) => id),
      );
      const firsts = rows.map(({ ids }) => Number(ids[0]));
      assert.deepEqual(
        firsts,
        firsts.toSorted((a, b) => a - b),
      );
      for (const { ids, isOpen } of rows) assert.equal(isOpen === undefined, ids.length === 1);
    }),
  );
});
