import assert from "node:assert/strict";
import { existsSync, readFileSync, readdirSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, dirname } from "node:path";
import process from "node:process";
import { test } from "node:test";
import type { ConverterLimits } from "../../src/convert/converters.ts";
import { type JobConverters, newJobConverters } from "../../src/convert/job-converters.ts";
import { newConversionRunner } from "../../src/convert/conversion-runner.ts";
import { parseJobConverters } from "../../src/convert/parse-converters.ts";
import { ApiError } from "../../src/core/api-error.ts";
import { CancelledError } from "../../src/core/progress.ts";
import { HOST } from "../../src/core/temporary-file.ts";
import { isRunning } from "../fixture/converter-script.ts";
import { temporaryFiles } from "../fixture/temporary-files.ts";
import { until } from "../fixture/until.ts";

const POSIX = { skip: process.platform === "win32" && "needs a shell and process groups" };
const file = temporaryFiles();
const ofShell = (text: string, limits?: ConverterLimits): JobConverters =>
  newJobConverters(parseJobConverters([`ctb=sh -c '${text}' sh {in} {out}`]), newConversionRunner(), limits);
const JOB = { name: "Räder 3/4", printerLabel: "Acme Air", extension: ".ctb", readableExtension: ".sl1" };
const request = (signal = new AbortController().signal) => ({ signal, report: () => {} });
const write = async (readable: string): Promise<string> => {
  writeFileSync(readable, "layers");
  return "totals";
};
const leftOver = (): string[] =>
  readdirSync(tmpdir()).filter((name) => name.startsWith(`printwright-convert-${HOST}-${process.pid}-`));

async function refused(converters: JobConverters, message: RegExp): Promise<void> {
  const work = converters.convert(JOB, request(), write, async () => assert.fail("its result was used"));
  await assert.rejects(work, { code: "OPERATION_FAILED", message });
  assert.deepEqual(leftOver(), []);
}

test(
  "the result of a readable job has the extension of the machine, and both are removed afterwards",
  POSIX,
  async () => {
    const converters = ofShell(`(cat "$1"; echo " encrypted") > "$2"`);
    const seen = await converters.convert(JOB, request(), write, async (result, readable, written) => {
      assert.equal(basename(result), "Räder 3_4.ctb");
      assert.match(basename(readable), /^Räder 3_4.*\.sl1$/);
      assert.equal(dirname(result), dirname(readable));
      return { result, text: readFileSync(result, "utf8"), written };
    });
    assert.deepEqual([seen.text, seen.written], ["layers encrypted\n", "totals"]);
    assert.equal(existsSync(dirname(seen.result)), false);
  },
);

test("without a program for its jobs a machine is refused, with the way out", () => {
  const converters = newJobConverters(parseJobConverters(["ctb=x {in} {out}"]));
  converters.require(".ctb", "Acme Air");
  assert.throws(() => converters.require(".prz", "Acme Air"), {
    code: "OPERATION_FAILED",
    message: /Acme Air takes \.prz files .*--job-converter "prz=COMMAND \{in\} \{out\}"/,
  });
});

test("a program that fails, makes nothing, or an empty file, is told in its words", POSIX, async () => {
  await refused(
    ofShell(`echo no key >&2; exit 3`),
    /Cannot make the \.ctb file of the job: the converter "sh" ended with status 3; it said: no key\. Check the command of --job-converter for \.ctb/,
  );
  await refused(ofShell(`true`), /made no file in place of \{out\}/);
  await refused(ofShell(`mkdir "$2"`), /made no file in place of \{out\}/);
  await refused(ofShell(`: > "$2"`), /made an empty file/);
  await refused(ofShell(`head -c 2000 /dev/zero > "$2"`, { maxBytes: 1000 }), /wrote more than 1000 bytes/);
});

test("an error of writing the readable job is passed on, and no program runs", POSIX, async () => {
  const log = file("log", "");
  const converters = ofShell(`echo ran >> "${log}"`);
  const failing = async (): Promise<void> => {
    throw new CancelledError();
  };
  await assert.rejects(
    converters.convert(JOB, request(), failing, async () => {}),
    CancelledError,
  );
  assert.equal(readFileSync(log, "utf8"), "");
  assert.deepEqual(leftOver(), []);
});

test("an error about the result names the program instead of a path that nobody knows", POSIX, async () => {
  const work = ofShell(`echo x > "$2"`).convert(JOB, request(), write, async (result) => {
    throw new ApiError("OPERATION_FAILED", `Cannot read ${JSON.stringify(result)}: it is damaged.`);
  });
  await assert.rejects(work, { message: 'Cannot read the .ctb that the converter "sh" made: it is damaged.' });
});

test("a cancel kills the program and what it started, and leaves nothing", POSIX, async () => {
  const pid = file("pid", "");
  const cancelling = new AbortController();
  const work = ofShell(`sleep 100 & echo $! > "${pid}"; sleep 100`).convert(
    JOB,
    request(cancelling.signal),
    write,
    async () => assert.fail("its result was used"),
  );
  await until("it runs", () => readFileSync(pid, "utf8") !== "");
  cancelling.abort();
  await assert.rejects(work, CancelledError);
  const child = Number(readFileSync(pid, "utf8"));
  await until("the child has ended", () => !isRunning(child, (status) => readFileSync(status, "utf8")));
  assert.deepEqual(leftOver(), []);
});

test("the command of a job converter has {in} and {out} once, without an extension", () => {
  assert.deepEqual(parseJobConverters([".CTB = UVtoolsCmd convert {in} ctb --to={out}"]), [
    { extension: "ctb", command: ["UVtoolsCmd", "convert", "{in}", "ctb", "--to={out}"] },
  ]);
  for (const [text, message] of [
    ["ctb=x {in}", /\{out\}.* must be there once/],
    ["ctb=x {in} {out} {out}", /\{out\}.* must be there once/],
    ["ctb=x {in} {out}{out}", /\{out\}.* must be there once/],
    ["ctb=x {in} {out}.ctb", /\{out\} has the extension already/],
    ["ctb=x {out}", /\{in\}.*is missing/],
    ["x {in} {out}", /does not begin with an extension/],
  ] as const) {
    assert.throws(() => parseJobConverters([text]), { code: "INPUT_ERROR", message });
  }
  assert.throws(() => parseJobConverters(["ctb=x {in} {out}", "CTB=y {in} {out}"]), {
    message: "--job-converter is given twice for .ctb: leave one out",
  });
});
