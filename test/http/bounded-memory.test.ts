import assert from "node:assert/strict";
import { closeSync, ftruncateSync, openSync, readFileSync, writeSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { after, before, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import type { Reply } from "../fixture/client.ts";
import { type Shape, box, uvSphere } from "../fixture/shapes.ts";
import { binaryStl } from "../fixture/stl-file.ts";
import { POWDER, type TestServer, assertRefused, bodyOf, openTestServer } from "../fixture/test-server.ts";
import { modelXml, objectXml, threeMfPackage } from "../fixture/three-mf-file.ts";
import { until } from "../fixture/until.ts";

// Small files and requests that need gigabytes, sent to a server with little memory.

const LIMIT_MIB = 500;
/**
 * The memory that an answer may take: reading the file up to its counts, a thread, and a fine part that is then placed many times.
 * Deno takes most.
 */
const MOST_MIB = 430;

let server: TestServer;
let scene_id: string;
before(async () => {
  server = await openTestServer(["--max-memory", `${LIMIT_MIB}M`]);
  scene_id = await server.newScene();
});
after(() => server.close());

/** MiB of the server from an entry of Linux; 0 on other systems. */
function serverMib(entry: "VmRSS" | "VmHWM"): number {
  if (process.platform !== "linux") return 0;
  const status = readFileSync(`/proc/${server.printwright.pid}/status`, "utf8");
  return Number(new RegExp(`${entry}:\\s+(\\d+)`).exec(status)![1]) / 1024;
}

/** The reply to a request, while the server answers others. Afterwards the scene is unchanged, and the peak is bounded. */
async function whilePinging(request: () => Promise<Reply>): Promise<Reply> {
  const before = await server.scene(scene_id);
  const running = new Set(["request"]);
  const reply = request().finally(() => running.clear());
  while (running.size > 0) {
    assert.equal((await server.printwright.call("GET", "/v1/")).status, 200);
    await sleep(20);
  }
  assert.deepEqual(await server.scene(scene_id), before);
  assert.ok(serverMib("VmHWM") < MOST_MIB, `peak ${serverMib("VmHWM")} MiB`);
  return reply;
}

const CUBE = objectXml(1, { surface: box([10, 10, 10]) });

/** Levels of ten components each, with a cube at the lowest. */
const nested = (levels: number): Uint8Array =>
  threeMfPackage(
    modelXml(
      CUBE +
        Array.from({ length: levels - 1 }, (_, i) => {
          const components = `<component objectid="${i + 1}"/>`.repeat(10);
          return `<object id="${i + 2}" type="model"><components>${components}</components></object>`;
        }).join(""),
      `<item objectid="${levels}"/>`,
    ),
  );

/** A file of which only the first bytes take space on the disk. */
function sparse(name: string, head: Uint8Array, size: number): string {
  const path = join(server.folder, name);
  const fd = openSync(path, "w");
  writeSync(fd, head);
  ftruncateSync(fd, size);
  closeSync(fd);
  return path;
}

function sparseStl(name: string, facets: number): string {
  const head = new Uint8Array(84);
  new DataView(head.buffer).setUint32(80, facets, true);
  return sparse(name, head, 84 + 50 * facets);
}

/** A 3MF file whose model part claims to unpack to 400 MB, as a bomb of blanks or vertices would. */
function bomb(): Uint8Array {
  const bytes = Buffer.from(threeMfPackage(modelXml(CUBE, '<item objectid="1"/>')));
  const name = bytes.lastIndexOf("3D/3dmodel.model");
  // The size in the central directory (APPNOTE.TXT, section 4.3.12): the name is at 46, the unpacked size at 24.
  bytes.writeUInt32LE(400e6, name - 46 + 24);
  return bytes;
}

const FILES: Readonly<Record<string, [file: () => string, code: string, message: RegExp]>> = {
  "200,000 items in 10 kB": [
    () => server.file("items.3mf", threeMfPackage(modelXml(CUBE, '<item objectid="1"/>'.repeat(200_000)))),
    "INPUT_ERROR",
    /has more than 10000 parts, the most accepted: split it/,
  ],
  "seven levels of ten components": [
    () => server.file("seven.3mf", nested(7)),
    "OPERATION_FAILED",
    /"seven\.3mf" needs about .* free: .*--max-memory/,
  ],
  "twelve levels of ten components": [
    () => server.file("twelve.3mf", nested(12)),
    "OPERATION_FAILED",
    /1200000000000 triangles, 20000000 are the most accepted; split it/,
  ],
  "a zip bomb": [() => server.file("bomb.3mf", bomb()), "OPERATION_FAILED", /"bomb\.3mf" needs about .* free/],
  "a sparse STL of 4 GB": [
    () => sparseStl("sparse.stl", 80_000_000),
    "OPERATION_FAILED",
    /has 4000000084 bytes, 2147483648 are the most accepted; split it/,
  ],
  "a sparse STL of 1.5 GB": [
    () => sparseStl("sparse-too.stl", 30_000_000),
    "OPERATION_FAILED",
    /has 30000000 triangles, 20000000 are the most accepted; split it/,
  ],
  "a sparse STL of 500 MB": [
    () => sparseStl("sparse-also.stl", 10_000_000),
    "OPERATION_FAILED",
    /"sparse-also\.stl" needs about 1\.4 GiB of memory/,
  ],
  "a sparse OBJ of 1 GB": [
    () => sparse("sparse.obj", new TextEncoder().encode("v 0 0 0\n"), 2 ** 30),
    "OPERATION_FAILED",
    /"sparse\.obj" needs about/,
  ],
  "a sparse STEP file of 300 MB": [
    () => sparse("sparse.step", new TextEncoder().encode("ISO-10303-21;\n"), 300e6),
    "OPERATION_FAILED",
    /"sparse\.step" needs about/,
  ],
  "a sparse project of 4 GB": [
    () => sparse("sparse.form", new TextEncoder().encode("PK"), 4e9),
    "OPERATION_FAILED",
    /sparse\.form.*no valid zip/,
  ],
};

for (const [what, [make, code, message]] of Object.entries(FILES)) {
  test(`${what}: refused before anything of that size is made`, async () => {
    const file = make();
    const path = file.endsWith(".form") ? "/v1/scene/open/" : "/v1/scene/model/import/";
    const body = file.endsWith(".form") ? { file } : { scene_id, file, repair_behavior: "IGNORE" };
    assertRefused(await whilePinging(() => server.printwright.post(path, body)), code, message);
  });
}

test("a split into more models than a scene may have is refused before its parts are made", async () => {
  const other = await server.newScene();
  const id = await server.importOne(
    other,
    server.file("one.3mf", threeMfPackage(modelXml(CUBE, '<item objectid="1"/>'))),
  );
  bodyOf(await server.ask("duplicate", { scene_id: other, model_ids: [id], count: 9_998 }));
  const file = server.file("two.3mf", threeMfPackage(modelXml(CUBE, '<item objectid="1"/>'.repeat(2))));
  const reply = await server.import(other, file, { split_multi_model_file: true });
  assertRefused(reply, "INPUT_ERROR", /has 2 parts, and the scene has room for 1 more/);
  assert.equal((await server.models(other)).length, 9_999);
});

/** 150,000 facets. */
const FINE = uvSphere(6, 390, 194);

const POWDER_WORK: Readonly<
  Record<string, [shape: Shape, copies: number, action: string, body: object, message: RegExp]>
> = {
  "a cage with 46,000 openings and a label": [
    box([130, 130, 280]),
    0,
    "cage",
    {
      packing_type: "PACK_NONE",
      bar_spacing_mm: 1,
      bar_thickness_mm: 1,
      enable_square_bars: false,
      generate_mesh_label: true,
    },
    /The lattice needs about .* free: raise bar_spacing_mm/,
  ],
  "a packing of 50 fine parts": [FINE, 49, "auto-pack", {}, /needs about .* free: use fewer or coarser models/],
  "a cage of 50 fine parts": [FINE, 49, "cage", {}, /needs about .* free: use fewer or coarser models/],
};

for (const [what, [shape, copies, action, body, message]] of Object.entries(POWDER_WORK)) {
  test(`${what}: refused before anything of that size is made`, async () => {
    const chamber = await server.newScene(POWDER);
    await server.importOne(chamber, server.file("part.stl", binaryStl(shape)));
    if (copies > 0) bodyOf(await server.ask("duplicate", { scene_id: chamber, count: copies }));
    const before = await server.models(chamber);
    const reply = await whilePinging(() => server.ask(action, { scene_id: chamber, ...body }));
    assertRefused(reply, "OPERATION_FAILED", message);
    assert.deepEqual(await server.models(chamber), before);
    bodyOf(await server.printwright.call("DELETE", "/v1/scene/delete/", { scene_id: chamber }));
  });
}

test("a picture that does not fit is refused, and a smaller one is drawn", async () => {
  const small = await openTestServer(["--max-memory", "300M"]);
  const id = await small.newScene();
  const render = (image_size_px: number): Promise<Reply> =>
    small.printwright.post("/v1/scene/render/", {
      scene_id: id,
      file: join(small.folder, "picture.png"),
      image_size_px,
    });
  assertRefused(await render(4096), "OPERATION_FAILED", /needs about \d+ MiB of memory/);
  assert.equal((await render(512)).status, 200);
  await small.close();
});

test("the process gives its memory back", async () => {
  // The memory that remains under Deno after scenes of thousands of models; the refused files would take gigabytes.
  const restMib = 360;
  await until(`at most ${restMib} MiB remain`, () => serverMib("VmRSS") <= restMib);
});
