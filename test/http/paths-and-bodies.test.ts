import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { ENDPOINTS } from "../../src/feature/endpoints.ts";
import type { Printwright } from "../fixture/printwright.ts";
import { type TestServer, openTestServer } from "../fixture/test-server.ts";

// Interface, "Conventions for all endpoints"; supplement, section 1: "Paths", "Bodies", "Order of checks".

let server: TestServer;
let printwright: Printwright;
before(async () => {
  server = await openTestServer();
  ({ printwright } = server);
});
after(() => server.close());

const codeOf = (reply: { body: { error: { code: string } } }): string => reply.body.error.code;
const withBody = ENDPOINTS.filter(({ body }) => body !== undefined);

test("a path answers with and without its trailing slash", async () => {
  for (const path of ["/v1/", "/v1", "/v1/scene/list/", "/v1/scene/list"]) {
    assert.equal((await printwright.call("GET", path)).status, 200, path);
  }
});

for (const path of [
  "/",
  "/v2/",
  "/v1/scene/",
  "/v1/scene/lists/",
  "/v1//scene/list/",
  "/v1/scene/list/more",
  "/V1/scene/list/",
  "/v1/%2e%2e/",
]) {
  test(`${path} is 404 NOT_FOUND`, async () => {
    const reply = await printwright.call("GET", path);
    assert.equal(reply.status, 404);
    assert.equal(codeOf(reply), "NOT_FOUND");
    assert.equal(typeof reply.body.error.message, "string");
  });
}

for (const endpoint of ENDPOINTS) {
  test(`${endpoint.path} refuses other methods with 405 and an Allow header`, async () => {
    for (const method of ["GET", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE"].filter(
      (one) => one !== endpoint.method,
    )) {
      const reply = await printwright.call(method, endpoint.path);
      assert.equal(reply.status, 405, method);
      assert.equal(codeOf(reply), "METHOD_NOT_ALLOWED");
      assert.equal(reply.headers.allow, endpoint.method);
    }
  });
}

for (const endpoint of withBody) {
  const send = (raw: string | Uint8Array, headers?: Record<string, string>) =>
    printwright.call(endpoint.method, endpoint.path, undefined, { raw, headers });

  test(`${endpoint.path} accepts only a JSON object`, async () => {
    for (const raw of [
      "{",
      "nonsense",
      "[]",
      "null",
      "3",
      '"text"',
      "{}{}",
      "{'a': 1}",
      new Uint8Array([0x7b, 0xff, 0x7d]),
    ]) {
      assert.equal(codeOf(await send(raw)), "JSON_PARSE_ERROR", String(raw));
    }
  });

  test(`${endpoint.path} ${endpoint.bodyOptional ? "accepts an empty body as {}" : "needs a body"}`, async () => {
    const reply = await send("");
    if (endpoint.bodyOptional) assert.equal(reply.status, 200);
    else assert.equal(codeOf(reply), "JSON_PARSE_ERROR");
  });

  test(`${endpoint.path} refuses unknown fields, with a JSON pointer, whatever their names`, async () => {
    // A body without scene_id has another code if the interface has one for that.
    const scene = endpoint.errors?.includes("MISSING_PARAMETER") ? ', "scene_id": ""' : "";
    for (const field of ["no_such_field", "toString", "__proto__", "constructor"]) {
      const reply = await send(`{"${field}": 1${scene}}`);
      assert.equal(codeOf(reply), "JSON_SCHEMA_MATCH_ERROR", field);
      assert.match(reply.body.error.message, /"\/[^"]*"|""/);
    }
  });

  test(`${endpoint.path} ignores Content-Type`, async () => {
    const expected = await send("{}");
    for (const type of ["text/plain", "application/xml", "application/json; charset=utf-16"]) {
      const reply = await send("{}", { "Content-Type": type });
      assert.equal(reply.status, expected.status, type);
    }
  });
}

test("the last of duplicate keys counts", async () => {
  const reply = await printwright.post("/v1/operation/list/", undefined, {
    raw: '{"operations": 3, "operations": []}',
  });
  assert.equal(reply.status, 200);
});

test("a body over 16 MiB is 413 BODY_TOO_LARGE, and one of exactly 16 MiB is read", async () => {
  const limit = 16 * 2 ** 20;
  const padded = (size: number) => `{"operations": []${" ".repeat(size - 18)}}`;
  assert.equal((await printwright.post("/v1/operation/list/", undefined, { raw: padded(limit) })).status, 200);
  const reply = await printwright.post("/v1/operation/list/", undefined, { raw: padded(limit + 1) });
  assert.equal(reply.status, 413);
  assert.equal(codeOf(reply), "BODY_TOO_LARGE");
});

test("a body nested a million deep is refused, and the server still answers", async () => {
  const raw = `{"scene_id": ${"[".repeat(1e6)}${"]".repeat(1e6)}}`;
  const reply = await printwright.post("/v1/scene/get/", undefined, { raw });
  assert.ok(["JSON_SCHEMA_MATCH_ERROR", "JSON_PARSE_ERROR"].includes(codeOf(reply)));
  assert.equal((await printwright.call("GET", "/v1/")).status, 200);
});

test("the pointer of a schema error leads to the value that failed", async () => {
  const cases: [string, object, string][] = [
    ["/v1/scene/model/list/", { scene_id: "x", model_ids: [3] }, "/model_ids/0"],
    ["/v1/scene/model/translate/", { scene_id: "x", position: { x: 0, y: 0, z: "1" } }, "/position/z"],
    ["/v1/scene/model/translate/", { scene_id: "x", position: { x: 0, y: 2e6, z: 1 } }, "/position/y"],
    [
      "/v1/scene/model/orient/",
      {
        scene_id: "x",
        orientation: {
          linear: [
            [1, 0, 0],
            [0, 1, 0],
            [0, 0],
          ],
        },
      },
      "/orientation/linear/2/2",
    ],
    [
      "/v1/scene/model/orient/",
      {
        scene_id: "x",
        orientation: {
          x: 1,
          y: 2,
          z: 3,
          linear: [
            [1, 0, 0],
            [0, 1, 0],
            [0, 0, 1],
          ],
        },
      },
      "/orientation/x",
    ],
    ["/v1/scene/create/", { fps_file: "/a.fps", machine_type: "FORM-4-0" }, "/machine_type"],
    [
      "/v1/scene/create/",
      { machine_type: "FORM-4-0", material_code: "X", layer_thickness_mm: "thin" },
      "/layer_thickness_mm",
    ],
    ["/v1/scene/get/", { "a/b~c": 1, scene_id: "x" }, "/a~1b~0c"],
  ];
  for (const [path, body, pointer] of cases) {
    const reply = await printwright.post(path, body);
    assert.equal(codeOf(reply), "JSON_SCHEMA_MATCH_ERROR", path);
    assert.ok(
      reply.body.error.message.includes(`"${pointer}"`),
      `${reply.body.error.message} should point to ${pointer}`,
    );
  }
});

test("errors are checked in this order: query, JSON, schema, extension, scene", async () => {
  const importPath = "/v1/scene/model/import/";
  const codes = [
    await printwright.post(`${importPath}?async=maybe`, undefined, { raw: "{" }),
    await printwright.post(importPath, undefined, { raw: "{" }),
    await printwright.post(importPath, { scene_id: 3, file: "/a.form" }),
    await printwright.post(importPath, { scene_id: "no uuid", file: "/a.form" }),
    await printwright.post(importPath, { scene_id: "no uuid", file: "/a.stl" }),
  ];
  assert.deepEqual(codes.map(codeOf), [
    "INVALID_QUERY_PARAMETER",
    "JSON_PARSE_ERROR",
    "JSON_SCHEMA_MATCH_ERROR",
    "INPUT_ERROR",
    "INPUT_ERROR",
  ]);
  assert.match(codes[3].body.error.message, /\.form/);
  assert.match(codes[4].body.error.message, /scene_id/);
});

test("errors in the body alone are reported at once, also with async", async () => {
  const { scenes } = (await printwright.call("GET", "/v1/scene/list/")).body;
  const scene_id = scenes[0].id;
  const label = { model_id: "a", position: { x: 0, y: 0, z: 0 }, font_size_mm: 3, depth_mm: 1 };
  const upright = { x: 0, y: 0, z: 0 };
  const stretched = {
    linear: [
      [2, 0, 0],
      [0, 1, 0],
      [0, 0, 1],
    ],
  };
  const cases: [path: string, body: object, why: RegExp][] = [
    ["label", { ...label, orientation: stretched, label: "A" }, /not a rotation/],
    ["label", { ...label, orientation: upright, label: "A\nB" }, /one line/],
    ["auto-layout", { custom_bounds: { x_min_mm: 2, x_max_mm: 1 } }, /empty along x/],
    ["import", { file: "part.stl" }, /absolute path/],
  ];
  for (const [path, body, why] of cases) {
    const reply = await printwright.post(`/v1/scene/model/${path}/?async=true`, { scene_id, ...body });
    assert.equal(reply.status, 400, path);
    assert.equal(codeOf(reply), "INPUT_ERROR");
    assert.match(reply.body.error.message, why);
  }
});

test("an empty operation id is a missing parameter", async () => {
  for (const query of ["", "?operation_id", "?operation_id=", "?operation_id=&mode=oneshot"]) {
    const reply = await printwright.call("GET", `/v1/operation/get/${query}`);
    assert.equal(reply.status, 400, query);
    assert.equal(codeOf(reply), "MISSING_QUERY_PARAMETER");
  }
});

test("query parameters that an endpoint does not know are ignored", async () => {
  assert.equal((await printwright.call("GET", "/v1/scene/list/?async=maybe&x=1")).status, 200);
  assert.equal((await printwright.call("GET", "/v1/?mode=none")).status, 200);
});

for (const endpoint of ENDPOINTS.filter(({ async }) => async)) {
  test(`${endpoint.path} refuses an async that is neither true nor false`, async () => {
    for (const value of ["", "1", "True", "yes"]) {
      const reply = await printwright.call(endpoint.method, `${endpoint.path}?async=${value}`, {});
      assert.equal(reply.status, 400);
      assert.equal(codeOf(reply), "INVALID_QUERY_PARAMETER");
    }
  });
}

const sceneBodies: Record<string, object> = {
  "/v1/scene/save/": { scene_ids: ["ID"], file: "/x.form" },
  "/v1/scene/update/": { scene_id: "ID", machine_type: "FORM-4-0", material_code: "FLGPBK05", layer_thickness_mm: 0.1 },
  "/v1/scene/rename/": { scene_id: "ID", name: "plate" },
  "/v1/scene/model/move-to-scene/": { scene_id: "ID", model_ids: ["a"] },
  "/v1/scene/model/import/": { scene_id: "ID", file: "/x.stl" },
  "/v1/scene/model/supports/get/": { scene_id: "ID", model_id: "a" },
  "/v1/scene/model/supports/preview/": { scene_id: "ID", model_id: "a", points: [] },
  "/v1/scene/model/supports/set/": { scene_id: "ID", model_id: "a", points: [] },
  "/v1/scene/model/scale/": { scene_id: "ID", scale: 1 },
  "/v1/scene/model/orient/": { scene_id: "ID", orientation: { x: 0, y: 0, z: 0 } },
  "/v1/scene/model/translate/": { scene_id: "ID", position: { x: 0, y: 0, z: 0 } },
  "/v1/scene/model/mirror/": { scene_id: "ID", axis: "X" },
  "/v1/scene/model/stretch/": { scene_id: "ID", factors: { x: 1, y: 1, z: 1 } },
  "/v1/scene/model/cut/": {
    scene_id: "ID",
    plane: { point: { x: 0, y: 0, z: 1 }, normal: { x: 0, y: 0, z: 1 } },
  },
  "/v1/scene/model/update/": { scene_id: "ID", visible: true },
  "/v1/scene/model/replace/": { scene_id: "ID", model_id: "a", replacement_model_id: "b" },
  "/v1/scene/model/duplicate/": { scene_id: "ID", count: 1 },
  "/v1/scene/model/hollow/": { scene_id: "ID", wall_thickness_mm: 1 },
  "/v1/scene/model/dental-hollow/": { scene_id: "ID", extrude_distance_mm: 3 },
  "/v1/scene/model/drill/": {
    scene_id: "ID",
    drain_holes: [{ orientation: { x: 0, y: 0, z: 0 }, position: { x: 0, y: 0, z: 0 }, diameter_mm: 1, depth_mm: 1 }],
  },
  "/v1/scene/model/label/": {
    scene_id: "ID",
    model_id: "a",
    orientation: { x: 0, y: 0, z: 0 },
    position: { x: 0, y: 0, z: 0 },
    label: "A",
    font_size_mm: 3,
    depth_mm: 1,
  },
  "/v1/print-setting/save/": { scene_id: "ID", file: "/x.fps" },
  "/v1/scene/print/": { scene_id: "ID", printer: "nobody", job_name: "a job" },
  "/v1/scene/render/": { scene_id: "ID", file: "/x.png" },
  "/v1/scene/export/": { scene_id: "ID", file: "/x.stl" },
  "/v1/scene/model/validate/cups/": { scene_id: "ID" },
  "/v1/scene/model/validate/minima/": { scene_id: "ID" },
  "/v1/scene/model/validate/supportedness/": { scene_id: "ID" },
  "/v1/scene/model/validate/thin-features/": { scene_id: "ID", threshold_mm: 1 },
};
const plainScene = [
  "/v1/scene/prepare/",
  "/v1/scene/get/",
  "/v1/scene/estimate-print-time/",
  "/v1/scene/calculate-print-time/",
  "/v1/scene/metadata/",
  "/v1/scene/delete/",
  "/v1/scene/model/list/",
  "/v1/scene/model/delete/",
  "/v1/scene/model/auto-support/",
  "/v1/scene/model/vent/",
  "/v1/scene/model/auto-drain/",
  "/v1/scene/model/regenerate-supports/",
  "/v1/scene/model/auto-orient/",
  "/v1/scene/model/auto-layout/",
  "/v1/scene/model/fill-build-platform/",
  "/v1/scene/model/cage/",
  "/v1/scene/model/auto-pack/",
  "/v1/scene/model/fill-build-chamber/",
  "/v1/scene/model/validate/in-bounds/",
  "/v1/scene/model/validate/manifoldness/",
  "/v1/scene/model/validate/interferences/",
  "/v1/scene/model/validate/hold/",
  "/v1/scene/model/body-count/",
  "/v1/scene/model/measure/",
  "/v1/scene/model/repair/",
  "/v1/scene/model/split-bodies/",
];
for (const path of plainScene) sceneBodies[path] = { scene_id: "ID" };

for (const [path, body] of Object.entries(sceneBodies)) {
  test(`${path} answers INPUT_ERROR for a malformed scene id and for an unknown one`, async () => {
    const { method } = ENDPOINTS.find((endpoint) => endpoint.path === path)!;
    for (const id of [
      "no-uuid",
      "",
      "00000000-0000-4000-8000-000000000000",
      "{00000000-0000-4000-8000-000000000000}",
    ]) {
      const reply = await printwright.call(method, path, JSON.parse(JSON.stringify(body).replace("ID", id)));
      assert.equal(reply.status, 400, id);
      assert.equal(codeOf(reply), "INPUT_ERROR", id);
    }
  });
}
