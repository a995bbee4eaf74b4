import assert from "node:assert/strict";
import { test } from "node:test";
import {
  FADE_MS,
  dismiss,
  elapse,
  forgetFailure,
  noticeLog,
  notices,
  notify,
  showNext,
} from "../../src/page/state/notices.ts";
import { scene } from "../../src/page/state/project.ts";
import type { PageScene } from "../../src/ui/replies.ts";

const shown = (): string[] => notices.value.map(({ text }) => text);

const show = (id: string): void => {
  scene.value = { id, version: 1 } as PageScene;
};

test("the newest notice comes first; success fades after its time, errors and questions stay", () => {
  notify({ severity: "error", text: "Support: failed." });
  notify({ severity: "warning", text: "a question", actions: [{ label: "Yes", run: () => {} }] });
  notify({ severity: "success", text: "done", actions: [{ label: "Undo", run: () => {} }] });
  notify({ severity: "info", text: "cancelled" });
  assert.deepEqual(shown(), ["cancelled", "done", "a question", "Support: failed."]);
  elapse(FADE_MS - 1);
  notify({ severity: "success", text: "later" });
  elapse(1);
  assert.deepEqual(shown(), ["later", "a question", "Support: failed."], "each has its own time");
  elapse(10 * FADE_MS);
  assert.deepEqual(shown(), ["a question", "Support: failed."]);
  showNext();
  assert.deepEqual(shown(), ["Support: failed.", "a question"], "the next older one, then the first again");
  forgetFailure("Support");
  dismiss(notices.value[0]!.id);
  assert.deepEqual(shown(), []);
  assert.equal(noticeLog.value.length, 5, "the log has all");
});

test("the same message is shown once", () => {
  for (let i = 0; i < 3; i++) notify({ severity: "error", text: "again" });
  assert.deepEqual(shown(), ["again"]);
  dismiss(notices.value[0]!.id);
});

test("a notice belongs to a scene: it waits for this one, and is closed when the scene is left", () => {
  show("a");
  notify({ severity: "error", text: "of a" });
  notify({ severity: "error", text: "of b", sceneId: "b" });
  notify({ severity: "warning", text: "of all", sceneId: undefined });
  assert.deepEqual(shown(), ["of all", "of a"]);
  show("b");
  assert.deepEqual(shown(), ["of all", "of b"]);
  show("a");
  assert.deepEqual(shown(), ["of all"], "that of a was closed when it was left");
  dismiss(notices.value[0]!.id);
});

test("a person reads a sentence; code and text of the server are kept beside it", () => {
  const raw = "Of 10 models 6 fit on the platform, 2 mm apart: nothing was moved. Use wider custom_bounds.";
  notify({ severity: "error", text: `Lay out: ${raw}`, code: "OPERATION_FAILED" });
  const [notice] = notices.value;
  assert.equal(notice!.text, "Lay out: 4 of 10 parts do not fit. Remove some, or let them stand closer together.");
  assert.deepEqual(notice!.raw, ["OPERATION_FAILED", `Lay out: ${raw}`]);
  dismiss(notice!.id);
});
