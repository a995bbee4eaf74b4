import assert from "node:assert/strict";
import { chmodSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { test } from "node:test";
import process from "node:process";
import { ApiError } from "../../src/core/api-error.ts";
import { openEventLog } from "../../src/core/event-log.ts";
import { temporaryFiles } from "../fixture/temporary-files.ts";

const file = temporaryFiles();
const linesOf = (path: string): Record<string, unknown>[] =>
  readFileSync(path, "utf8")
    .split("\n")
    .slice(0, -1)
    .map((line) => JSON.parse(line));

test("each event is a line of JSON with its time, appended to the file", () => {
  const path = file("log", '{"event":"of yesterday"}\n');
  const log = openEventLog(path);
  log.write("job sent", { printer: "Mars", job_name: 'a\nplate"', layers: 3, reason: undefined });
  log.write("logout");
  log.close();
  const [old, sent, logout] = linesOf(path);
  assert.deepEqual(old, { event: "of yesterday" });
  assert.ok(Math.abs(Date.parse(String(sent.time)) - Date.now()) < 60_000);
  assert.deepEqual(
    { ...sent, time: "" },
    { time: "", event: "job sent", printer: "Mars", job_name: 'a\nplate"', layers: 3 },
  );
  assert.equal(logout.event, "logout");
});

test("only the owner can read the log, even if others could before", { skip: process.platform === "win32" }, () => {
  const path = file("open-log", "");
  chmodSync(path, 0o644);
  openEventLog(path).close();
  assert.equal(statSync(path).mode & 0o777, 0o600);
});

test("a full disk stops nothing; once there is space again, the log states how many lines are missing", () => {
  const path = file("full-log", "");
  let room = 30;
  const log = openEventLog(path, (fd, bytes) => {
    if (room === 0) throw Object.assign(new Error("ENOSPC"), { code: "ENOSPC" });
    const part = bytes.subarray(0, room);
    room -= part.length;
    writeFileSync(fd, part);
    return part.length;
  });
  log.write("job sent", { job_name: "cut off" });
  log.write("job sent", { job_name: "lost" });
  room = Number.MAX_SAFE_INTEGER;
  log.write("job sent", { job_name: "written" });
  log.write("logout");
  log.close();
  const [cutOff, ...whole] = readFileSync(path, "utf8").split("\n").slice(0, -1);
  assert.equal(cutOff.length, 30);
  assert.deepEqual(
    whole.map((line) => JSON.parse(line)).map(({ event, count, job_name }) => count ?? job_name ?? event),
    [2, "written", "logout"],
  );
});

test("a folder and a missing folder are refused", () => {
  for (const path of [file("log", "").replace(/log$/, ""), file("log", "").replace(/log$/, "none/log")]) {
    assert.throws(
      () => openEventLog(path),
      (thrown) => thrown instanceof ApiError && thrown.code === "OPERATION_FAILED",
    );
  }
});
