import assert from "node:assert/strict";
import { test } from "node:test";
import type { Shortfall } from "../fixture/hold-judge/hold-judge.ts";
import { CORPUS_SHAPES, type JudgedShape, JUDGED_POSES, MADE_SHAPES } from "../fixture/hold-judge/judged-shapes.ts";
import { judgeSupports, supportJudged, unnamed } from "../fixture/hold-judge/judged-supports.ts";
import { longCases, slowSample } from "../fixture/long.ts";

/** Nearly all supports bear all pulls times this factor. */
const RESERVE = 1.3;
/** Largest share of the cases that may bear less; in the plain suite, one of its few cases. */
const MAX_SHARE_SHORT = 0.02;

/** A test has 20 poses of one shape, each of which takes seconds for large models. */
const TIMEOUT_MS = 600_000;

interface Case {
  readonly shape: JudgedShape;
  /** Index in {@link JUDGED_POSES}. */
  readonly pose: number;
}

const casesOf = (shapes: readonly JudgedShape[]): Case[] =>
  shapes.flatMap((shape) => Array.from(JUDGED_POSES.keys(), (pose) => ({ shape, pose })));

/** Step of the cases in the long suite: coprime with the number of poses, so that all poses are judged. */
const LONG_STEP = 3;

const CASES: readonly Case[] = [
  ...slowSample(casesOf(MADE_SHAPES), 307, LONG_STEP),
  ...longCases(slowSample(casesOf(CORPUS_SHAPES), 1, LONG_STEP)),
];

/** Describes what falls short in a case, for a failing test. */
function describe({ shape, pose }: Case, shortfalls: readonly Shortfall[]): string {
  const worst = shortfalls.reduce((least, one) => (one.heldShare < least.heldShare ? one : least));
  const { x, y, z } = JUDGED_POSES[pose];
  const at = `z = ${worst.heightMm.toFixed(2)} mm about (${worst.at.map((value) => value.toFixed(1)).join(", ")})`;
  const share = `${(100 * worst.heldShare).toFixed(1)} % of the pull`;
  return `${shape.name}, pose ${pose} (${x}, ${y}, ${z}): ${shortfalls.length} layers, at worst ${share} at ${at}`;
}

let judged = 0;
const shortOfReserve: string[] = [];

for (const shape of [...MADE_SHAPES, ...CORPUS_SHAPES]) {
  const cases = CASES.filter((one) => one.shape === shape);
  test(
    `supports of ${shape.name} hold each layer, or a warning says where they do not`,
    { timeout: TIMEOUT_MS, skip: cases.length > 0 ? false : "runs under test:long" },
    async () => {
      const short: string[] = [];
      for (const one of cases) {
        const supported = await supportJudged(shape, JUDGED_POSES[one.pose]);
        judged++;
        const withReserve = unnamed(judgeSupports(supported, RESERVE), supported);
        if (withReserve.length === 0) continue;
        shortOfReserve.push(describe(one, withReserve));
        // Supports that bear more than the pull also bear the pull.
        const bare = unnamed(judgeSupports(supported, 1), supported);
        if (bare.length > 0) short.push(describe(one, bare));
      }
      assert.equal(short.length, 0, `${short.length} of ${cases.length} poses fall short:\n${short.join("\n")}`);
    },
  );
}

test(`at most ${100 * MAX_SHARE_SHORT} % of all parts fall short with ${RESERVE} times the pull`, () => {
  assert.ok(judged > 0);
  assert.ok(
    shortOfReserve.length <= Math.max(1, MAX_SHARE_SHORT * judged),
    `${shortOfReserve.length} of ${judged} fall short:\n${shortOfReserve.join("\n")}`,
  );
});
