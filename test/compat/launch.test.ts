import assert from "node:assert/strict";
import { test } from "node:test";
import { readArguments } from "../../src/arguments.ts";
import { isCompatLaunch, untilTooMuch } from "../../src/compat/launch.ts";

const PLAIN = { argv0: "printwright", execPath: "/opt/printwright", env: {} };

test("the 0.9 interface is switched on by the name of the executable or of a link to it, on any system, or by a variable", () => {
  for (const launch of [
    { argv0: "/opt/PreFormServer" },
    { argv0: "PreFormServer" },
    { execPath: "/apps/PreFormServer" },
    { execPath: "C:\\Apps\\PreFormServer.exe" },
    { argv0: "preformserver.EXE" },
    { env: { PRINTWRIGHT_COMPAT: "0.9" } },
  ]) {
    assert.equal(isCompatLaunch({ ...PLAIN, ...launch }), true, JSON.stringify(launch));
  }
  for (const launch of [
    {},
    { argv0: "PreFormServer-old" },
    { argv0: "/PreFormServer/printwright" },
    { env: { PRINTWRIGHT_COMPAT: "" } },
    { env: { PRINTWRIGHT_COMPAT: "1.0" } },
  ]) {
    assert.equal(isCompatLaunch({ ...PLAIN, ...launch }), false, JSON.stringify(launch));
  }
});

test("the 0.9 interface is off by default, and the option for the number of scenes is accepted with and without it", () => {
  const compatOf = (argv: readonly string[], byName = false) => {
    const command = readArguments(["--port", "0", ...argv], byName);
    assert.equal(command.kind, "serve");
    return command.kind === "serve" ? command.args.compat : undefined;
  };
  assert.equal(compatOf([]), undefined);
  assert.equal(compatOf(["--scene-cache-size", "7"]), undefined);
  assert.deepEqual(compatOf(["--compat-0.9"]), { sceneCacheSize: 100, builtInPrinters: { jobFolder: undefined } });
  const named = ["--virtual-printer", "FORM-4-0", "--job-dir", "/tmp"];
  assert.equal(compatOf(["--compat-0.9", ...named])?.builtInPrinters, undefined);
  assert.equal(compatOf(["--scene-cache-size", "7"], true)?.sceneCacheSize, 7);
  for (const wrong of ["0", "-1", "many"])
    assert.equal(readArguments(["--port", "0", `--scene-cache-size=${wrong}`]).kind, "wrong");
});

test("errors are printed up to the amount that a pipe holds, and no further", () => {
  const printed: string[] = [];
  const print = untilTooMuch((text) => printed.push(text), 20);
  for (const text of ["first", "second", "third that is too long", "f", new Error("of any kind")]) print(text);
  assert.deepEqual(printed, ["first", "second"]);
});
