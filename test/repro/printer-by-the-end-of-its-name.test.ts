import assert from "node:assert/strict";
import { test } from "node:test";
import { findPrinters } from "../../src/command/choose-setting.ts";

// "M5s" was ambiguous because of the M5s Pro, and for "Photon M5s" the message listed all printers of the maker.

const idsOf = (text: string): string[] => findPrinters(text).map(({ machineType }) => machineType);

test("a printer is called by the end of its name", () => {
  assert.deepEqual(idsOf("M5s"), ["ANYCUBIC-M5S"]);
  assert.deepEqual(idsOf(" mono m7 "), ["ANYCUBIC-M7"]);
  assert.deepEqual(idsOf("m7 pro"), ["ANYCUBIC-M7P"]);
  assert.throws(() => idsOf("Pro"), /several are called "Pro"/);
});

test("a name without a match lists the printers that have its words, and names the option for printers of one's own", () => {
  assert.throws(
    () => idsOf("Photon M5s"),
    /none is called "Photon M5s"\. The choices:\n {2}ANYCUBIC-M5SP \(.*\)\n {2}ANYCUBIC-M5S \(.*\)\n.*--machines FILE$/,
  );
  assert.throws(() => idsOf("Acme Giga 8K"), /and \d+ more\nA printer of your own .*--machines FILE$/);
});
