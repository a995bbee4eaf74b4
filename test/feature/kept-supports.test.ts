import assert from "node:assert/strict";
import { test } from "node:test";
import { CancelledError } from "../../src/core/progress.ts";
import { newMemoryBudget } from "../../src/core/memory-budget.ts";
import type { RequestContext } from "../../src/api/endpoint.ts";
import { BackgroundSolids } from "../../src/feature/support-preview/background-solids.ts";
import { keptSupports } from "../../src/feature/support/kept-supports.ts";
import { automaticPoint } from "../../src/support/points/touchpoint.ts";
import type { SupportedModel } from "../../src/support/support-model.ts";
import type { SupportRequest } from "../../src/support/support-request.ts";
import type { Compute } from "../../src/worker/compute.ts";
import { newHeldValues } from "../../src/worker/held-values.ts";
import { requestFor } from "../fixture/draft-of.ts";
import { box } from "../fixture/shapes.ts";
import { meshOf } from "../fixture/stage.ts";
import { SETTINGS } from "../support/settings.ts";

const mesh = meshOf(box([10, 10, 2]));
const requestAt = (x: number, changes: Partial<SupportRequest> = {}): SupportRequest => ({
  ...requestFor(mesh, SETTINGS),
  touchpoints: [automaticPoint({ position: [x, 0, -1], normal: [0, 0, -1] }, "OVERHANG", 0.5)],
  ...changes,
});
const contextOf = (): Compute => ({ held: newHeldValues(newMemoryBudget(2 ** 40)) }) as unknown as Compute;
const made = (): SupportedModel => ({ unreached: [] }) as unknown as SupportedModel;

test("equal requests share the supports that one of them builds or has built, others do not", async () => {
  const context = contextOf();
  const gate = Promise.withResolvers<SupportedModel>();
  const first = keptSupports(requestAt(1), context, () => gate.promise);
  const second = keptSupports(requestAt(1), context, () => assert.fail("built twice"));
  const supports = made();
  gate.resolve(supports);
  assert.deepEqual([await first, await second], [supports, supports]);
  const later = keptSupports(requestAt(1), context, () => assert.fail("built again"));
  assert.equal(await later, supports);
  const others = [requestAt(2), requestAt(1, { settings: { ...SETTINGS, raftThicknessMm: 1 } })];
  for (const other of others) assert.notEqual(await keptSupports(other, context, async () => made()), supports);
});

test("a request builds supports itself once the other one that built them was cancelled or failed", async () => {
  for (const [error, isShared] of [
    [new CancelledError(), false],
    [new Error("broken"), true],
  ] as const) {
    const context = contextOf();
    const gate = Promise.withResolvers<SupportedModel>();
    const first = keptSupports(requestAt(1), context, () => gate.promise);
    const own = made();
    const second = keptSupports(requestAt(1), context, async () => own);
    gate.reject(error);
    await assert.rejects(first, error);
    if (isShared) await assert.rejects(second, error);
    else assert.equal(await second, own);
  }
});

test("work in the background begins for the last edit of a model, and no task of it once another edit came", async () => {
  const solids = new BackgroundSolids(0);
  const ran: string[] = [];
  const context = { compute: async (task: string) => void ran.push(task) } as unknown as RequestContext;
  const work = (name: string) => async (background: RequestContext) => {
    for (const part of ["1", "2"]) await background.compute(`${name}${part}` as never, undefined as never);
    solids.stop("model");
    await background.compute(`${name}3` as never, undefined as never);
  };
  // Work in the background keeps no process alive.
  const alive = setInterval(() => {}, 1000);
  await Promise.all([solids.start("model", context, work("a")), solids.start("model", context, work("b"))]);
  clearInterval(alive);
  assert.deepEqual(ran, ["b1", "b2"]);
});
