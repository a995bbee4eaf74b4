import assert from "node:assert/strict";
import { test } from "node:test";
import { dismiss, dismissAll, foldedNotices, noticeLog, notices, notify } from "../../src/page/state/notices.ts";

const shown = (): string[] => notices.value.map(({ text }) => text);
const folded = (): string[] => foldedNotices.value.map(({ text }) => text);

test("warnings and errors stay until they are dismissed, however many notices follow", () => {
  notify({ severity: "warning", text: "restart" });
  for (let i = 0; i < 10; i++) notify({ severity: "success", text: `done ${i}` });
  assert.deepEqual(shown(), ["restart", "done 7", "done 8", "done 9"]);
  assert.deepEqual(folded(), []);
  notify({ severity: "info", text: "a question", actions: [{ label: "Yes", run: () => {} }] });
  for (let i = 0; i < 3; i++) notify({ severity: "error", text: `error ${i}` });
  assert.deepEqual(folded(), ["restart", "a question"], "the last three in full, the others in a line");
  assert.deepEqual(
    shown().filter((text) => !text.startsWith("done")),
    ["restart", "a question", "error 0", "error 1", "error 2"],
  );
  dismiss(notices.value.find(({ text }) => text === "error 1")!.id);
  assert.deepEqual(folded(), ["restart"]);
  dismissAll();
  assert.equal(noticeLog.value.length, 15);
});
