import assert from "node:assert/strict";
import { test } from "node:test";
import { fc } from "../fixture/property.ts";
import { codeScratchBytes } from "../../src/job/layer-kernel.ts";
import { WASM } from "../../src/job/layer-kernel.wasm.ts";
import { kernelInstance, kernelMemory } from "../../src/wasm/kernel.ts";

const MAX_SYMBOLS = 286;

const sizes = { counts: 4 * MAX_SYMBOLS, lengths: MAX_SYMBOLS, scratch: codeScratchBytes(MAX_SYMBOLS) };
const { memory, offsets } = kernelMemory(sizes, "never");

/** The exports of the kernel that this test calls. */
interface CodeKernel {
  setCodeLengths(counts: number, symbols: number, limit: number, lengths: number): void;
}

const kernel = kernelInstance<CodeKernel>({ name: "layer-kernel", wasm: WASM }, memory, { scratch: offsets.scratch });

/** The lengths of a code for these counts, as `huffman-code.as.ts` computes them. */
function codeLengths(counts: Uint32Array, limit: number): Uint8Array {
  new Uint32Array(memory.buffer, offsets.counts).set(counts);
  kernel.setCodeLengths(offsets.counts, counts.length, limit, offsets.lengths);
  return new Uint8Array(memory.buffer, offsets.lengths, counts.length).slice();
}

const someCounts = fc
  .array(fc.oneof(fc.integer({ min: 0, max: 9 }), fc.integer({ min: 0, max: 2 ** 24 })), {
    minLength: 2,
    maxLength: 286,
  })
  .filter((counts) => counts.filter((count) => count > 0).length > 1)
  .map((counts) => Uint32Array.from(counts));

const kraftSum = (lengths: Uint8Array): number =>
  lengths.reduce((sum, length) => sum + (length > 0 ? 2 ** -length : 0), 0);

const bits = (counts: Uint32Array, lengths: Uint8Array): number =>
  counts.reduce((sum, count, symbol) => sum + count * lengths[symbol], 0);

/** Length in bits by Huffman's algorithm, which joins the two lightest nodes until one is left. */
function huffmanBits(counts: Uint32Array): number {
  const weights = [...counts].filter((count) => count > 0);
  let total = 0;
  while (weights.length > 1) {
    weights.sort((a, b) => a - b);
    const joined = weights.shift()! + weights.shift()!;
    total += joined;
    weights.push(joined);
  }
  return total;
}

test("a code is complete, and exactly the symbols that occur have lengths, within the limit", () => {
  fc.assert(
    fc.property(someCounts, (counts) => {
      const lengths = codeLengths(counts, 15);
      assert.equal(kraftSum(lengths), 1);
      for (const [symbol, count] of counts.entries()) assert.equal(lengths[symbol] > 0, count > 0);
      assert.ok(Math.max(...lengths) <= 15);
    }),
  );
});

test("a code below the limit is optimal", () => {
  fc.assert(
    fc.property(someCounts, (counts) => {
      assert.equal(bits(counts, codeLengths(counts, 60)), huffmanBits(counts));
    }),
  );
});

test("the limit costs little for counts that grow like Fibonacci numbers", () => {
  const counts = new Uint32Array(19).fill(1);
  for (let i = 2; i < counts.length; i++) counts[i] = counts[i - 1] + counts[i - 2];
  assert.equal(Math.max(...codeLengths(counts, 60)), 18);
  for (const limit of [7, 15]) {
    const lengths = codeLengths(counts, limit);
    assert.ok(Math.max(...lengths) <= limit);
    assert.equal(kraftSum(lengths), 1);
    assert.ok(bits(counts, lengths) < 1.02 * huffmanBits(counts));
  }
});
