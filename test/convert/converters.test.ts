import assert from "node:assert/strict";
import { existsSync, mkdirSync, readFileSync, readdirSync, rmdirSync, utimesSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import process from "node:process";
import { test } from "node:test";
import { newConversionRunner } from "../../src/convert/conversion-runner.ts";
import { type ConverterLimits, type Converters, newConverters } from "../../src/convert/converters.ts";
import { parseConverters } from "../../src/convert/parse-converters.ts";
import { ApiError } from "../../src/core/api-error.ts";
import { HOST } from "../../src/core/temporary-file.ts";
import { CancelledError } from "../../src/core/progress.ts";
import { isRunning } from "../fixture/converter-script.ts";
import { temporaryFiles } from "../fixture/temporary-files.ts";
import { until } from "../fixture/until.ts";

const isWindows = process.platform === "win32";
const file = temporaryFiles();
const command = (text: string): Parameters<typeof newConverters>[0] => parseConverters([`foo=${text} {in} {out}.stl`]);
const ofShell = (text: string, limits?: ConverterLimits, runner = newConversionRunner()): Converters =>
  newConverters(command(`sh -c '${text}' sh`), runner, limits);

let files = 0;
const input = (content: string): string => file(`${++files}/part.foo`, content);
const request = (signal = new AbortController().signal, report = (_share: number): void => {}) => ({ signal, report });
const leftOver = (): string[] =>
  readdirSync(tmpdir()).filter((name) => name.startsWith(`printwright-convert-${HOST}-${process.pid}-`));

async function refused(converters: Converters, path: string, message: RegExp): Promise<string> {
  const thrown: unknown = await converters.convert(path, request(), async () => assert.fail()).catch((error) => error);
  assert.ok(thrown instanceof ApiError, String(thrown));
  assert.equal(thrown.code, "OPERATION_FAILED");
  assert.match(thrown.message, message);
  assert.deepEqual(leftOver(), []);
  return thrown.message;
}

test(
  "the result is in a private folder, named after the file, and is removed afterwards",
  { skip: isWindows },
  async () => {
    const converters = ofShell(`echo "$1" > "$2"; umask 0; chmod 444 "$2"`);
    const path = file("own/a $(touch x) `b`;'\n\" &{out}.foo", "");
    const seen = await converters.convert(path, request(), async (result) => {
      assert.match(result, /\/a __touch x_ _b_____ __out_\.stl$/);
      assert.deepEqual(readdirSync(dirname(result)).length, 1);
      return { result, text: readFileSync(result, "utf8") };
    });
    assert.equal(seen.text, `${path}\n`);
    assert.deepEqual(readdirSync(dirname(path)).length, 1);
    assert.equal(existsSync(dirname(seen.result)), false);
  },
);

test("names of any length and kind become names that the system accepts", { skip: isWindows }, async () => {
  const converters = ofShell(`echo > "$2"`);
  for (const name of ["雪".repeat(80), "..", "-", "𠀋".repeat(60), "a.prt"]) {
    await converters.convert(file(`names/${name}.foo`, ""), request(), async (result) => assert.ok(existsSync(result)));
  }
});

test(
  "an error while the result is used names the original file, and the result is removed",
  { skip: isWindows },
  async () => {
    const path = input("");
    const work = ofShell(`echo > "$2"`).convert(path, request(), async (result) => {
      throw new ApiError("OPERATION_FAILED", `Cannot read ${JSON.stringify(result)}: it is empty.`);
    });
    await assert.rejects(work, {
      code: "OPERATION_FAILED",
      message: `Cannot read the .stl that the converter "sh" made of ${JSON.stringify(path)}: it is empty.`,
    });
    assert.deepEqual(leftOver(), []);
  },
);

test(
  "the error for a failed program has its status and its last words, cleaned and bounded",
  { skip: isWindows },
  async () => {
    const failing = ofShell(`printf "a\\007\\033[31mred\\n\\342\\200\\256end" >&2; exit 3`);
    const message = await refused(
      failing,
      input(""),
      /the converter "sh" ended with status 3; it said: a red end\. Check/,
    );
    assert.doesNotMatch(message, /[\p{Cc}\p{Cf}]/u);
    await refused(ofShell("kill -9 $$"), input(""), /was ended by SIGKILL\. Check/);
    await refused(ofShell("true"), input(""), /made no \.stl file in place of \{out\}\. Check/);
    await refused(
      newConverters(command("no-such-program")),
      input(""),
      /"no-such-program" cannot be started: there is no such/,
    );
    await refused(
      newConverters(command(file("converter.sh", ""))),
      input(""),
      /"converter.sh" cannot be started: it may not be executed/,
    );
    const long = await refused(
      ofShell("yes 1234567 | head -c 3000000 >&2; echo last >&2; exit 1"),
      input(""),
      /… ?\d.* last\. Check/,
    );
    assert.ok(long.length < 1000, `${long.length} characters`);
  },
);

test("a missing file or a folder is refused before any program runs", async () => {
  const path = input("");
  await refused(ofShell("true"), join(dirname(path), "none.foo"), /Cannot read .*does not exist/);
  const folder = join(dirname(path), "folder.foo");
  mkdirSync(folder);
  await refused(ofShell("true"), folder, /not a regular file/);
});

test("a program that takes too long is killed, with the processes that it started", { skip: isWindows }, async () => {
  const path = input("");
  const hanging = ofShell(`sleep 100 & echo $! > "$1.pid"; sleep 100`, { timeoutMs: 50 });
  await refused(hanging, path, /had not ended after 0.05 s/);
  const child = Number(readFileSync(`${path}.pid`, "utf8"));
  await until("the child has ended", () => !isRunning(child, (status) => readFileSync(status, "utf8")));
});

test("processes that a program leaves running at its end are killed", { skip: isWindows }, async () => {
  const path = input("");
  await ofShell(`sleep 100 & echo $! > "$1.pid"; echo > "$2"`).convert(path, request(), async () => {
    const child = Number(readFileSync(`${path}.pid`, "utf8"));
    await until("the child has ended", () => !isRunning(child, (status) => readFileSync(status, "utf8")));
  });
});

test("a program that writes too much is killed", { skip: isWindows }, async () => {
  const limits = { maxBytes: 2 ** 20 };
  await refused(ofShell(`mkdir d; yes > d/x`, limits), input(""), /wrote more than 1048576 bytes/);
  await refused(ofShell(`head -c 1048577 /dev/zero > "$2"`, limits), input(""), /wrote more than 1048576 bytes/);
});

test("a cancel ends a program and leaves nothing, also while it waits for its turn", { skip: isWindows }, async () => {
  const converters = ofShell(`echo $$ > "$1.pid"; sleep 100`, {}, newConversionRunner(1));
  const [cancelling, other] = [new AbortController(), new AbortController()];
  const path = input("");
  const shares: number[] = [];
  const first = converters.convert(
    path,
    request(cancelling.signal, (share) => shares.push(share)),
    async () => {},
  );
  await until("it runs and reports", () => existsSync(`${path}.pid`) && shares.length > 1);
  const waiting = input("");
  const second = converters.convert(waiting, request(other.signal), async () => {});
  other.abort();
  await assert.rejects(second, CancelledError);
  assert.equal(existsSync(`${waiting}.pid`), false);
  cancelling.abort();
  await assert.rejects(first, CancelledError);
  assert.deepEqual(leftOver(), []);
  assert.ok(shares.every((share, i) => share > (shares[i - 1] ?? 0) && share < 1));
});

test("no more programs than the limit run at once", { skip: isWindows }, async () => {
  const log = join(dirname(input("")), "log");
  const turns = `basename "$1" >> "${log}"; sleep 0.02; echo end >> "${log}"; echo > "$2"`;
  const converters = ofShell(turns, {}, newConversionRunner(1));
  const paths = ["a", "b", "c"].map((name) => file(`turns/${name}.foo`, ""));
  await Promise.all(paths.map((path) => converters.convert(path, request(), async () => {})));
  const lines = readFileSync(log, "utf8").trim().split("\n");
  assert.match(lines.join(" "), /^(\w\.foo end ?){3}$/);
  assert.deepEqual(lines.toSorted(), ["a.foo", "b.foo", "c.foo", "end", "end", "end"]);
});

test("closing ends running programs and refuses new ones", { skip: isWindows }, async () => {
  const runner = newConversionRunner();
  const converters = ofShell("sleep 100", {}, runner);
  const work = converters.convert(input(""), request(), async () => {}).catch((thrown: unknown) => thrown);
  await until("its folder is there", () => leftOver().length > 0);
  await runner.close();
  assert.deepEqual(leftOver(), []);
  assert.ok((await work) instanceof CancelledError);
  await assert.rejects(
    converters.convert(input(""), request(), async () => {}),
    CancelledError,
  );
});

test("the folders of killed servers are removed, those of running servers stay", async () => {
  const folder = (pid: number, host = HOST): string =>
    join(tmpdir(), `printwright-convert-${host}-${pid}-test${process.pid}`);
  // No system gives a process this number.
  const [stale, own, foreign] = [folder(2 ** 30), folder(process.ppid), folder(2 ** 30, "zzzz")];
  for (const path of [stale, own, foreign]) mkdirSync(path);
  utimesSync(stale, 0, 0);
  try {
    newConversionRunner();
    await until("the stale one is gone", () => !existsSync(stale));
    assert.ok(existsSync(own) && existsSync(foreign));
  } finally {
    for (const path of [own, foreign]) rmdirSync(path);
  }
});
