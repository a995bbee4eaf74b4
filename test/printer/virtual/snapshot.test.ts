import assert from "node:assert/strict";
import { test } from "node:test";
import { fc } from "../../fixture/property.ts";
import type { PrintJobTotals } from "../../../src/printer/printer.ts";
import { printProgress } from "../../../src/printer/virtual/snapshot.ts";

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

test("phases are in order, the layer never decreases and the remaining time never increases", () => {
  const times = fc.array(fc.double({ min: 0, max: 40_000, noNaN: true }), { minLength: 2, maxLength: 50 });
  fc.assert(
    fc.property(totals, times, (job, elapsed) => {
      const seen = elapsed.sort((a, b) => a - b).map((ms) => printProgress(job, ms));
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

test("a print takes at least 1 s and at most 30 s, a resin print at most 20 s", () => {
  const isPrint = (job: PrintJobTotals): boolean => job.printTimeS > job.preprintTimeS;
  fc.assert(
    fc.property(totals.filter(isPrint), (job) => {
      assert.notEqual(printProgress(job, 999).phase, "finished");
      assert.equal(printProgress(job, 30_000).phase, "finished");
      assert.ok(job.coolingTimeS || printProgress(job, 20_000).phase === "finished");
    }),
  );
});

test("one second is ten minutes of print time", () => {
  const job: PrintJobTotals = {
    preprintTimeS: 1200,
    printTimeS: 1200 + 3600,
    coolingTimeS: 2400,
    layerCount: 9,
    materialMl: 1,
  };
  const at = (ms: number) => printProgress(job, ms);
  assert.deepEqual(at(0), { phase: "preparing", share: 0, printedShare: 0, remainingS: 4800 });
  assert.deepEqual(at(1000), { phase: "preparing", share: 0.5, printedShare: 0, remainingS: 4200 });
  assert.deepEqual(at(5000), { phase: "printing", share: 0.5, printedShare: 0.5, remainingS: 1800 });
  assert.deepEqual(at(9000), { phase: "cooling", share: 0.25, printedShare: 1, remainingS: 0 });
  assert.equal(at(12_000).phase, "finished");
  assert.equal(at(DAY_MS).phase, "finished");
});

test("a job without layers finishes at once", () => {
  const nothing = { preprintTimeS: 0, printTimeS: 0, layerCount: 0, materialMl: 0 };
  assert.equal(printProgress(nothing, 0).phase, "finished");
});
