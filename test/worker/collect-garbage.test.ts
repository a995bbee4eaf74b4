import assert from "node:assert/strict";
import { test } from "node:test";
import { newGarbageCollector } from "../../src/worker/collect-garbage.ts";

/** Collects after each of these sizes of the process, in MiB; a collection brings it to the size after the arrow. Returns which were collected. */
function collectedOf(firstMib: number, sizes: readonly (readonly [before: number, after?: number])[]): boolean[] {
  let residentMib = firstMib;
  let afterMib: number | undefined;
  let isCollected = false;
  const collectGarbage = newGarbageCollector({
    residentBytes: () => residentMib * 2 ** 20,
    collect: () => {
      isCollected = true;
      residentMib = afterMib ?? residentMib;
    },
  });
  return sizes.map(([before, after]) => {
    [residentMib, afterMib, isCollected] = [before, after, false];
    collectGarbage();
    return isCollected;
  });
}

test("a thread collects its garbage once the process has grown by 32 MiB", () => {
  assert.deepEqual(collectedOf(100, [[120], [132], [133]]), [false, false, true]);
});

test("growth counts from the size after the last collection", () => {
  assert.deepEqual(collectedOf(100, [[200, 180], [200], [212], [213, 150], [182], [183]]), [
    true,
    false,
    false,
    true,
    false,
    true,
  ]);
});

test("growth counts from the smallest size since then", () => {
  assert.deepEqual(collectedOf(200, [[120], [150], [153]]), [false, false, true]);
});
