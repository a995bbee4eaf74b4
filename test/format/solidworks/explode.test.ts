import assert from "node:assert/strict";
import { Buffer } from "node:buffer";
import { test } from "node:test";
import { explode as explodeOfPeer, implode } from "node-pkware/simple";
import { ApiError, operationFailed } from "../../../src/core/api-error.ts";
import { explode, isImploded } from "../../../src/format/solidworks/explode.ts";
import { slowRuns } from "../../fixture/long.ts";
import { BYTE_MUTATIONS, mutated } from "../../fixture/mutated.ts";
import { fc } from "../../fixture/property.ts";
import { randomFrom } from "../../fixture/random.ts";

const MAX_BYTES = 1 << 20;
const exploded = (bytes: Uint8Array): Uint8Array => explode(bytes, MAX_BYTES, operationFailed);
const imploded = (bytes: Uint8Array, kind: "ascii" | "binary", dictionary: "small" | "medium" | "large"): Uint8Array =>
  new Uint8Array(implode(Uint8Array.from(bytes).buffer, kind, dictionary));

function readsBack(packed: Uint8Array, bytes: Uint8Array): boolean {
  try {
    return Buffer.from(explodeOfPeer(Uint8Array.from(packed).buffer)).equals(bytes);
  } catch {
    return false;
  }
}

test("the example in the description of the format is exploded", () => {
  // B. Rudiak-Gould, comp.compression, 13 August 2001.
  const bytes = Uint8Array.of(0x00, 0x04, 0x82, 0x24, 0x25, 0x8f, 0x80, 0x7f);
  assert.ok(isImploded(bytes));
  assert.equal(Buffer.from(exploded(bytes)).toString("latin1"), "AIAIAIAIAIAIA");
});

test("data that another program imploded is exploded to the original, with and without codes for literals", () => {
  const kinds = fc.constantFrom("ascii" as const, "binary" as const);
  const sizes = fc.constantFrom("small" as const, "medium" as const, "large" as const);
  const words = fc.array(fc.constantFrom("strip ", "face 17 ", "\0\0\0\u0001", "é", "Z".repeat(600)), {
    maxLength: 300,
  });
  fc.assert(
    fc.property(kinds, sizes, words, (kind, size, texts) => {
      const bytes = Buffer.from(`${texts.join("")}.`, "latin1");
      const packed = imploded(bytes, kind, size);
      // The peer encodes some short texts in a way that it cannot read itself.
      fc.pre(readsBack(packed, bytes));
      assert.deepEqual(Buffer.from(exploded(packed)), bytes);
    }),
    { numRuns: slowRuns(200) },
  );
});

test("damaged data is refused or explodes to something else, within the bound", () => {
  const random = randomFrom(519);
  const whole = imploded(Buffer.from("the quick brown fox ".repeat(50)), "ascii", "large");
  for (let i = 0; i < slowRuns(4000); i++) {
    try {
      assert.ok(exploded(mutated(whole, BYTE_MUTATIONS, random)).length <= MAX_BYTES);
    } catch (thrown) {
      assert.ok(thrown instanceof ApiError, String(thrown));
    }
  }
});

test("data that would exceed the bound is refused", () => {
  const zeros = imploded(Buffer.alloc(5000), "binary", "large");
  assert.equal(explode(zeros, 5000, operationFailed).length, 5000);
  assert.throws(() => explode(zeros, 4999, operationFailed), { code: "OPERATION_FAILED", message: /4999 bytes/ });
});
