import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import type { PrintJobTotals } from "../../../src/printer/printer.ts";
import { progressOf } from "../../../src/printer/virtual/progress.ts";

const seconds = fc.oneof(fc.constant(0), fc.double({ min: 0, max: 1e6, noNaN: true }), fc.nat(30_000));
const totals: fc.Arbitrary<PrintJobTotals> = fc
  .tuple(seconds, seconds, fc.option(seconds, { nil: undefined }))
  .map(([preprintTimeS, printingS, coolingTimeS]) => ({
    preprintTimeS,
    printTimeS: preprintTimeS + printingS,
    coolingTimeS,
    layerCount: 10,
    materialMl: 1,
  }));

const PHASES = ["preparing", "printing", "cooling", "finished"];
const DAY_MS = 86_400_000;

test("phases follow one another, layers only grow and the time left only shrinks", () => {
  const times = fc.array(fc.double({ min: 0, max: 40_000, noNaN: true }), { minLength: 2, maxLength: 50 });
  fc.assert(
    fc.property(totals, times, (job, elapsed) => {
      const seen = elapsed.sort((a, b) => a - b).map((ms) => progressOf(job, ms));
      for (const [i, now] of seen.entries()) {
        assert.ok(now.share >= 0 && now.share <= 1 && now.printedShare >= 0 && now.printedShare <= 1);
        assert.ok(now.remainingS >= 0 && now.remainingS <= job.printTimeS * (1 + 1e-12));
        const before = seen[Math.max(0, i - 1)];
        assert.ok(PHASES.indexOf(now.phase) >= PHASES.indexOf(before.phase));
        assert.ok(now.printedShare >= before.printedShare);
        assert.ok(now.remainingS <= before.remainingS * (1 + 1e-9) + 1e-9);
      }
    }),
  );
});

test("a print takes at least a second and is done within half a minute, a resin print in 20 s", () => {
  const isPrint = (job: PrintJobTotals): boolean => job.printTimeS > job.preprintTimeS;
  fc.assert(
    fc.property(totals.filter(isPrint), (job) => {
      assert.notEqual(progressOf(job, 999).phase, "finished");
      assert.equal(progressOf(job, 30_000).phase, "finished");
      assert.ok(job.coolingTimeS || progressOf(job, 20_000).phase === "finished");
    }),
  );
});

test("a second stands for ten minutes", () => {
  const job: PrintJobTotals = {
    preprintTimeS: 1200,
    printTimeS: 1200 + 3600,
    coolingTimeS: 2400,
    layerCount: 9,
    materialMl: 1,
  };
  const at = (ms: number) => progressOf(job, ms);
  assert.deepEqual(at(0), { phase: "preparing", share: 0, printedShare: 0, remainingS: 4800 });
  assert.deepEqual(at(1000), { phase: "preparing", share: 0.5, printedShare: 0, remainingS: 4200 });
  assert.deepEqual(at(5000), { phase: "printing", share: 0.5, printedShare: 0.5, remainingS: 1800 });
  assert.deepEqual(at(9000), { phase: "cooling", share: 0.25, printedShare: 1, remainingS: 0 });
  assert.equal(at(12_000).phase, "finished");
  assert.equal(at(DAY_MS).phase, "finished");
});

test("a job without a layer is done at once", () => {
  const nothing = { preprintTimeS: 0, printTimeS: 0, layerCount: 0, materialMl: 0 };
  assert.equal(progressOf(nothing, 0).phase, "finished");
});
