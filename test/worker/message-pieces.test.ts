import assert from "node:assert/strict";
import { test } from "node:test";
import { type Piece, newAssembly, sendPieces } from "../../src/worker/message-pieces.ts";

/** Sends a value in copied pieces as to another thread: the received value, and the number of entries in each piece. */
function sent(value: unknown): { readonly arrived: unknown; readonly sizes: number[] } {
  const pieces: Piece[] = [];
  const steps = sendPieces(value, (piece) => pieces.push(structuredClone(piece)));
  let yields = 0;
  for (let next = steps.next(); ; next = steps.next(), yields++) {
    assert.equal(pieces.length, next.done ? yields : yields + 1, "each piece ends a step");
    if (!next.done) continue;
    const assembly = newAssembly();
    for (const piece of pieces) assembly.add(piece);
    return {
      arrived: assembly.finish(structuredClone(next.value)),
      sizes: pieces.map(({ entries }) => entries.length),
    };
  }
}

const partsOf = (count: number) =>
  Array.from({ length: count }, (_, i) => ({
    name: `part ${i}`,
    index: i % 3 === 0 ? undefined : i,
    nothing: null,
    outline: { hullXy: Float64Array.of(i, -i), box: { min: [0, 0, i] } },
    corners: [i, i + 1],
  }));

test("values with long lists arrive as they were, in pieces of few entries", () => {
  for (const value of [
    { unit: 1, parts: partsOf(1000) },
    partsOf(500),
    { name: "x", scenes: [{ models: partsOf(300), name: "a" }, { models: [] }, { models: partsOf(129) }] },
    { outlines: [partsOf(200), partsOf(3)], document: { scenes: [{ models: partsOf(200) }] } },
  ]) {
    const { arrived, sizes } = sent(value);
    assert.deepEqual(arrived, value);
    assert.ok(sizes.length > 1 && sizes.every((size) => size <= 128), `pieces of ${sizes.join()} entries`);
  }
});

test("objects that entries share arrive once, also across lists and pieces", () => {
  const mesh = { hash: "a", vertices: Float32Array.of(1, 2, 3) };
  const copies = Array.from({ length: 700 }, (_, i) => ({ mesh, place: i }));
  const { arrived } = sent({ copies, more: copies.slice(0, 200) });
  const { copies: first, more } = arrived as { copies: { mesh: object }[]; more: { mesh: object }[] };
  assert.equal(new Set([...first, ...more].map((one) => one.mesh)).size, 1);
});

test("values without a long list of objects, and lists of numbers, texts and arrays, are one message", () => {
  const few = partsOf(127);
  for (const value of [
    undefined,
    null,
    7,
    "text",
    few,
    { few, again: few },
    { ids: Array(1000).fill("id"), rows: Array.from({ length: 1000 }, () => [1, 2]) },
    new Map([["a", few]]),
    Array.from({ length: 1000 }, () => Float32Array.of(1)),
  ]) {
    const whole = sendPieces(value, () => assert.fail("a piece"));
    const { done, value: remainder } = whole.next();
    assert.ok(done && remainder.value === value && remainder.paths.length === 0);
  }
});

test("keys of clients cannot be confused with a place in a list", () => {
  const document = { 0: "zero", paths: ["a"], plain: {}, objects: { mesh: 0 }, __proto__: null };
  const value = { scenes: [{ document: JSON.parse(JSON.stringify(document)), models: partsOf(150) }] };
  assert.deepEqual(sent(value).arrived, value);
});
