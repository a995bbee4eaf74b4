import assert from "node:assert/strict";
import { test } from "node:test";
import { noProgress } from "../../src/core/progress.ts";
import { parseFloat32 } from "../../src/codec/parse-float32.ts";
import { TextBuffer, words } from "../../src/codec/text-buffer.ts";
import { randomFrom } from "../fixture/random.ts";

const WORDS = words("<", " ", " ", ">");

/** The texts of chunks, each of which reuses the memory of the one before. */
const decoded = (chunks: Iterable<Uint8Array>): string[] =>
  Array.from(chunks, (chunk) => new TextDecoder().decode(chunk));

/** The texts that represent numbers in single precision. */
function textsOf(values: Float32Array): string[] {
  const buffer = new TextBuffer(values.length / 3, noProgress);
  const chunks = decoded(buffer.floats(WORDS, values));
  return [...chunks, ...decoded([buffer.end()])].join("").slice(1, -1).split(/ |></);
}

test("numbers in single precision are read back the same, from as few digits as possible", () => {
  const random = randomFrom(1);
  const bits = Uint32Array.from({ length: 20_001 }, () => random() * 2 ** 32);
  const ofAnySize = new Float32Array(bits.buffer).map((value) => (Number.isFinite(value) ? value : 0));
  const ofParts = Float32Array.from({ length: 20_001 }, () => (random() - 0.5) * 10 ** (6 * random() - 3));
  const tidy = Float32Array.from({ length: 20_001 }, () => Math.round((random() - 0.5) * 1e6) / 10 ** (6 * random()));
  for (const values of [ofAnySize, ofParts, tidy]) {
    const texts = textsOf(values);
    assert.equal(texts.length, values.length);
    for (const [i, text] of texts.entries()) {
      const value = values[i] + 0;
      assert.match(text, /^-?\d+(\.\d+)?(e[+-]\d+)?$/);
      assert.equal(Math.fround(Number(text)), value, text);
      const bytes = new TextEncoder().encode(text);
      assert.equal(parseFloat32(bytes, 0, bytes.length), value, text);
      // With one digit less it would be another number.
      const places = /\.(\d+)$/.exec(text)?.[1].length ?? 0;
      if (places > 0) assert.notEqual(Math.fround(Number(value.toFixed(places - 1))), value, text);
    }
  }
});

test("numbers are written as people write them", () => {
  const values = Float32Array.of(0, -0, 0.1, -12.5, 1 / 3, 100_000, 1e-7, 16_777_216, -0.000_123);
  assert.deepEqual(textsOf(values), [
    "0",
    "0",
    "0.1",
    "-12.5",
    "0.33333334",
    "100000",
    "1e-7",
    "16777216",
    "-0.000123",
  ]);
});

test("whole numbers and text keep their order across chunks", () => {
  const shares: number[] = [];
  const progress = { ...noProgress, report: (share: number) => void shares.push(share) };
  const numbers = Uint32Array.from({ length: 300_000 }, (_, i) => i * 9973);
  const buffer = new TextBuffer(numbers.length / 3, progress);
  const chunks = [
    ...decoded(buffer.text("ä\n")),
    ...decoded(buffer.integers(WORDS, numbers, 1)),
    ...decoded([buffer.end()]),
  ];
  assert.ok(chunks.length > 1);
  const expected = Array.from({ length: numbers.length / 3 }, (_, i) => {
    const [a, b, c] = numbers.subarray(3 * i, 3 * i + 3);
    return `<${a + 1} ${b + 1} ${c + 1}>`;
  });
  assert.equal(chunks.join(""), `ä\n${expected.join("")}`);
  assert.equal(shares.length, chunks.length);
  assert.deepEqual([...shares, 1], [...shares.filter((share, i) => share > (shares[i - 1] ?? 0)), 1]);
  assert.equal(shares.at(-1), 1);
});
