import assert from "node:assert/strict";
import process from "node:process";
import { test } from "node:test";
import { isDeno } from "../fixture/printwright.ts";
import { parseFolderUrl, parseGivenPrinter, parsePrinterUrl, urlKey } from "../../src/printer/known-printers.ts";

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
  assert.equal(parsePrinterUrl("nanodlp+https://athena.local").protocol, "nanodlp");
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
  ["nanodlp://pi/plates", /ends after its host/],
  ["nanodlp://pi?profile=1", /nothing but machine_type may follow/],
  ["nanodlp://pi?machine_type=PRUSA-SL1", /nanodlp:\/\/ take no jobs of PRUSA-SL1/],
  ["folder:jobs", /folder:\/\/\/media\/usb/],
  ["folder:///media/usb#1", /has a #/],
  ["folder:///media/usb?name=x", /nothing but machine_type may follow/],
  ["folder:///media/usb?machine_type=NONE-1", /no machine type is called "NONE-1"/],
  ["folder:///media/usb?machine_type=FORM-4-0", /folder:\/\/ take no jobs of FORM-4-0/],
  ["folder:///media%2Fusb", /folder:\/\/\/media\/usb/],
  ...(process.platform === "win32" ? [] : [["folder://media/usb", /three slashes/] as const]),
];

test(
  "the URL of a folder has its path with percent escapes, and its machine type",
  { skip: process.platform === "win32" },
  () => {
    const known = parsePrinterUrl("folder:///media/My%20stick%3F/?machine_type=ANYCUBIC-M5S");
    assert.deepEqual(known, { protocol: "folder", host: "/media/My stick?", machineType: "ANYCUBIC-M5S" });
    assert.equal(parsePrinterUrl("FOLDER:///media/My stick/").host, "/media/My stick");
    assert.equal(parsePrinterUrl("folder:///").host, "/");
    assert.equal(urlKey(known), urlKey(parsePrinterUrl("folder:///media/My%20stick%3F")));
    assert.throws(() => parseGivenPrinter("folder:///media/usb"), {
      code: "INPUT_ERROR",
      message:
        /--printer folder:\/\/\/media\/usb: printers of folder:\/\/ do not report their machine: give it as machine_type/,
    });
    assert.equal(parseGivenPrinter("odyssey://pi").host, "pi");
  },
);

test("other URLs are refused, and credentials are not repeated", () => {
  for (const [text, message] of WRONG)
    assert.throws(() => parsePrinterUrl(text), { code: "INPUT_ERROR", message }, text);
  assert.throws(
    () => parsePrinterUrl("prusalink://maker:secret@sl1"),
    (error: Error) => !error.message.includes("secret"),
  );
});

// Deno knows the paths of its own system alone.
test("on Windows, the URL of a folder has the letter of a disk, or a server and its share", { skip: isDeno }, () => {
  const paths = {
    "folder:///D:/jobs/": "D:\\jobs",
    "folder:///E:/": "E:\\",
    "folder://NAS/prints/my%20jobs?machine_type=ELEGOO-M5U": "\\\\nas\\prints\\my jobs",
  };
  for (const [url, path] of Object.entries(paths)) assert.equal(parseFolderUrl(url, true).host, path, url);
  assert.throws(() => parseFolderUrl("folder:///media/usb", true), { code: "INPUT_ERROR" });
});
