import assert from "node:assert/strict";
import { Buffer } from "node:buffer";
import { createHash } from "node:crypto";
import { test } from "node:test";
import { readArguments } from "../../src/arguments.ts";
import { readCtbNotice } from "../../src/job/chitu/ctb-notice.ts";
import { archiveOf, plainThumbnail, someJob } from "../fixture/job/some-job.ts";
import { ring } from "../fixture/job/some-layers.ts";
import { temporaryFiles } from "../fixture/temporary-files.ts";

// The notice itself is not in this repository: a text of the same size stands for it.

const fileAt = temporaryFiles();
const notice = Buffer.from("Some words. ".repeat(27).slice(0, 320));
const sha256 = createHash("sha256").update(notice).digest("hex");
const layers = [ring(60, 40, 15, 5)];
const thumbnails = [plainThumbnail(400, 300, [0, 0, 0, 255]), plainThumbnail(200, 125, [0, 0, 0, 255])];
const ctb = (format: "ctb-3" | "ctb-4") =>
  fileAt(`${format}.ctb`, archiveOf(format, someJob(layers, { thumbnails, ctbNotice: notice }), layers));

test("the notice is found in a .ctb file of version 4, and as a text by itself", () => {
  assert.deepEqual(Buffer.from(readCtbNotice(ctb("ctb-4"), sha256)), notice);
  assert.deepEqual(Buffer.from(readCtbNotice(fileAt("notice.txt", notice), sha256)), notice);
});

test("files without the notice, and other texts of its size, are refused with the way out", () => {
  const refused = { code: "OPERATION_FAILED", message: /notice.*name a .ctb file of version 4 that Chitubox made/ };
  assert.throws(() => readCtbNotice(ctb("ctb-3"), sha256), refused);
  assert.throws(() => readCtbNotice(ctb("ctb-4")), refused);
  assert.throws(() => readCtbNotice(fileAt("empty.ctb", ""), sha256), refused);
  assert.throws(() => readCtbNotice(fileAt("other.txt", Buffer.alloc(320)), sha256), refused);
  assert.throws(() => readCtbNotice(fileAt("cut.ctb", Buffer.from("0601fd1204000000", "hex")), sha256), {
    code: "OPERATION_FAILED",
  });
});

test("--ctb-notice-from is refused with the reason if its file has no notice", () => {
  const command = readArguments(["--port", "0", "--ctb-notice-from", ctb("ctb-3")]);
  assert.ok(command.kind === "wrong");
  assert.match(command.reason, /ctb-3.ctb.*does not contain the notice/);
});
