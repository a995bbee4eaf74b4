import assert from "node:assert/strict";
import { after, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import type { Worker } from "node:worker_threads";
import { noProgress } from "../../src/core/progress.ts";
import { boundedInstance } from "../../src/wasm/library.ts";
import { onCompiled, takeModule } from "../../src/wasm/shared-modules.ts";
import { newSharedLibraries } from "../../src/worker/shared-libraries.ts";
import { until } from "../fixture/until.ts";

const EMPTY = Uint8Array.of(0, 0x61, 0x73, 0x6d, 1, 0, 0, 0);
const occt = { name: "occt-import-js.wasm", module: new WebAssembly.Module(EMPTY) } as const;
const rhino = { name: "rhino3dm.wasm", module: new WebAssembly.Module(EMPTY) } as const;

/** What a thread receives. */
function fakeThread() {
  const got: unknown[] = [];
  return { got, worker: { postMessage: (message: unknown) => got.push(message) } as unknown as Worker };
}

test("a library that one thread has compiled is sent once to all running threads, and to each new thread", () => {
  const libraries = newSharedLibraries();
  const [early, late] = [fakeThread(), fakeThread()];
  libraries.giveTo(early.worker);
  libraries.add(occt, [early.worker]);
  libraries.add({ ...occt, module: new WebAssembly.Module(EMPTY) }, [early.worker]);
  libraries.add(rhino, [early.worker]);
  libraries.giveTo(late.worker);
  for (const { got } of [early, late]) assert.deepEqual(got, [{ library: occt }, { library: rhino }]);
});

test("a library that no thread was started with for a while is dropped", async () => {
  const libraries = newSharedLibraries(20);
  libraries.add(occt, []);
  await sleep(100);
  const thread = fakeThread();
  libraries.giveTo(thread.worker);
  assert.deepEqual(thread.got, []);
});

test("a thread that received a library does not compile it; another one reports what it compiles", async () => {
  const told: string[] = [];
  onCompiled(({ name }) => told.push(name));
  after(() => onCompiled(() => {}));
  // This is not a library, so it could not be compiled.
  takeModule({ name: "DejaVu-LICENSE.txt", module: new WebAssembly.Module(EMPTY) });
  const bounds = { maxBytes: 2 ** 28, maxRounds: 1 };
  for (const name of ["DejaVu-LICENSE.txt", "rhino3dm.wasm", "rhino3dm.wasm"] as const) {
    await boundedInstance(name, bounds, noProgress);
  }
  await until("the library is told", () => told.length > 0);
  assert.deepEqual(told, ["rhino3dm.wasm"]);
});
