import assert from "node:assert/strict";
import { test } from "node:test";
import { ENDPOINTS } from "../../../src/feature/endpoints.ts";
import { newRequestReader } from "../../../src/http/read-request.ts";

const endpoint = (path: string) => ENDPOINTS.find((one) => one.path === path)!;
const UPDATE = endpoint("/v1/scene/model/update/");
const LIST = endpoint("/v1/scene/model/list/");

/** Reads a body with megabytes of spaces, or a small one. */
function newReader() {
  const read = newRequestReader();
  return (one: typeof UPDATE, fields: object, mebibytes = 0) => {
    const bytes = new TextEncoder().encode(
      JSON.stringify({ scene_id: "any", ...fields }) + " ".repeat(mebibytes * 2 ** 20),
    );
    return read(one, new URLSearchParams(), { size: bytes.length, bytes: () => bytes, release: () => {} });
  };
}

test("a change is ready after an earlier one with a larger body, and a read is ready before", async () => {
  const read = newReader();
  const order: string[] = [];
  await Promise.all([
    read(UPDATE, { name: "first" }, 4).then(() => order.push("large change")),
    read(UPDATE, { name: "second" }).then(() => order.push("small change")),
    read(LIST, {}).then(() => order.push("small read")),
  ]);
  assert.deepEqual(order, ["small read", "large change", "small change"]);
});

test("events are handled while large bodies are read", async () => {
  const read = newReader();
  let turns = 0;
  const counting = setInterval(() => turns++, 0);
  await Promise.all([1, 2, 3].map(() => read(LIST, {}, 8)));
  clearInterval(counting);
  assert.ok(turns >= 3, String(turns));
});

test("a faulty large body does not delay the next ones", async () => {
  const read = newReader();
  const faulty = read(UPDATE, { name: 3 }, 2);
  const next = read(UPDATE, { name: "next" }, 2);
  const small = read(UPDATE, { name: "small" });
  await assert.rejects(faulty, { code: "JSON_SCHEMA_MATCH_ERROR" });
  assert.deepEqual((await next).body, { scene_id: "any", name: "next" });
  assert.deepEqual((await small).body, { scene_id: "any", name: "small" });
});
