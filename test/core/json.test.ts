import assert from "node:assert/strict";
import { test } from "node:test";
import { camelKeys, snakeKeys } from "../../src/core/json.ts";

test("keys change between snake case and camel case, values stay", () => {
  const inside = { density: 1, zCompressionCorrectionMm: 0, raftType: "NONE", onlyMinima: false };
  const wire = { density: 1, z_compression_correction_mm: 0, raft_type: "NONE", only_minima: false };
  assert.deepEqual(snakeKeys(inside), wire);
  assert.deepEqual(camelKeys(wire), inside);
});
