import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { box } from "../fixture/shapes.ts";
import { binaryStl } from "../fixture/stl-file.ts";
import { type TestServer, assertRefused, bodyOf, openTestServer } from "../fixture/test-server.ts";

// Bodies of megabytes are read in steps, while other requests are answered; bodies larger than any request needs are refused.

let server: TestServer;
before(async () => {
  server = await openTestServer();
});
after(() => server.close());

const MIB = 2 ** 20;

/** A body of some megabytes: `begin`, then `part` again and again, and `end`. */
const large = (begin: string, part: (i: number) => string, end: string, size = 4 * MIB): string =>
  begin + Array.from({ length: Math.floor(size / part(100_000).length) }, (_, i) => part(i)).join("") + end;

const post = (path: string, raw: string) => server.printwright.post(path, undefined, { raw });

const TOO_MUCH: [what: string, path: string, body: string, pointer: string][] = [
  ["unknown keys", "scene/get", large('{"scene_id": "a"', (i) => `, "k${i}": 1`, "}"), ""],
  ["one key again and again", "scene/get", large('{"scene_id": "a"', () => ', "scene_id": "a"', "}"), ""],
  [
    "unknown keys in an object",
    "scene/model/orient",
    large('{"orientation": {"x": 1', (i) => `, "k${i}": 1`, "}}"),
    "/orientation",
  ],
  ["names", "scene/model/list", large('{"model_ids": ["a"', () => ', "a"', "]}"), "/model_ids/99999"],
  ["names of operations", "operation/list", large('{"operations": ["a"', () => ', "a"', "]}"), "/operations/99999"],
  ["empty objects", "scene/model/drill", large('{"drain_holes": [{}', () => ", {}", "]}"), "/drain_holes/49999"],
  ["a long path", "scene/open", `{"file": "/${"x".repeat(4 * MIB)}.form"}`, "/file"],
  ["digits", "scene/model/scale", `{"scale": ${"1".repeat(4 * MIB)}}`, "/scale"],
];

for (const [what, path, body, pointer] of TOO_MUCH) {
  test(`${path} with megabytes of ${what} is refused, with a pointer`, async () => {
    const reply = await post(`/v1/${path}/`, body);
    assertRefused(reply, "JSON_SCHEMA_MATCH_ERROR", /the body is too large here/);
    assert.ok(reply.body.error.message.startsWith(`"${pointer}": `), reply.body.error.message);
  });
}

test("megabytes that are not an object are a parse error, whatever they contain", async () => {
  for (const raw of [
    large("[1", () => ",1", "]"),
    "[".repeat(4 * MIB),
    '{"a":'.repeat(MIB),
    `"${"a".repeat(4 * MIB)}"`,
  ]) {
    const reply = await post("/v1/scene/get/", raw);
    assert.ok(
      ["JSON_PARSE_ERROR", "JSON_SCHEMA_MATCH_ERROR"].includes(reply.body.error.code),
      reply.body.error.message,
    );
    assert.ok(reply.body.error.message.length < 1000);
  }
});

test("60,000 digits as a layer thickness are refused at once", async () => {
  const layer_thickness_mm = `${"1".repeat(60_000)}x`;
  const body = { machine_type: "FORM-4-0", material_code: "FLGPBK05", layer_thickness_mm };
  assertRefused(await server.printwright.post("/v1/scene/create/", body), "JSON_SCHEMA_MATCH_ERROR", /ADAPTIVE/);
});

test("tens of thousands of ids are accepted, and duplicates count once", async () => {
  const scene_id = await server.newScene();
  const id = await server.importOne(scene_id, server.file("box.stl", binaryStl(box([10, 10, 10]))));
  const models = bodyOf(await server.ask("list", { scene_id, model_ids: Array(90_000).fill(id) })).models;
  assert.deepEqual(
    models.map((model: { id: string }) => model.id),
    [id],
  );
});
