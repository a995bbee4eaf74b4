import assert from "node:assert/strict";
import { Buffer } from "node:buffer";
import { noProgress } from "../../src/core/progress.ts";
import { boundedInstance } from "../../src/wasm/library.ts";
import occtimportjs from "occt-import-js";
import { brepText } from "../fixture/brep-file.ts";
import { longTest } from "../fixture/long.ts";

// A kernel that ran out of memory was reported as if the tolerances had made it fail.

longTest("the error says that the kernel was refused memory, even if the kernel caught this itself", async () => {
  const boxes = Array.from({ length: 400 }, (_, i) => ({ size: [1, 1, 1], at: [2 * i, 0, 0] }) as const);
  const bounds = { maxBytes: 40 * 2 ** 20, maxRounds: 1e12 };
  const { instantiateWasm, shortage } = await boundedInstance("occt-import-js.wasm", bounds, noProgress);
  const occt = await occtimportjs({ instantiateWasm, print() {}, printErr() {} });
  assert.equal(shortage(), undefined);
  try {
    occt.ReadBrepFile(Buffer.from(brepText(...boxes)), {
      linearUnit: "millimeter",
      linearDeflectionType: "absolute_value",
      linearDeflection: 0.1,
      angularDeflection: 0.5,
    });
  } catch {
    // The kernel may pass the error on.
  }
  assert.match(shortage()?.message ?? "", /more than 40 MiB/);
});
