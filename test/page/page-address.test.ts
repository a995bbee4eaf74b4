import assert from "node:assert/strict";
import { test } from "node:test";
import { type PageAddress, readAddress, writeAddress } from "../../src/page/state/page-address.ts";
import { fc } from "../fixture/property.ts";

test("an address keeps scene, step, layer and the first twenty selected models", () => {
  const addresses = fc.record(
    {
      scene: fc.uuid(),
      step: fc.constantFrom("parts", "lay out", "check"),
      layer: fc.integer({ min: 1, max: 20_000 }),
      selected: fc.array(fc.uuid(), { maxLength: 30 }),
    },
    { requiredKeys: ["selected"] },
  );
  fc.assert(
    fc.property(addresses, (address: PageAddress) => {
      const read = readAddress(writeAddress(address));
      assert.deepEqual(read, { ...address, selected: address.selected.slice(0, 20) });
    }),
  );
});

test("what is no address is ignored", () => {
  for (const hash of ["", "#", "#scene=", "#layer=0", "#layer=x", "#layer=1.5", "#sel=,", "#other=1&&"]) {
    assert.deepEqual(readAddress(hash), { selected: [] }, hash);
  }
});
