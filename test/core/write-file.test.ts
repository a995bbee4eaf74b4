import assert from "node:assert/strict";
import { Buffer } from "node:buffer";
import { createHash } from "node:crypto";
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  readlinkSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, test } from "node:test";
import { Worker } from "node:worker_threads";
import { slowRuns } from "../fixture/long.ts";
import { fc } from "../fixture/property.ts";
import { ApiError } from "../../src/core/api-error.ts";
import { withFileErrors } from "../../src/core/file-error.ts";
import { requireWritable, streamFileAtomically, writeFileAtomically } from "../../src/core/write-file.ts";

let folder = "";
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "write-file-"));
});
afterEach(() => rmSync(folder, { recursive: true }));

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);

test("the file has the chunks in order, whatever it had before", () => {
  const path = join(folder, "target");
  fc.assert(
    fc.property(fc.array(fc.uint8Array({ maxLength: 50 }), { maxLength: 5 }), (chunks) => {
      writeFileAtomically(path, chunks);
      assert.deepEqual(new Uint8Array(readFileSync(path)), Uint8Array.from(chunks.flatMap((chunk) => [...chunk])));
    }),
    { numRuns: 20 },
  );
  assert.deepEqual(readdirSync(folder), ["target"]);
});

test("a failure between two chunks is passed on, leaves the old file unchanged and no other file", () => {
  const path = join(folder, "target");
  writeFileSync(path, "old");
  const failing = function* () {
    yield bytes("new");
    throw new RangeError("no more");
  };
  assert.throws(() => writeFileAtomically(path, failing()), RangeError);
  assert.throws(() => writeFileAtomically(join(folder, "fresh"), failing()), RangeError);
  assert.equal(readFileSync(path, "utf8"), "old");
  assert.deepEqual(readdirSync(folder), ["target"]);
});

test("the old file is replaced only after the last chunk", () => {
  const path = join(folder, "target");
  writeFileSync(path, "old");
  const seen: string[] = [];
  writeFileAtomically(
    path,
    (function* () {
      for (const part of ["n", "ew"]) {
        seen.push(readFileSync(path, "utf8"));
        yield bytes(part);
      }
    })(),
  );
  assert.deepEqual([...seen, readFileSync(path, "utf8")], ["old", "old", "new"]);
});

test("targets that cannot be files are refused and nothing is written", () => {
  mkdirSync(join(folder, "a folder"));
  writeFileSync(join(folder, "a file"), "");
  const cases: [path: string, why: RegExp][] = [
    [join(folder, "missing", "target"), /folder does not exist/],
    [join(folder, "a folder"), /is a folder/],
    [join(folder, "a file", "target"), /not a folder/],
    [join(folder, "n".repeat(300)), /name is too long|does not exist/],
  ];
  if (process.platform !== "win32") cases.push(["/dev/null", /device/]);
  for (const [path, why] of cases) {
    assert.throws(() => writeFileAtomically(path, [bytes("x")]), { code: "OPERATION_FAILED", message: why });
  }
  assert.deepEqual(readdirSync(folder).sort(), ["a file", "a folder"]);
  assert.deepEqual(readdirSync(join(folder, "a folder")), []);
});

test("a full disk is reported with the way out, other system errors with the message of the system", () => {
  const failWith = (code: string) => () => {
    throw Object.assign(new Error("the system's words"), { code });
  };
  const error = { code: "OPERATION_FAILED" };
  assert.throws(() => withFileErrors("write", "/x", failWith("ENOSPC")), {
    ...error,
    message: /"\/x".*disk is full; free/,
  });
  assert.throws(() => withFileErrors("write", "/x", failWith("EIO")), { ...error, message: /the system's words/ });
  assert.throws(() => withFileErrors("write", "/x", () => new Uint8Array(-1)), RangeError);
});

test("a symbolic link and the permissions of its file are kept", { skip: process.platform === "win32" }, () => {
  const [path, link] = [join(folder, "target"), join(folder, "link")];
  writeFileSync(path, "old");
  chmodSync(path, 0o640);
  symlinkSync(path, link);
  writeFileAtomically(link, [bytes("new")]);
  assert.equal(readFileSync(path, "utf8"), "new");
  assert.equal(readlinkSync(link), path);
  assert.equal(statSync(path).mode & 0o777, 0o640);
});

test(
  "a file that does not exist yet is made at the target of its link",
  { skip: process.platform === "win32" },
  async () => {
    mkdirSync(join(folder, "shares"));
    const [link, second, path] = [join(folder, "link"), join(folder, "second"), join(folder, "shares", "target")];
    symlinkSync("second", link);
    symlinkSync(join("shares", "target"), second);
    for (const write of [
      () => writeFileAtomically(link, [bytes("new")]),
      () => streamFileAtomically(link, (file) => file.append(bytes("new"))),
    ]) {
      await write();
      assert.equal(readFileSync(path, "utf8"), "new");
      assert.deepEqual([readlinkSync(link), readlinkSync(second)], ["second", join("shares", "target")]);
      assert.deepEqual(readdirSync(join(folder, "shares")), ["target"]);
      rmSync(path);
    }
    requireWritable(link);
    rmSync(join(folder, "shares"), { recursive: true });
    const refusal = {
      code: "OPERATION_FAILED",
      message: /is a link to ".*shares.target", whose folder does not exist/,
    };
    assert.throws(() => writeFileAtomically(link, [bytes("new")]), refusal);
    assert.throws(() => requireWritable(link), refusal);
    symlinkSync("circle", join(folder, "circle"));
    assert.throws(() => writeFileAtomically(join(folder, "circle"), [bytes("x")]), /lead in a circle/);
    assert.deepEqual(readdirSync(folder).sort(), ["circle", "link", "second"]);
  },
);

test("a new file has the given permissions", { skip: process.platform === "win32" }, () => {
  const path = join(folder, "target");
  writeFileAtomically(path, [bytes("new")], undefined, 0o600);
  assert.equal(statSync(path).mode & 0o777, 0o600);
});

test("a file that another program replaces again and again can be written", async () => {
  const path = join(folder, "target");
  const ended = new Int32Array(new SharedArrayBuffer(4));
  const replacer = new Worker(new URL("../fixture/replacer.ts", import.meta.url), { workerData: { path, ended } });
  const exited = new Promise((resolve) => replacer.once("exit", resolve));
  await new Promise((resolve) => replacer.once("message", resolve));
  try {
    for (let i = 0; i < slowRuns(400); i++) writeFileAtomically(path, [bytes("own")]);
  } finally {
    Atomics.store(ended, 0, 1);
    await exited;
  }
  writeFileAtomically(path, [bytes("own")]);
  assert.equal(readFileSync(path, "utf8"), "own");
  assert.deepEqual(readdirSync(folder), ["target"]);
});

test("a streamed file has the appended data and the overwritten head, and the result is returned", async () => {
  const path = join(folder, "target");
  writeFileSync(path, "an older, longer file", { mode: 0o640 });
  const result = await streamFileAtomically(path, async (file) => {
    await file.append(bytes("head, "));
    await file.append(bytes("body"));
    await file.overwriteHead(bytes("HE"));
    await file.append(bytes(" and tail"));
    assert.equal(readFileSync(path, "utf8"), "an older, longer file");
    return 42;
  });
  assert.equal(result, 42);
  assert.equal(readFileSync(path, "utf8"), "HEad, body and tail");
  assert.equal(statSync(path).mode & 0o777, 0o640);
  assert.deepEqual(readdirSync(folder), ["target"]);
});

test("the MD5 of a streamed file is that of all its bytes, also of its overwritten head", async () => {
  const path = join(folder, "target");
  const body = Uint8Array.from({ length: 1_500_000 }, (_, i) => (i * i) % 251);
  const md5s = await streamFileAtomically(path, async (file) => {
    const empty = await file.md5();
    await file.append(body);
    await file.overwriteHead(bytes("head"));
    return [empty, await file.md5()];
  });
  const [empty, whole] = md5s.map((md5) => Buffer.from(md5).toString("hex"));
  assert.equal(empty, "d41d8cd98f00b204e9800998ecf8427e");
  assert.equal(whole, createHash("md5").update(readFileSync(path)).digest("hex"));
});

test("a failure while streaming leaves the old file and nothing else", async () => {
  const path = join(folder, "target");
  writeFileSync(path, "old");
  const failure = new Error("on the way");
  await assert.rejects(
    streamFileAtomically(path, async (file) => {
      await file.append(bytes("half of it"));
      throw failure;
    }),
    (thrown) => thrown === failure,
  );
  assert.equal(readFileSync(path, "utf8"), "old");
  assert.deepEqual(readdirSync(folder), ["target"]);
});

test("a missing folder is reported before anything is written", async () => {
  const path = join(folder, "missing", "target");
  const write = (): Promise<void> => assert.fail("must not be called");
  await assert.rejects(
    streamFileAtomically(path, write),
    (thrown) => thrown instanceof ApiError && /folder/.test(thrown.message),
  );
});
