import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { after, before, test } from "node:test";
import { ENDPOINTS } from "../../src/feature/endpoints.ts";
import { type CompatServer, QUEUE_ID, USER, assertReply, errorOf } from "./compat-server.ts";
import { longTest } from "../fixture/long.ts";
import { type Reply, awaitOperation, call } from "../fixture/client.ts";
import { PASSWORD } from "../fixture/printers-file.ts";
import { box } from "../fixture/shapes.ts";
import { binaryStl } from "../fixture/stl-file.ts";
import { type TestServer, bodyOf, openTestServer } from "../fixture/test-server.ts";

/** The requests of the known clients of the 0.9 interface, in the order in which the clients send them. */
export function clientsSuite(serverOf: () => CompatServer): void {
  type Body = Reply["body"];

  let server: CompatServer;
  let plain: TestServer;
  before(async () => {
    server = serverOf();
    plain = await openTestServer(["--no-page"]);
  });
  after(() => plain.close());

  const post = async (path: string, body?: object): Promise<Body> => bodyOf(await server.post(path, body));
  const get = async (path: string): Promise<Body> => bodyOf(await server.get(path));
  const out = (name: string): string => `${server.folder}/${name}`;

  /** The result of a request, polled as a client does. */
  async function polled(path: string, body?: object, method = "POST"): Promise<Body> {
    const begun = await server.printwright.call(method, `${path}?async=true`, body);
    const { status, result } = await awaitOperation(server.printwright, begun);
    assert.equal(status, "SUCCEEDED", JSON.stringify(result));
    return result;
  }

  test("hello-server: the version of the server, then a scene of a material that the catalog must have", async () => {
    assert.match((await get("/")).version, /^\d+\.\d+/);
    const asked = {
      machine_type: "FORM-4-0",
      material_code: "FLRG1011",
      print_setting: "DEFAULT",
      layer_thickness_mm: 0.1,
    };
    const scene = await post("/scene/", asked);
    assertReply(scene, "SCENE");
    assert.deepEqual(scene.scene_settings, { ...asked, layer_thickness_mm: "0.1" });
  });

  test("batching-minimal: a part that does not fit on a plate begins the next one", async () => {
    const settings = { machine_type: "FORM-4-0", material_code: "FLGPGR05", layer_thickness_mm: 0.1 };
    const saved: string[] = [];
    let { id: scene } = await post("/scene/", settings);
    const parts = ["rod.stl", "part.stl"];
    // The rod is longer than any plate.
    server.file("rod.stl", binaryStl(box([250, 1, 1])));
    server.file("part.stl", binaryStl(box([5, 6, 4])));
    const lock = "LOCKED_XY_ROTATION_FREE_TRANSLATION";
    for (const part of parts) {
      const { id: model } = await post(`/scene/${scene}/import-model/`, { file: out(part), lock });
      await post(`/scene/${scene}/auto-orient/`, { models: [model], mode: "DENTAL", tilt: 0 });
      await post(`/scene/${scene}/auto-support/`, { models: [model], density: 0 });
      const layout = await server.post(`/scene/${scene}/auto-layout/`, { models: "ALL" });
      if (layout.status === 200) continue;
      assert.equal(layout.status, 400);
      assert.equal((await server.printwright.call("DELETE", `/scene/${scene}/models/${model}/`)).status, 200);
      assert.deepEqual((await get(`/scene/${scene}/`)).models, []);
      saved.push(out(`plate-${saved.length}.form`));
      await post(`/scene/${scene}/save-form/`, { file: saved.at(-1) });
      ({ id: scene } = await post("/scene/", settings));
    }
    assert.equal(saved.length, 1);
    assert.ok(existsSync(saved[0]));
    await post("/login/", { username: USER, password: PASSWORD });
    assertReply(await post(`/scene/${scene}/print/`, { printer: QUEUE_ID, job_name: "batch" }), "JOB");
  });

  test("list-materials: its settings make scenes unchanged", async () => {
    const { printer_types } = await get("/list-materials/");
    assertReply({ printer_types }, "MATERIALS");
    for (const { materials } of printer_types) {
      const [{ scene_settings }] = materials[0].material_settings;
      assertReply(await post("/scene/", scene_settings), "SCENE");
    }
  });

  test("speedrun: a project is opened, its print setting is changed in a file and applied, and it is printed", async () => {
    await server.sceneOf(1);
    await post("/scene/save-form/", { file: out("speed.form") });
    const { id } = await post("/load-form/", { file: out("speed.form") });
    const before = await post("/scene/estimate-print-time/");
    await post("/scene/save-fps-file/", { file: out("speed.fps") });
    const fps = JSON.parse(readFileSync(out("speed.fps"), "utf8"));
    assert.equal(typeof fps.metadata.id, "string");
    assert.equal(typeof fps.metadata.name, "string");
    assert.ok(fps.public_fields.categories.every(({ key, values }: Body) => typeof key === "string" && values));
    fps.metadata.name = "fast";
    const layers = fps.public_fields.categories.find(({ values }: Body) => values.layer_thickness);
    layers.values.layer_thickness.layer_thickness_mm = 0.2;
    server.file("fast.fps", JSON.stringify(fps));
    const scene = bodyOf(await server.printwright.call("PUT", "/scene/", { fps_file: out("fast.fps") }));
    assert.equal(scene.id, id);
    assert.ok(scene.scene_settings.custom_print_setting_id);
    const after = await post("/scene/estimate-print-time/");
    assert.ok(after.total_print_time_s < before.total_print_time_s);
    await post("/scene/save-form/", { file: out("fast.form") });
    assertReply(await post("/scene/print/", { printer: "Vee", job_name: "speedrun" }), "JOB");
  });

  test("print_dialog: printers, materials, a login, a scene, and a print that is polled", async () => {
    await get("/list-materials/");
    errorOf(await server.post("/login/", { username: USER, password: "wrong" }));
    await post("/login/", { username: USER, password: PASSWORD });
    assert.equal((await get("/user/")).username, USER);
    // With can_print, devices that accept a job are listed even if they cannot print it now: a group, and a printer that prints.
    const { devices } = await get("/devices/?can_print=true");
    // Only ids are compared, because states change with the time of a print.
    const namesOf = (list: Body[]): string[] => list.map(({ id }) => id);
    assert.deepEqual(namesOf(devices), namesOf((await get("/devices/")).devices));
    const group = devices.find(({ product_name }: Body) => product_name === "Printer Group");
    assert.equal(group.dashboard_queue_id, QUEUE_ID);
    // The dialog offers a group for the printer types that have a machine type in common with it.
    assert.deepEqual(group.supported_machine_type_ids, ["FORM-4-0"]);
    await post("/scene/", {
      machine_type: "FORM-4-0",
      material_code: "FLGPGR05",
      print_setting: "DEFAULT",
      layer_thickness_mm: 0.1,
    });
    await post("/scene/import-model/", { file: server.block });
    assertReply(await polled("/scene/print/", { printer: QUEUE_ID, job_name: "dialog", print_now: false }), "JOB");
    const found = await server.post("/discover-devices/", { ip_address: "192.0.2.7", timeout_seconds: 0 });
    assert.deepEqual(bodyOf(found), { count: 0, devices: [] });
    await post("/logout/");
    errorOf(await server.get("/user/"), 404);
  });

  longTest("web-sls-packer: a chamber is loaded, filled, packed, drawn and saved", async () => {
    await post("/scene/", { machine_type: "FS30-1-0", material_code: "FLP11C01", layer_thickness_mm: 0.11 });
    await post("/scene/save-form/", { file: out("empty.form") });
    await post("/load-form/", { file: out("empty.form") });
    for (const file of [server.block, server.spike]) await post("/scene/import-model/", { file });
    await post("/scene/auto-pack/", {});
    await post("/scene/save-screenshot/", { file: out("packed.png"), image_size_px: 64 });
    const { models } = await get("/scene/");
    assert.deepEqual(
      models.map(({ in_bounds }: Body) => in_bounds),
      [true, true],
    );
    await post("/scene/save-form/", { file: out("packed.form") });
    assert.ok(existsSync(out("packed.png")) && existsSync(out("packed.form")));
  });

  longTest("the smoke tests of the MCP server, older and newer", async () => {
    await get("/");
    await get("/list-materials/");
    const { id } = await post("/scene/", {
      machine_type: "FORM-4-0",
      material_code: "FLGPBK05",
      layer_thickness_mm: 0.025,
    });
    bodyOf(
      await server.printwright.call("PUT", `/scene/${id}/`, {
        machine_type: "FORM-4-0",
        material_code: "FLGPBK05",
        layer_thickness_mm: 0.1,
      }),
    );
    const imported = await polled(`/scene/${id}/import-model/`, {
      file: server.file("small.stl", binaryStl(box([4, 5, 6]))),
      repair_behavior: "REPAIR",
      units: "MILLIMETERS",
      scale: 1.0,
    });
    assertReply(imported, "MODEL");
    for (const action of ["auto-orient", "auto-support", "auto-layout"])
      await polled(`/scene/${id}/${action}/`, { models: "ALL" });
    const { per_model_results } = await polled(`/scene/${id}/print-validation/`, undefined, "GET");
    assertReply({ per_model_results }, "VALIDATION");
    assert.deepEqual(Object.keys(per_model_results), [imported.id]);
    assert.equal(per_model_results[imported.id].unsupported_minima, 0);
    assert.equal(per_model_results[imported.id].undersupported, false);
    const [{ bounding_box }] = (await get(`/scene/${id}/`)).models;
    const { min_corner: min, max_corner: max } = bounding_box;
    const drilled = await post(`/scene/${id}/add-drain-holes/`, {
      model_id: imported.id,
      drain_holes: [
        {
          orientation: { x: 0, y: 0, z: 0 },
          position: { x: (min.x + max.x) / 2, y: (min.y + max.y) / 2, z: min.z - 1 },
          diameter_mm: 3.5,
          depth_mm: "AUTO",
          create_plug: false,
          max_search_distance: 50,
        },
      ],
    });
    assertReply(drilled, "DRILLED");
    assertReply(await polled(`/scene/${id}/estimate-print-time/`), "TIME");
    await polled(`/scene/${id}/save-form/`, { file: out("smoke.form") });
    await polled(`/scene/${id}/save-screenshot/`, { file: out("smoke.png"), image_size_px: 64 });
    assert.equal((await polled("/load-form/", { file: out("smoke.form") })).models.length, 1);
    assert.ok((await get("/scenes/")).scenes.some((scene: Body) => scene.id === id));
  });

  test("openHAB requests a printer by its name, without a slash at the end", async () => {
    const device = await get("/devices/Fuse");
    assertReply(device, "DEVICE");
    assert.match(device.status, /\w/);
  });

  test("programs get JSON at /, whatever they send as Accept", async () => {
    const { port } = server.printwright;
    for (const accept of ["*/*", "application/json", undefined]) {
      const { headers, body } = await call(port, "GET", "/", undefined, { headers: accept ? { Accept: accept } : {} });
      assert.match(String(headers["content-type"]), /^application\/json/);
      assert.ok(body.version);
    }
  });

  test("the answers of /v1/ have the same bytes with and without the 0.9 interface", async () => {
    const requests = [["GET"], ["PUT"], ["POST", {}], ["POST", { x: 1, scene_id: "nonsense" }]] as const;
    for (const { path } of ENDPOINTS) {
      // The two servers have different scenes, operations and printers.
      if (/scene\/list|operation\/list|device\/list|discover/.test(path)) continue;
      for (const [method, body] of requests) {
        const [here, there] = await Promise.all(
          [server, plain].map(({ printwright }) => printwright.call(method, `${path}?async=True`, body)),
        );
        assert.equal(here.status, there.status, path);
        assert.deepEqual(here.body, there.body, path);
        for (const header of ["content-type", "content-length", "allow"])
          assert.equal(here.headers[header], there.headers[header], path);
      }
    }
    const strict = await server.printwright.post("/v1/scene/create/", { machine_type: "FORM-4-0", extra: null });
    assert.equal(errorOf(strict), "JSON_SCHEMA_MATCH_ERROR");
  });
}
