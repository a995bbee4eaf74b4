import assert from "node:assert/strict";
import { test } from "node:test";
import { parsePrinterUrl, urlKey } from "../../src/printer/known-printers.ts";

test("the URL of a printer has a protocol, a host and optionally a port", () => {
  assert.deepEqual(parsePrinterUrl("sdcp://192.168.1.7"), { protocol: "sdcp", host: "192.168.1.7", port: undefined });
  assert.deepEqual(parsePrinterUrl("prusalink://sl1s.local:8000/"), {
    protocol: "prusalink",
    host: "sl1s.local",
    port: 8000,
  });
  assert.deepEqual(parsePrinterUrl("preform://shop"), { protocol: "preform", host: "shop", port: undefined });
  assert.deepEqual(parsePrinterUrl("odyssey://[fe80::1]"), { protocol: "odyssey", host: "fe80::1", port: undefined });
});

test("an https URL has a different default port, and is a different printer than the plain URL", () => {
  const secure = parsePrinterUrl("prusalink+https://sl1s.local");
  assert.deepEqual(secure, { protocol: "prusalink", host: "sl1s.local", port: undefined, isSecure: true });
  assert.notEqual(urlKey(secure), urlKey(parsePrinterUrl("prusalink://sl1s.local")));
});

const WRONG: readonly (readonly [string, RegExp])[] = [
  ["192.168.1.7", /sdcp:\/\/HOST/],
  ["http://192.168.1.7", /sdcp:\/\/HOST/],
  ["sdcp+https://a", /sdcp:\/\/HOST/],
  ["sdcp://", /sdcp:\/\/HOST/],
  ["prusalink://maker:secret@sl1", /printers file/],
  ["odyssey://pi/print", /ends after its host/],
  ["odyssey://pi?x=1", /ends after its host/],
];

test("other URLs are refused, and credentials are not repeated", () => {
  for (const [text, message] of WRONG)
    assert.throws(() => parsePrinterUrl(text), { code: "INPUT_ERROR", message }, text);
  assert.throws(
    () => parsePrinterUrl("prusalink://maker:secret@sl1"),
    (error: Error) => !error.message.includes("secret"),
  );
});
