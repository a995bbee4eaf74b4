import assert from "node:assert/strict";
import { test } from "node:test";
import { fc } from "../../fixture/property.ts";
import { newSceneQueue } from "../../../src/http/scene-queue.ts";

/** Work that logs its start and end, and ends on request. */
function newWork(log: string[], name: string) {
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  const work = async (): Promise<string> => {
    log.push(`${name} starts`);
    return promise.finally(() => log.push(`${name} ends`));
  };
  return { work, end: () => resolve(name), fail: () => reject(new Error(name)) };
}

/** Waits until all work has continued that can continue by itself. */
const settled = (): Promise<void> => new Promise((resolve) => setTimeout(resolve));

test("work on one scene runs one at a time, in order", async () => {
  const queue = newSceneQueue();
  const log: string[] = [];
  const [a, b, c] = ["a", "b", "c"].map((name) => newWork(log, name));
  const all = [a, b, c].map(({ work }) => queue.run(["scene"], work));
  await settled();
  for (const { end } of [c, a, b]) {
    end();
    await settled();
  }
  assert.deepEqual(await Promise.all(all), ["a", "b", "c"]);
  assert.deepEqual(log, ["a starts", "a ends", "b starts", "b ends", "c starts", "c ends"]);
});

test("work on different scenes does not wait", async () => {
  const queue = newSceneQueue();
  const log: string[] = [];
  for (const name of ["a", "b"]) void queue.run([name], newWork(log, name).work);
  await settled();
  assert.deepEqual(log, ["a starts", "b starts"]);
});

test("work that names no scene starts at once", async () => {
  const queue = newSceneQueue();
  const log: string[] = [];
  void queue.run(["scene"], newWork(log, "change").work);
  await settled();
  void queue.run([], newWork(log, "read").work);
  await settled();
  assert.deepEqual(log, ["change starts", "read starts"]);
});

test("work on several scenes waits for all of them and blocks all of them", async () => {
  const queue = newSceneQueue();
  const log: string[] = [];
  const [a, b, both, afterwards] = ["a", "b", "both", "afterwards"].map((name) => newWork(log, name));
  void queue.run(["a"], a.work);
  void queue.run(["b"], b.work);
  void queue.run(["a", "b"], both.work);
  void queue.run(["b"], afterwards.work);
  const expected = ["a starts", "b starts"];
  const check = async (...more: string[]): Promise<void> => {
    await settled();
    expected.push(...more);
    assert.deepEqual(log, expected);
  };
  await check();
  b.end();
  await check("b ends");
  a.end();
  await check("a ends", "both starts");
  both.end();
  await check("both ends", "afterwards starts");
});

test("a scene named twice does not wait for itself", async () => {
  const queue = newSceneQueue();
  assert.equal(await queue.run(["a", "a"], async () => "done"), "done");
});

test("work that fails rejects its promise, and the next work runs", async () => {
  const queue = newSceneQueue();
  const log: string[] = [];
  const [first, second] = ["first", "second"].map((name) => newWork(log, name));
  const failing = assert.rejects(queue.run(["scene"], first.work), /first/);
  const next = queue.run(["scene"], second.work);
  first.fail();
  second.end();
  await failing;
  assert.equal(await next, "second");
  assert.deepEqual(log, ["first starts", "first ends", "second starts", "second ends"]);
});

test("works that have a scene in common run one at a time, in their order", async () => {
  const someWork = fc.record({
    scenes: fc.array(fc.constantFrom("a", "b", "c", "d"), { maxLength: 3 }),
    turns: fc.nat({ max: 4 }),
    fails: fc.boolean(),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(someWork, { maxLength: 12 }), async (works) => {
      const queue = newSceneQueue();
      const busy = new Map<string, number>();
      const order = new Map<string, number[]>();
      const all = works.map(({ scenes, turns, fails }, i) =>
        queue
          .run(scenes, async () => {
            for (const scene of new Set(scenes)) {
              assert.ok(!busy.has(scene), `${i} meets ${busy.get(scene)} in ${scene}`);
              busy.set(scene, i);
              order.set(scene, [...(order.get(scene) ?? []), i]);
            }
            for (let turn = 0; turn < turns; turn++) await Promise.resolve();
            for (const scene of scenes) busy.delete(scene);
            if (fails) throw new Error("failed");
          })
          .then(
            () => false,
            (thrown: Error) => thrown.message === "failed",
          ),
      );
      assert.deepEqual(
        await Promise.all(all),
        works.map(({ fails }) => fails),
      );
      for (const [scene, seen] of order) {
        assert.deepEqual(
          seen,
          works.flatMap(({ scenes }, i) => (new Set<string>(scenes).has(scene) ? [i] : [])),
        );
      }
    }),
  );
});

test("settled resolves when all work has ended, also failed work and work without a scene", async () => {
  const queue = newSceneQueue();
  await queue.settled();
  const log: string[] = [];
  const [a, b, c] = ["a", "b", "c"].map((name) => newWork(log, name));
  const all = [queue.run(["scene"], a.work), queue.run(["scene"], b.work), queue.run([], c.work)];
  void queue.settled().then(() => log.push("settled"));
  for (const end of [c.end, a.fail, b.end]) {
    await settled();
    assert.ok(!log.includes("settled"));
    end();
  }
  await Promise.allSettled(all);
  await settled();
  assert.equal(log.at(-1), "settled");
});
