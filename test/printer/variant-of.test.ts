import assert from "node:assert/strict";
import { test } from "node:test";
import { CATALOG } from "../../src/catalog/catalog.ts";
import { variantOf } from "../../src/printer/variant-of.ts";

test("the maker's machines have a family, of which their labels tell; the others have none", () => {
  for (const { printerType } of CATALOG) {
    const [, generation] = /^Form (\d)/.exec(printerType.label) ?? [];
    const expected =
      generation !== undefined
        ? `resin family ${generation}`
        : printerType.label.startsWith("Fuse")
          ? "powder"
          : "generic";
    assert.equal(variantOf(printerType), expected, printerType.label);
  }
});
