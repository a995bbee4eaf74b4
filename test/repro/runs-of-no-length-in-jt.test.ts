import assert from "node:assert/strict";
import { Buffer } from "node:buffer";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { noProgress } from "../../src/core/progress.ts";
import { jtReader } from "../../src/format/jt/jt.ts";
import { smallJt } from "../fixture/jt-file.ts";
import { temporaryFiles } from "../fixture/temporary-files.ts";

const file = temporaryFiles();

test("a packet of JT with runs of length zero, which was read endlessly, is refused", async () => {
  const sound = await smallJt(readFileSync(new URL("../fixture/corpus/jt-fan-9.0.jt", import.meta.url)));
  // Four more bytes within the topology of the shape, so that the widths of the next packet are read from other bytes.
  const damaged = Buffer.concat([sound.subarray(0, 11_245), Buffer.from("759e82ec", "hex"), sound.subarray(11_245)]);
  const options = { chordalToleranceMm: 0.01, angleToleranceDeg: 5 };
  assert.equal((await jtReader.read(file("sound.jt", sound), options, noProgress)).parts.length, 2);
  await assert.rejects(jtReader.read(file("damaged.jt", damaged), options, noProgress), { code: "OPERATION_FAILED" });
});
