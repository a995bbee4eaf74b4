import assert from "node:assert/strict";
import { test } from "node:test";
import { printerTypes } from "../../src/catalog/catalog.ts";
import { deviceVariant } from "../../src/printer/device.ts";

test("the maker's machines have the family in their label; the others have none", () => {
  for (const printerType of printerTypes()) {
    const [, generation] = /^Form (\d)/.exec(printerType.label) ?? [];
    const expected =
      generation !== undefined
        ? `resin family ${generation}`
        : printerType.label.startsWith("Fuse")
          ? "powder"
          : "generic";
    assert.equal(deviceVariant(printerType), expected, printerType.label);
  }
});
