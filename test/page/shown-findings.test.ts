import assert from "node:assert/strict";
import { test } from "node:test";
import { fixTogether } from "../../src/page/action/fix-together.ts";
import { type FindingFacts, shownFindings } from "../../src/page/action/shown-findings.ts";
import type { PageFinding, PageModel } from "../../src/ui/replies.ts";

const model = (id: string, facts: Partial<PageModel> = {}): PageModel => ({
  id,
  name: `part ${id}`,
  kind: "part",
  visible: true,
  in_bounds: true,
  lock: "UNLOCKED",
  cage_id: null,
  supports: null,
  lost_supports: null,
  volume_ml: 1,
  above_plate_mm: 0,
  support_points: 0,
  support_plan: null,
  letters: null,
  mesh: id,
  triangles: 12,
  matrix: [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1],
  ...facts,
});

const finding = (kind: string, ids: readonly string[], facts: Partial<PageFinding> = {}): PageFinding => ({
  id: `${kind}-${ids.join("-")}`,
  kind,
  severity: "WARNING",
  model_ids: ids,
  count: 1,
  size: 1,
  size_unit: "COUNT",
  text: kind.toLowerCase(),
  accepted: false,
  fixes: [],
  is_old: false,
  ...facts,
});

function factsOf(
  models: readonly PageModel[],
  findings: readonly PageFinding[] = [],
  more: Partial<Omit<FindingFacts, "scene">> = {},
): FindingFacts {
  const checked = { checked_at: "2026-11-28T11:14:00.000Z", status: "OK", checks: [], findings } as const;
  return {
    scene: { id: "scene", models, findings: checked, volume: { family: "resin" } },
    overlaps: [],
    besideIds: new Set(),
    ...more,
  };
}

const told = (facts: FindingFacts): string[] => shownFindings(facts).map(({ text }) => text);

test("what the page knows by itself needs no check: overlaps, bounds and lost supports", () => {
  const models = [
    model("a", { volume_ml: 5 }),
    model("b"),
    model("c", { in_bounds: false }),
    model("d", { lost_supports: "TURNED" }),
    model("e", { in_bounds: false }),
  ];
  const overlaps = [{ model_ids: ["a", "b"], point: [1, 2, 3] }] as const;
  const facts = factsOf(models, [], { overlaps, besideIds: new Set(["e"]) });
  assert.deepEqual(told(facts), [
    "part a and part b overlap",
    "1 part reaches out of the build volume",
    "1 part does not fit",
    "1 part lost its supports",
  ]);
  const [overlap, , withoutRoom, lost] = shownFindings(facts);
  const [fix] = overlap!.fixes;
  assert.deepEqual(fix!.requests, [
    { path: "/v1/scene/model/auto-layout/", body: { scene_id: "scene", model_ids: ["b"], lock_rotation: true } },
  ]);
  assert.deepEqual([overlap!.points, withoutRoom!.isWithoutRoom], [[[1, 2, 3]], true]);
  assert.deepEqual(lost!.fixes[0]!.requests[0]!.body, { scene_id: "scene", model_ids: ["d"] });
});

test("a check that has told the same is shown instead, unless it is old", () => {
  const models = [model("a"), model("b"), model("c", { in_bounds: false })];
  const overlaps = [{ model_ids: ["a", "b"], point: [0, 0, 0] }] as const;
  const found = (is_old: boolean): PageFinding[] => [
    finding("INTERFERENCES", ["a", "b"], { severity: "ERROR", is_old }),
    finding("IN_BOUNDS", ["c"], { severity: "ERROR", is_old }),
  ];
  assert.deepEqual(told(factsOf(models, found(false), { overlaps })), ["interferences", "in_bounds"]);
  assert.deepEqual(told(factsOf(models, found(true), { overlaps })), [
    "part a and part b overlap",
    "1 part reaches out of the build volume",
  ]);
});

test("supports that were made again are not told as lost, and old findings of other kinds stay", () => {
  const lost = finding("SUPPORTS", ["a"], { severity: "ERROR" });
  const old = finding("CUPS", ["a"], { is_old: true });
  assert.deepEqual(told(factsOf([model("a")], [lost, old])), ["cups"]);
  assert.deepEqual(told(factsOf([model("a", { lost_supports: "SCALED" })], [lost, old])), ["supports", "cups"]);
});

test("errors come first and accepted findings last", () => {
  const findings = [
    finding("CUPS", ["a"], { severity: "ERROR", accepted: true }),
    finding("MINIMA", ["a"]),
    finding("MANIFOLDNESS", ["a"], { severity: "ERROR" }),
  ];
  assert.deepEqual(told(factsOf([model("a")], findings)), ["manifoldness", "minima", "cups"]);
});

test("parts for which a check found no room move by the page; the check's other fixes stay", () => {
  const fix = (title: string, path: string) => ({ title, requests: [{ path, body: {} }] });
  const fixes = [
    fix("Move 1 to a new scene", "/v1/scene/model/move-to-scene/"),
    fix("Remove", "/v1/scene/model/delete/"),
  ];
  const models = [model("a", { in_bounds: false })];
  const facts = factsOf(models, [finding("IN_BOUNDS", ["a"], { severity: "ERROR", fixes })], {
    besideIds: new Set(["a"]),
  });
  const shown = shownFindings(facts);
  assert.deepEqual(
    shown.map(({ isWithoutRoom, fixes: others }) => [isWithoutRoom, others.map(({ title }) => title)]),
    [[true, ["Remove"]]],
  );
});

test("the first of several findings with the same fix has one for all of them", () => {
  const repair = (id: string) => ({
    title: "Repair",
    requests: [{ path: "/v1/scene/model/repair/", body: { model_ids: [id] } }],
  });
  const crossing = (id: string) => finding("MANIFOLDNESS", [id], { fixes: [repair(id)] });
  const findings = [crossing("a"), crossing("b"), finding("CUPS", ["a"], { fixes: [repair("a")] })];
  const shown = shownFindings(factsOf([model("a"), model("b")], findings));
  const together = shown.map((one) => fixTogether(one, shown));
  assert.deepEqual(together, [
    { title: "Repair 2 parts", requests: [...repair("a").requests, ...repair("b").requests] },
    undefined,
    undefined,
  ]);
});
