import assert from "node:assert/strict";
import { test } from "node:test";
import { digest, markOf } from "../../src/page/state/part-marks.ts";
import type { PageFinding } from "../../src/ui/replies.ts";

const findingOf = (model_ids: readonly string[], part: Partial<PageFinding> = {}): PageFinding => ({
  id: "f",
  kind: "CUPS",
  severity: "WARNING",
  model_ids,
  count: 1,
  size: 1,
  size_unit: "mm3",
  text: "",
  accepted: false,
  fixes: [],
  is_old: false,
  ...part,
});

test("a part has the number of its findings and the worst severity; accepted and old ones do not count", () => {
  const checked = digest({
    checks: [
      { kind: "CUPS", old_model_ids: ["changed"] },
      { kind: "MINIMA", old_model_ids: [] },
    ],
    findings: [
      findingOf(["a"], { count: 4 }),
      findingOf(["a", "b"], { severity: "ERROR", count: 0 }),
      findingOf(["c"], { accepted: true }),
      findingOf(["changed"], { is_old: true }),
      findingOf(["d"], { count: 2 }),
    ],
  });
  assert.deepEqual(markOf(["a"], checked), { state: "ERROR", count: 5 });
  assert.deepEqual(markOf(["d"], checked), { state: "WARNING", count: 2 });
  assert.deepEqual(markOf(["c"], checked), { state: "PASSED" });
  assert.equal(markOf(["changed"], checked), undefined, "it is not known any more");
  assert.deepEqual(markOf(["b", "c", "d"], checked), { state: "ERROR", count: 3 }, "a fold has those of all copies");
  assert.equal(markOf(["c", "changed"], checked), undefined);
});
