import assert from "node:assert/strict";
import { Buffer } from "node:buffer";
import { test } from "node:test";
import { CHECKPOINT, withCheckpoints } from "../../src/wasm/checkpoints.ts";

/** Ids and contents of sections. */
const moduleOf = (...sections: readonly (readonly [id: number, ...content: number[]])[]): Uint8Array =>
  Uint8Array.of(
    0,
    0x61,
    0x73,
    0x6d,
    1,
    0,
    0,
    0,
    ...sections.flatMap(([id, ...content]) => [id, content.length, ...content]),
  );
const body = (...code: number[]): number[] => [code.length, ...code];

/** Begins as many rounds as its argument says, and returns their number. */
const ROUNDS = body(...Buffer.from("01017f0340200141016a2101200041016b22000d000b20010b", "hex"));
/** Calls the import, and adds the results of `ROUNDS`, called by its index and by its place in the table. */
const BOTH = body(0, 0x10, 0, 0x20, 0, 0x10, 1, 0x20, 0, 0x41, 0, 0x11, 1, 0, 0x6a, 0x0b);
const newModule = (...codes: readonly number[][]): Uint8Array =>
  moduleOf(
    [1, 2, 0x60, 0, 0, 0x60, 1, 0x7f, 1, 0x7f],
    [2, 1, 1, 0x6d, 1, 0x66, 0, 0],
    [3, codes.length, ...codes.map(() => 1)],
    [4, 1, 0x70, 0, 1],
    [6, 1, 0x7f, 1, 0x41, 0, 0x0b],
    [7, 1, 1, 0x72, 0, codes.length],
    [9, 1, 0, 0x41, 0, 0x0b, 1, 1],
    [10, codes.length, ...codes.flat()],
  );

async function instantiated(module: Uint8Array, pass: () => void, f: () => void): Promise<(rounds: number) => number> {
  const imports = { m: { f }, [CHECKPOINT.module]: { [CHECKPOINT.name]: pass } };
  const { instance } = await WebAssembly.instantiate(Uint8Array.from(module), imports);
  return instance.exports.r as (rounds: number) => number;
}

test("a rewritten module computes the same, and calls the checkpoint after each given number of rounds", async () => {
  const counts = { passes: 0, calls: 0 };
  const run = await instantiated(
    withCheckpoints(newModule(ROUNDS, BOTH), 1000),
    () => counts.passes++,
    () => counts.calls++,
  );
  assert.equal(run(70_500), 141_000);
  assert.deepEqual(counts, { passes: 141, calls: 1 });
});

test("an error thrown in the checkpoint ends an endless loop", async () => {
  const endless = body(0, 0x03, 0x40, 0x0c, 0, 0x0b, 0x20, 0, 0x0b);
  let passes = 0;
  const pass = (): void => {
    if (++passes === 3) throw new Error("enough");
  };
  const run = await instantiated(withCheckpoints(newModule(endless), 65_536), pass, () => undefined);
  assert.throws(() => run(1), /enough/);
});

test("modules with unknown features are refused", () => {
  const vector = body(0, 0xfd, 12, ...Array.from({ length: 16 }, () => 0), 0x1a, 0x20, 0, 0x0b);
  assert.throws(() => withCheckpoints(newModule(vector), 1000), /unknown instruction 253/);
  const memory = moduleOf([1, 0], [2, 1, 1, 0x6d, 1, 0x66, 2, 0, 1]);
  assert.throws(() => withCheckpoints(memory, 1000), /imports more than functions/);
});
