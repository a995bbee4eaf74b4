import assert from "node:assert/strict";
import { test } from "node:test";
import { ENDPOINTS } from "../../src/feature/endpoints.ts";
import { runAtOnce } from "../../src/core/steps.ts";
import { readRequest } from "../../src/http/read-request.ts";

test("a body of millions of open brackets is rejected before it is parsed", () => {
  const endpoint = ENDPOINTS.find(({ path }) => path === "/v1/scene/get/")!;
  const body = new TextEncoder().encode(`{"scene_id":${"[".repeat(15e6)}`);
  const before = process.memoryUsage().rss;
  assert.throws(() => runAtOnce(readRequest(endpoint, { query: new URLSearchParams(), body })), {
    code: "JSON_PARSE_ERROR",
    message: /nests deeper than 16 levels/,
  });
  assert.ok(process.memoryUsage().rss - before < 200 * 2 ** 20);
});
