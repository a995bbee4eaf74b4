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

test("work in the background begins for the last edit of a model, and is cancelled once another edit comes", async () => {
  const solids = new BackgroundSolids(0);
  const ran: string[] = [];
  const contextOf = (name: string) => ({
    inBackground: () => ({ context: { name } as unknown as RequestContext, cancel: () => void ran.push(`-${name}`) }),
  });
  const work = async (context: RequestContext): Promise<void> => {
    ran.push((context as unknown as { name: string }).name);
    solids.stop("model");
    solids.stop("model");
  };
  // Work in the background keeps no process alive.
  const alive = setInterval(() => {}, 1000);
  await Promise.all([solids.start("model", contextOf("a"), work), solids.start("model", contextOf("b"), work)]);
  clearInterval(alive);
  assert.deepEqual(ran, ["-a", "b", "-b"]);
});
