import assert from "node:assert/strict";
import { test } from "node:test";
import type { ObjectSchema } from "valibot";
import { ENDPOINTS } from "../../src/feature/endpoints.ts";

test("the replies of all requests that change a scene declare warnings", () => {
  const changing = ENDPOINTS.filter(({ isQueued, reply }) => isQueued && reply);
  assert.ok(changing.length >= 20);
  for (const { path, reply } of changing)
    assert.ok("warnings" in (reply as ObjectSchema<Record<string, never>, undefined>).entries, path);
});
