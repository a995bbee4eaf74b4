import assert from "node:assert/strict";
import { existsSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { longTest } from "../fixture/long.ts";
import { type Reply, awaitOperation } from "../fixture/client.ts";
import { type Pixels, readPng } from "../fixture/read-png.ts";
import { box, torus } from "../fixture/shapes.ts";
import { binaryStl } from "../fixture/stl-file.ts";
import { POWDER, type TestServer, UNKNOWN_ID, assertRefused, bodyOf, openTestServer } from "../fixture/test-server.ts";
import { until } from "../fixture/until.ts";
import { webpParts } from "../fixture/webp-parts.ts";

// Interface supplement, section 5, scene/render.

let server: TestServer;
let scene_id: string;
let slab: string;
let ring: string;
before(async () => {
  server = await openTestServer();
  scene_id = await server.newScene();
  slab = await server.importOne(scene_id, server.file("slab.stl", binaryStl(box([60, 20, 10]))));
  ring = await server.importOne(scene_id, server.file("ring.stl", binaryStl(torus(15, 5))));
  bodyOf(await server.ask("translate", { scene_id, model_ids: [ring], position: { x: 0, y: 35, z: 5 } }));
});
after(() => server.close());

const render = (body: object, query = ""): Promise<Reply> => server.printwright.post(`/v1/scene/render/${query}`, body);
const path = (name: string): string => join(server.folder, name);

async function picture(name: string, options: object = {}): Promise<Pixels> {
  const reply = await render({ scene_id, file: path(name), ...options });
  assert.equal(bodyOf(reply), undefined);
  return readPng(path(name));
}

const FLYAROUND = {
  keyframes: [
    { yaw: 0, pitch: 20 },
    { yaw: 360, pitch: 20 },
  ],
  frame_count: 6,
};

/** Whether any pixel has the colour of warnings. */
const hasWarning = ({ rgb }: Pixels): boolean =>
  rgb.some((value, i) => i % 3 === 0 && value > 150 && value > 1.6 * rgb[i + 2]);

longTest("a picture has 820 pixels along its larger side, or the requested number", async () => {
  const byDefault = await picture("default.png");
  assert.equal(Math.max(byDefault.width, byDefault.height), 820);
  assert.ok(Math.min(byDefault.width, byDefault.height) < 820);
  for (const image_size_px of [16, 205, 900]) {
    const { width, height } = await picture("size.PNG", { image_size_px });
    assert.equal(Math.max(width, height), image_size_px);
  }
  const square = await picture("square.png", { crop_to_models: false, image_size_px: 100 });
  assert.deepEqual([square.width, square.height], [100, 100]);
});

test("view type, yaw, pitch and models change the picture; the defaults are those of the interface", async () => {
  const image_size_px = 120;
  const said = { view_type: "ZOOM_ON_MODELS", yaw: 45, pitch: 35.264, crop_to_models: true, model_ids: [ring, slab] };
  const byDefault = await picture("a.png", { image_size_px });
  assert.deepEqual(await picture("b.png", { image_size_px, ...said }), byDefault);
  const others = [
    { view_type: "FULL_BUILD_VOLUME" },
    { view_type: "FULL_PLATFORM_WIDTH" },
    { yaw: 0 },
    { pitch: 90 },
    { pitch: -90 },
    { pitch: 120 },
    { model_ids: [slab] },
    { model_ids: [`{${ring.toUpperCase()}}`] },
  ];
  const pictures = [byDefault];
  for (const other of others) pictures.push(await picture("c.png", { image_size_px, ...other }));
  const distinct = new Set(pictures.map(({ width, rgb }) => `${width} ${Buffer.from(rgb).toString("base64")}`));
  assert.equal(distinct.size, others.length + 1);
});

test("hidden models are not drawn", async () => {
  const alone = await picture("alone.png", { image_size_px: 90, model_ids: [slab] });
  bodyOf(await server.ask("update", { scene_id, model_ids: [ring], visible: false }));
  assert.deepEqual(await picture("hidden.png", { image_size_px: 90 }), alone);
  bodyOf(await server.ask("update", { scene_id, model_ids: [ring], visible: true }));
});

test("models out of bounds have another colour", async () => {
  assert.ok(!hasWarning(await picture("inside.png", { image_size_px: 100 })));
  const out = await server.newScene();
  await server.importOne(out, server.file("long.stl", binaryStl(box([300, 20, 10]))));
  bodyOf(await render({ scene_id: out, file: path("outside.png"), image_size_px: 100 }));
  assert.ok(hasWarning(readPng(path("outside.png"))));
});

test("empty scenes, resin or powder, show their build volume", async () => {
  for (const combination of [undefined, POWDER]) {
    const empty = await server.newScene(combination);
    bodyOf(await render({ scene_id: empty, file: path("empty.png"), image_size_px: 200 }));
    const { width, height, rgb } = readPng(path("empty.png"));
    assert.equal(Math.max(width, height), 200);
    assert.ok(new Set(rgb).size > 30);
  }
});

test("a still picture can be WebP", async () => {
  bodyOf(await render({ scene_id, file: path("still.webp"), image_size_px: 64, crop_to_models: false }));
  assert.deepEqual(webpParts(path("still.webp")), { width: 64, height: 64, frames: [] });
});

test("a flyaround is an animated WebP with the requested number of frames", async () => {
  for (const ensure_constant_size of [undefined, true, false]) {
    const flyaround = { ...FLYAROUND, ensure_constant_size };
    bodyOf(await render({ scene_id, file: path("flyaround.webp"), image_size_px: 80, flyaround }));
    const { width, height, loops, frames } = webpParts(path("flyaround.webp"));
    assert.equal(Math.max(width, height), 80);
    assert.equal(loops, 0);
    assert.equal(frames.length, 6);
    for (const frame of frames) assert.deepEqual([frame.streamWidth, frame.streamHeight], [width, height]);
  }
});

test("a picture can be made in the background", async () => {
  const file = path("background.webp");
  const started = await render({ scene_id, file, image_size_px: 60, flyaround: FLYAROUND }, "?async=true");
  assert.equal((await awaitOperation(server.printwright, started)).status, "SUCCEEDED");
  assert.equal(webpParts(file).frames.length, 6);
});

test("a flyaround that is interrupted by the end of the server leaves no file", async () => {
  const other = await openTestServer();
  const scene = await other.newScene();
  await other.importOne(scene, other.file("ring.stl", binaryStl(torus(15, 5))));
  const flyaround = { ...FLYAROUND, frame_count: 600 };
  const file = join(other.folder, "cut-off.webp");
  const { body } = await other.printwright.post("/v1/scene/render/?async=true", { scene_id: scene, file, flyaround });
  await until("it is drawn", async () => (await other.printwright.call("GET", body.operation_url)).body.progress > 0);
  await other.printwright.stop();
  assert.deepEqual(readdirSync(other.folder), ["ring.stl"]);
  rmSync(other.folder, { recursive: true });
});

test("a failure leaves the older file", async () => {
  const file = path("kept.png");
  writeFileSync(file, "older");
  assertRefused(await render({ scene_id, file, model_ids: [UNKNOWN_ID] }), "NOT_FOUND");
  assertRefused(await render({ scene_id, file: path("nowhere/a.png") }), "OPERATION_FAILED", /folder does not exist/);
  assert.equal(readFileSync(file, "utf8"), "older");
});

const SCHEMA = "JSON_SCHEMA_MATCH_ERROR";
const REFUSALS: readonly [what: string, options: object, code: string, message: RegExp][] = [
  ["a flyaround as PNG", { file: "/a.png", flyaround: FLYAROUND }, SCHEMA, /^"\/flyaround"/],
  [
    "one keyframe",
    { flyaround: { ...FLYAROUND, keyframes: [{ yaw: 0, pitch: 0 }] } },
    SCHEMA,
    /"\/flyaround\/keyframes"/,
  ],
  [
    "no yaw in a keyframe",
    { flyaround: { ...FLYAROUND, keyframes: [{ yaw: 0, pitch: 0 }, { pitch: 0 }] } },
    SCHEMA,
    /yaw/,
  ],
  ["one frame", { flyaround: { ...FLYAROUND, frame_count: 1 } }, SCHEMA, /frame_count/],
  ["601 frames", { flyaround: { ...FLYAROUND, frame_count: 601 } }, SCHEMA, /frame_count/],
  ["half a frame", { flyaround: { ...FLYAROUND, frame_count: 2.5 } }, SCHEMA, /frame_count/],
  ["a yaw that is no angle", { yaw: 1e300 }, SCHEMA, /^"\/yaw"/],
  ["15 pixels", { image_size_px: 15 }, SCHEMA, /image_size_px/],
  ["4097 pixels", { image_size_px: 4097 }, SCHEMA, /image_size_px/],
  ["half a pixel", { image_size_px: 99.5 }, SCHEMA, /image_size_px/],
  ["an unknown view type", { view_type: "TOP" }, SCHEMA, /view_type/],
  ["an unknown field", { zoom: 2 }, SCHEMA, /zoom/],
  ["another extension", { file: "/a.jpg" }, "INPUT_ERROR", /\.jpg/],
  ["a relative path", { file: "a.webp" }, "INPUT_ERROR", /absolute/],
];

for (const [what, options, code, message] of REFUSALS) {
  test(`${what} is refused`, async () => {
    assertRefused(await render({ scene_id, file: path("refused.webp"), ...options }), code, message);
    assert.ok(!existsSync(path("refused.webp")));
  });
}

test("an unknown scene is refused", async () => {
  assertRefused(await render({ scene_id: UNKNOWN_ID, file: path("refused.png") }), "INPUT_ERROR");
});
