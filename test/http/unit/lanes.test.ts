import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { newLanes } from "../../../src/http/lanes.ts";

/** Work that tells when it starts and ends, and ends when told. */
function newWork(log: string[], name: string) {
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  const work = async (): Promise<string> => {
    log.push(`${name} starts`);
    return promise.finally(() => log.push(`${name} ends`));
  };
  return { work, end: () => resolve(name), fail: () => reject(new Error(name)) };
}

/** Until everything that can go on without more from outside has gone on. */
const settled = (): Promise<void> => new Promise((resolve) => setTimeout(resolve));

test("work on one scene runs one at a time, in the order in which it came", async () => {
  const lanes = newLanes();
  const log: string[] = [];
  const [a, b, c] = ["a", "b", "c"].map((name) => newWork(log, name));
  const all = [a, b, c].map(({ work }) => lanes.run(["scene"], work));
  await settled();
  for (const { end } of [c, a, b]) {
    end();
    await settled();
  }
  assert.deepEqual(await Promise.all(all), ["a", "b", "c"]);
  assert.deepEqual(log, ["a starts", "a ends", "b starts", "b ends", "c starts", "c ends"]);
});

test("work on different scenes does not wait for each other", async () => {
  const lanes = newLanes();
  const log: string[] = [];
  for (const name of ["a", "b"]) void lanes.run([name], newWork(log, name).work);
  await settled();
  assert.deepEqual(log, ["a starts", "b starts"]);
});

test("work that names no scene starts at once", async () => {
  const lanes = newLanes();
  const log: string[] = [];
  void lanes.run(["scene"], newWork(log, "change").work);
  await settled();
  void lanes.run([], newWork(log, "read").work);
  await settled();
  assert.deepEqual(log, ["change starts", "read starts"]);
});

test("work on several scenes waits for all of them and holds up all of them", async () => {
  const lanes = newLanes();
  const log: string[] = [];
  const [a, b, both, afterwards] = ["a", "b", "both", "afterwards"].map((name) => newWork(log, name));
  void lanes.run(["a"], a.work);
  void lanes.run(["b"], b.work);
  void lanes.run(["a", "b"], both.work);
  void lanes.run(["b"], afterwards.work);
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
  const lanes = newLanes();
  assert.equal(await lanes.run(["a", "a"], async () => "done"), "done");
});

test("work that fails tells its caller, and the next runs", async () => {
  const lanes = newLanes();
  const log: string[] = [];
  const [first, second] = ["first", "second"].map((name) => newWork(log, name));
  const failing = assert.rejects(lanes.run(["scene"], first.work), /first/);
  const next = lanes.run(["scene"], second.work);
  first.fail();
  second.end();
  await failing;
  assert.equal(await next, "second");
  assert.deepEqual(log, ["first starts", "first ends", "second starts", "second ends"]);
});

test("however works name scenes, those that share one run one at a time, in their order", async () => {
  const someWork = fc.record({
    scenes: fc.array(fc.constantFrom("a", "b", "c", "d"), { maxLength: 3 }),
    turns: fc.nat({ max: 4 }),
    fails: fc.boolean(),
  });
  await fc.assert(fc.asyncProperty(fc.array(someWork, { maxLength: 12 }), async (works) => {
    const lanes = newLanes();
    const busy = new Map<string, number>();
    const order = new Map<string, number[]>();
    const all = works.map(({ scenes, turns, fails }, i) =>
      lanes.run(scenes, async () => {
        for (const scene of new Set(scenes)) {
          assert.ok(!busy.has(scene), `${i} meets ${busy.get(scene)} in ${scene}`);
          busy.set(scene, i);
          order.set(scene, [...(order.get(scene) ?? []), i]);
        }
        for (let turn = 0; turn < turns; turn++) await Promise.resolve();
        for (const scene of scenes) busy.delete(scene);
        if (fails) throw new Error("failed");
      }).then(() => false, (thrown: Error) => thrown.message === "failed"),
    );
    assert.deepEqual(await Promise.all(all), works.map(({ fails }) => fails));
    for (const [scene, seen] of order) {
      assert.deepEqual(seen, works.flatMap(({ scenes }, i) => (new Set<string>(scenes).has(scene) ? [i] : [])));
    }
  }));
});

test("it is settled once all work has ended, also what failed and what names no scene", async () => {
  const lanes = newLanes();
  await lanes.settled();
  const log: string[] = [];
  const [a, b, c] = ["a", "b", "c"].map((name) => newWork(log, name));
  const all = [lanes.run(["scene"], a.work), lanes.run(["scene"], b.work), lanes.run([], c.work)];
  void lanes.settled().then(() => log.push("settled"));
  for (const end of [c.end, a.fail, b.end]) {
    await settled();
    assert.ok(!log.includes("settled"));
    end();
  }
  await Promise.allSettled(all);
  await settled();
  assert.equal(log.at(-1), "settled");
});
