import assert from "node:assert/strict";
import { test } from "node:test";
import { coarserWhenShort } from "../../../src/format/occt/coarser-when-short.ts";
import type { Tessellation } from "../../../src/format/occt/kernel.ts";
import type { ReadOptions } from "../../../src/format/model-reader.ts";
import { TooFineShapesError } from "../../../src/format/occt/kernel-rounds.ts";
import { MemoryBoundError } from "../../../src/wasm/library.ts";
import { longTest } from "../../fixture/long.ts";

const USUAL: ReadOptions = { chordalToleranceMm: 0.01, angleToleranceDeg: 5 };
const whole: Tessellation = { meshes: [], root: { name: "", meshes: [], children: [] }, shortage: undefined };
const BOUND = 2 ** 30;
const isOwn = ({ bytes }: MemoryBoundError): boolean => bytes >= BOUND;

/** A kernel whose memory suffices for chords from `enoughMm` on, and the chords of its calls. */
function shortKernel(enoughMm: number, short: (options: ReadOptions) => Promise<Tessellation>) {
  const chords: number[] = [];
  const run = (options: ReadOptions): Promise<Tessellation> => {
    chords.push(options.chordalToleranceMm);
    return options.chordalToleranceMm < enoughMm ? short(options) : Promise.resolve(whole);
  };
  return { chords, run };
}
const failing = (): Promise<never> => Promise.reject(new MemoryBoundError(BOUND));
/** The kernel continues without the memory: a face has no triangles. */
const incomplete = (): Promise<Tessellation> =>
  Promise.resolve({
    ...whole,
    meshes: [
      {
        name: "",
        attributes: { position: { array: [] } },
        index: { array: [] },
        brep_faces: [{ first: 0, last: -1 }],
      },
    ],
    shortage: new MemoryBoundError(BOUND),
  });

test("a file for which the memory suffices is read with the requested tolerances", async () => {
  const { chords, run } = shortKernel(0, failing);
  assert.deepEqual(await coarserWhenShort(USUAL, 0, isOwn, run), { made: whole, options: USUAL, warnings: [] });
  assert.deepEqual(chords, [0.01]);
});

test("a file that runs out of memory is read with coarser tolerances, which a warning names", async () => {
  for (const short of [failing, incomplete]) {
    const { chords, run } = shortKernel(0.1, short);
    const { made, options, warnings } = await coarserWhenShort(USUAL, 0, isOwn, run);
    assert.equal(made, whole);
    assert.deepEqual(options, { chordalToleranceMm: 0.16, angleToleranceDeg: 20 });
    assert.deepEqual(chords, [0.01, 0.04, 0.16]);
    assert.equal(warnings.length, 1);
    assert.match(
      warnings[0],
      /with chordal_tolerance_um 10 and angle_tolerance_deg 5 \(it needs more than 1024 MiB of memory\): it was read with chordal_tolerance_um 160 and angle_tolerance_deg 20/,
    );
  }
});

test("tolerances are raised at most to values that print well, and never made finer", async () => {
  const { chords, run } = shortKernel(Infinity, failing);
  const asked = { chordalToleranceMm: 0.1, angleToleranceDeg: 30 };
  await assert.rejects(coarserWhenShort(asked, 0, isOwn, run), MemoryBoundError);
  assert.deepEqual(chords, [0.1, 0.2, 0.2]);
});

test("a server with less memory refuses the file, because the result must not depend on the memory", async () => {
  const { chords, run } = shortKernel(0.1, () => Promise.reject(new MemoryBoundError(BOUND - 1)));
  await assert.rejects(coarserWhenShort(USUAL, 0, isOwn, run), MemoryBoundError);
  assert.deepEqual(chords, [0.01]);
});

longTest(
  "a file on which the kernel does not end is read with the tolerances at which it ends, if these are fine for its size",
  async () => {
    const endless = (): Promise<never> => Promise.reject(new TooFineShapesError(3e9));
    const asked = { ...USUAL, chordalToleranceMm: 0.16 };
    const { chords, run } = shortKernel(8, endless);
    const { options, warnings } = await coarserWhenShort(asked, 8000, isOwn, run);
    assert.deepEqual(options, { chordalToleranceMm: 8, angleToleranceDeg: 60 });
    assert.deepEqual(chords, [0.16, 8]);
    assert.match(
      warnings[0],
      /did not end within 3 billion steps.* was read with chordal_tolerance_um 8000 and angle_tolerance_deg 60/,
    );
    await assert.rejects(coarserWhenShort(asked, 7000, isOwn, run), TooFineShapesError);
  },
);
