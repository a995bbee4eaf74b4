import assert from "node:assert/strict";
import { test } from "node:test";
import { restartNotice } from "../../src/page/state/restart.ts";
import type { PageSceneSummary, PageState } from "../../src/ui/replies.ts";

const sceneOf = (name: string, modelCount: number): PageSceneSummary => ({
  id: name,
  version: 1,
  undo_count: 0,
  redo_count: 0,
  name,
  model_count: modelCount,
  has_errors: false,
  setting: {
    machine_type: "FORM-4-0",
    material_code: "FLGPGR05",
    print_setting: "DEFAULT",
    layer_thickness_mm: "0.100",
    family: "resin",
    printer_label: "Form 4",
    material_label: "Grey",
  },
});

const stateOf = (process: string, scenes: readonly PageSceneSummary[]): PageState => ({
  version: "1",
  process,
  scenes,
  deleted_count: 0,
  job_extensions: [],
  user: null,
});

const AFTER = stateOf("second", [sceneOf("Scene 1", 0)]);

test("after a restart a warning lists the lost scenes and stays until it is dismissed", () => {
  const notice = restartNotice(stateOf("first", [sceneOf("Gears", 12), sceneOf("Scene 2", 1)]), AFTER)!;
  assert.equal(notice.severity, "warning", "which stays");
  assert.match(notice.text, /restarted, and 2 earlier scenes are gone/);
  assert.deepEqual(notice.details.slice(0, 2), ["“Gears”: 12 models, Form 4", "“Scene 2”: 1 model, Form 4"]);
  assert.match(notice.details.at(-1)!, /\.form.*“Open files”/);
  assert.match(restartNotice(stateOf("first", [sceneOf("Gears", 12)]), AFTER)!.text, /1 earlier scene is gone/);
});

test("creating, changing and deleting scenes is not reported as a restart", () => {
  const before = stateOf("second", [sceneOf("Gears", 12), sceneOf("Scene 2", 1)]);
  assert.equal(restartNotice(before, AFTER), undefined);
});

test("the warning names the first ten lost scenes and counts the others", () => {
  const many = Array.from({ length: 23 }, (_, i) => sceneOf(`Scene ${i + 1}`, i));
  const { text, details } = restartNotice(stateOf("first", many), AFTER)!;
  assert.match(text, /23 earlier scenes/);
  assert.equal(details.length, 12);
  assert.equal(details[10], "and 13 more scenes");
});
