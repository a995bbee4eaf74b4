import assert from "node:assert/strict";
import { test } from "node:test";
import * as v from "valibot";
import { printTimeOnWire, printTimeReply } from "../../src/feature/print-time/endpoint.ts";

// Supplement, section 5: "scene/calculate-print-time".

const RESIN = { totalS: 110, preprintS: 10, printingS: 100 };
const RESIN_ON_WIRE = { total_print_time_s: 110, preprint_time_s: 10, printing_time_s: 100 };

test("resin has three fields, powder five, all in seconds", () => {
  assert.deepEqual(printTimeOnWire(RESIN), RESIN_ON_WIRE);
  assert.deepEqual(printTimeOnWire({ ...RESIN, cooling: { toRemovalS: 7, thenToRoomTempS: 8 } }), {
    ...RESIN_ON_WIRE,
    cool_to_removal_time_s: 7,
    additional_cool_to_room_temp_time_s: 8,
  });
});

test("the schema of the reply keeps every field of both", () => {
  for (const wire of [RESIN_ON_WIRE, printTimeOnWire({ ...RESIN, cooling: { toRemovalS: 7, thenToRoomTempS: 8 } })]) {
    assert.deepEqual(v.parse(printTimeReply, wire), wire);
  }
});
