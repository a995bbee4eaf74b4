import assert from "node:assert/strict";
import { test } from "node:test";
import { readArguments } from "../../src/arguments.ts";
import { call } from "../fixture/client.ts";
import { startPrintwright } from "../fixture/printwright.ts";

test("--host localhost, a name for loopback, does not bind the same port twice", async () => {
  const printwright = await startPrintwright(["--host", "localhost", "--allow-host", "shop"]);
  assert.equal((await call(printwright.port, "GET", "/v1/", undefined, { headers: { Host: "shop" } })).status, 200);
  assert.equal(await printwright.stop(), 0);
});

test("--allow-host accepts a name with its port, as the error shows it, and a bare IPv6 address", () => {
  const command = readArguments(["--port", "0", "--allow-host", "NAS.local:4000", "--allow-host", "fd00::5"]);
  assert.ok(command.kind === "serve");
  assert.deepEqual(command.args.allowedHosts, ["nas.local", "[fd00::5]"]);
});

test("--allow-host rejects a value that is not a host", () => {
  for (const name of ["", "http://x", "a b", "x/y"]) {
    assert.equal(readArguments(["--port", "0", "--allow-host", name]).kind, "wrong", name);
  }
});
