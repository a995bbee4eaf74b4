import assert from "node:assert/strict";
import { before, test } from "node:test";
import { type CompatServer, POWDER_SCENE, RESIN_SCENE, errorOf } from "./compat-server.ts";
import { type Reply, awaitOperation } from "../fixture/client.ts";
import { longTest } from "../fixture/long.ts";
import { box } from "../fixture/shapes.ts";
import { binaryStl } from "../fixture/stl-file.ts";
import { assertNear, bodyOf } from "../fixture/test-server.ts";

/** The changes of scenes by requests of the 0.9 interface: all of a request or nothing, in the order of the reference. */
export function changesSuite(serverOf: () => CompatServer): void {
  type Body = Reply["body"];

  let server: CompatServer;
  before(async () => {
    server = serverOf();
  });

  const sceneNow = async (id: string): Promise<Body> => bodyOf(await server.get(`/scene/${id}/`));
  const modelNow = async (scene: string, id: string): Promise<Body> =>
    bodyOf(await server.get(`/scene/${scene}/models/${id}/`));

  /** Asserts that a request to a scene fails and changes neither it nor the list of scenes. */
  async function changesNothing(scene: string, path: string, body: object): Promise<void> {
    const [before, list] = [await sceneNow(scene), await server.get("/scenes/")];
    errorOf(await server.post(path, body));
    assert.deepEqual(await sceneNow(scene), before);
    const begun = await server.post(`${path}?async=true`, body);
    if (begun.status === 202) {
      assert.equal((await awaitOperation(server.printwright, begun)).status, "FAILED");
    }
    assert.deepEqual((await server.get("/scenes/")).body, list.body);
  }

  const MATRIX_OF_NO_ROTATION = {
    linear: [
      [2, 0, 0],
      [0, 1, 0],
      [0, 0, 1],
    ],
  };

  test("an import whose placement fails at any later step imports nothing", async () => {
    const { id } = await server.sceneOf(1);
    for (const placement of [
      { scale: 0 },
      { scale: -1 },
      { scale: 2, orientation: MATRIX_OF_NO_ROTATION },
      { scale: 2, orientation: { x: 0, y: 0, z: 90 }, position: { x: 2e6, y: 0, z: 0 } },
      { position: { x: 0, y: 0 } },
    ]) {
      await changesNothing(id, `/scene/${id}/import-model/`, { file: server.block, ...placement });
    }
  });

  test("a change of a model that fails at any later step changes nothing of it", async () => {
    const { id, models } = await server.sceneOf(1);
    const first = { units: "INCHES", scale: 0.5 };
    for (const last of [
      { scale: 0 },
      { orientation: MATRIX_OF_NO_ROTATION },
      { position: { x: 2e6, y: 0, z: 0 } },
      { name: "n".repeat(2000) },
      { lock: "LOOSE" },
    ]) {
      await changesNothing(id, `/scene/${id}/models/${models[0]}/`, { ...first, ...last });
    }
  });

  test("a replacement or a scan that fails after the import of its file leaves nothing behind", async () => {
    const { id, models } = await server.sceneOf(1);
    const open = server.file(
      "open.stl",
      binaryStl({ ...box([5, 5, 5]), triangles: box([5, 5, 5]).triangles.slice(3) }),
    );
    await changesNothing(id, `/scene/${id}/models/${models[0]}/replace/`, { file: open });
    const scan = { cutoff_height_mm: 500, extrude_distance_mm: 2 };
    await changesNothing(id, `/scene/${id}/scan-to-model/`, { file: server.block, ...scan });
    await changesNothing(id, `/scene/${id}/scan-to-model/`, { ...scan, file: server.block, files: ["/nowhere/b.stl"] });
  });

  test("a new default scene whose settings are unknown does not empty the default scene", async () => {
    const { id } = bodyOf(await server.get("/scene/default/"));
    bodyOf(await server.post("/scene/default/import-model/", { file: server.block }));
    await changesNothing(id, "/scene/default/", { ...RESIN_SCENE, material_code: "NONE" });
    const settings = { ...RESIN_SCENE, layer_thickness_mm: 0.05 };
    const emptied = bodyOf(await server.post("/scene/default/", settings));
    assert.equal(emptied.id, id);
    assert.deepEqual(emptied.models, []);
    assert.equal(emptied.scene_settings.layer_thickness_mm, "0.05");
  });

  test("a change sets the units, scale, orientation, position, name and lock of a model, in this order", async () => {
    const { id, models } = await server.sceneOf(1, POWDER_SCENE);
    const change = {
      position: { x: 5, y: -5, z: 60, w: 1 },
      orientation: { x: 0, y: 0, z: 90 },
      scale: 0.5,
      units: "INCHES",
      lock: "LOCKED_XY_FLIP_ENABLED",
      name: "renamed",
    };
    assert.equal(bodyOf(await server.post(`/scene/${id}/models/${models[0]}/`, change)), undefined);
    const model = await modelNow(id, models[0]);
    assertNear(model.position, { x: 5, y: -5, z: 60 });
    assertNear(model.orientation, change.orientation);
    assert.equal(model.scale, 0.5);
    assert.equal(model.units, "INCHES");
    assert.equal(model.name, "renamed");
    assertNear(model.bounding_box.max_corner.x - model.bounding_box.min_corner.x, 127, 1e-3);
    // Clients of 0.9 do not know the lock that is set.
    assert.equal(model.lock, "LOCKED_XY_ROTATION_FREE_TRANSLATION");
    const { models: inV1 } = bodyOf(await server.printwright.post("/v1/scene/model/list/", { scene_id: id }));
    assert.equal(inV1[0].lock, "LOCKED_XY_FLIP_ENABLED");
  });

  test("without `models`, and with ALL, an action applies to all models; an empty list selects none", async () => {
    const { id } = await server.sceneOf(0);
    const file = server.file("small.stl", binaryStl(box([2, 2, 2])));
    const models: string[] = [];
    for (const x of [-20, 20]) {
      const position = { x, y: 0, z: 0 };
      models.push(bodyOf(await server.post(`/scene/${id}/import-model/`, { file, position })).id);
    }
    const supported = async (): Promise<boolean[]> =>
      (await sceneNow(id)).models.map(({ has_supports }: Body) => has_supports);
    bodyOf(await server.post(`/scene/${id}/auto-support/`, { models: [] }));
    assert.deepEqual(await supported(), [false, false]);
    bodyOf(await server.post(`/scene/${id}/auto-support/`, { density: 0, models: [`{${models[1].toUpperCase()}}`] }));
    assert.deepEqual(await supported(), [false, true]);
    bodyOf(await server.post(`/scene/${id}/auto-support/`));
    assert.deepEqual(await supported(), [true, true]);
  });

  test("a raft is also accepted under its name in versions before 0.9.7", async () => {
    const { id } = await server.sceneOf(1);
    bodyOf(await server.post(`/scene/${id}/auto-support/`, { density: 0, raft_type: "MINI_RAFTS" }));
    assert.ok((await sceneNow(id)).models[0].has_supports);
    errorOf(await server.post(`/scene/${id}/auto-support/`, { density: 0, raft_type: "MINI" }));
  });

  longTest("auto-layout is 400 when not all models fit, and nothing moves", async () => {
    const { id, models } = await server.sceneOf(1);
    bodyOf(await server.post(`/scene/${id}/models/${models[0]}/`, { scale: 30 }));
    await changesNothing(id, `/scene/${id}/auto-layout/`, { models: "ALL" });
  });

  /** The least distance of models from the sides of a platform of this size, in mm. */
  const distanceFromSides = (models: Body[], { x, y }: Body): number =>
    Math.min(
      ...models.flatMap(({ bounding_box: { min_corner: min, max_corner: max } }) => [
        x / 2 + min.x,
        x / 2 - max.x,
        y / 2 + min.y,
        y / 2 - max.y,
      ]),
    );

  test("a margin keeps a layout away from the sides of the platform, a distance a packing from the walls; fields without effect are named in a warning", async () => {
    const { id } = await server.sceneOf(1);
    const side = { custom_bounds: { x_max_mm: -70 } };
    const laidOut = bodyOf(
      await server.post(`/scene/${id}/auto-layout/`, {
        ...side,
        placement_margin_mm: 15,
        build_platform_2_optimized: true,
      }),
    );
    // In the middle of the whole strip the distance would be 10.
    assertNear(distanceFromSides(laidOut.models, laidOut.build_volume.dimensions_mm), 17.5, 1e-3);
    assert.match(laidOut.warnings.join(), /build_platform_2_optimized/);
    await changesNothing(id, `/scene/${id}/auto-layout/`, { ...side, placement_margin_mm: 25 });
    await changesNothing(id, `/scene/${id}/auto-layout/`, { placement_margin_mm: 100 });

    const powder = await server.sceneOf(1, POWDER_SCENE);
    const pack = `/scene/${powder.id}/auto-pack/`;
    const packed = bodyOf(await server.post(pack, { distance_from_wall_mm: 60, packing_mode: "PACK_HEIGHT", seed: 1 }));
    assert.ok(distanceFromSides(packed.models, packed.build_volume.dimensions_mm) > 60 - 1e-3);
    assert.match(packed.warnings.join(), /^seed has no effect[^/]*$/);
    await changesNothing(powder.id, pack, { distance_from_wall_mm: 82.5 });
  });

  test("hollow without a wall thickness uses a default; if no model can be hollowed, the answer lists the failed ones", async () => {
    const { id, models } = await server.sceneOf(1);
    const failed = await server.post(`/scene/${id}/hollow/`, { models: "ALL", wall_thickness_mm: 6 });
    assert.equal(errorOf(failed), "OPERATION_FAILED");
    assert.deepEqual(failed.body.failures, models);
    assert.match(failed.body.error.message, /repair_behavior "REPAIR" of \/scene\/\{scene_id\}\/import-model\//);
    const begun = await server.post(`/scene/${id}/hollow/?async=true`, { wall_thickness_mm: 6 });
    assert.deepEqual((await awaitOperation(server.printwright, begun)).result, failed.body);
    const unknown = await server.post(`/scene/${id}/hollow/`, { models: ["nobody"] });
    errorOf(unknown);
    assert.equal(unknown.body.failures, undefined);
  });

  test("a hole with an upright orientation is drilled from below the model, too; one that meets nothing is a warning", async () => {
    const { id, models } = await server.sceneOf(1);
    const drill = async (position: object, fields: object = {}): Promise<Body> =>
      bodyOf(
        await server.post(`/scene/${id}/add-drain-holes/`, {
          model_id: models[0],
          drain_holes: [
            {
              orientation: { x: 0, y: 0, z: 0 },
              position,
              diameter_mm: 2,
              depth_mm: "AUTO",
              create_plug: false,
              ...fields,
            },
          ],
        }),
      );
    const { material_usage: before } = await sceneNow(id);
    const missed = await drill({ x: 80, y: 50, z: 0 });
    assert.deepEqual(missed.plugs, []);
    assert.equal(missed.warnings.length, 1);
    assert.deepEqual((await sceneNow(id)).material_usage, before);
    assert.deepEqual((await drill({ x: -20, y: 0, z: -0.5 })).warnings, []);
    // A position far below the model, as from below supports: the nearest surface within 25 mm is used.
    assert.deepEqual((await drill({ x: -23, y: 3, z: -20 })).warnings, []);
    const removed = before.volume_ml - (await sceneNow(id)).material_usage.volume_ml;
    assertNear(removed, (2 * Math.PI * 10) / 1000, 0.002);
    // The same hole from the side, with its axes as directions: z of the hole is x of the scene.
    const directions = { z_direction: [1, 0, 0], x_direction: [0, 1, 0] };
    const plugged = await drill({ x: -15, y: 3, z: 8 }, { orientation: directions, depth_mm: 2, create_plug: true });
    assert.equal(plugged.plugs.length, 1);
    assert.equal((await modelNow(id, plugged.plugs[0])).lock, "FREE");
  });

  test("a hole from below a tilted part pierces its wall, and does not nick the nearest edge", async () => {
    const { id, models } = await server.sceneOf(1);
    await server.post(`/scene/${id}/models/${models[0]}/`, { scale: 2, orientation: { x: 15, y: 0, z: 0 } });
    bodyOf(await server.post(`/scene/${id}/hollow/`, { wall_thickness_mm: 2 }));
    const { min_corner: min, max_corner: max } = (await modelNow(id, models[0])).bounding_box;
    const hole = {
      position: { x: (min.x + max.x) / 2, y: (min.y + max.y) / 2, z: min.z - 1 },
      orientation: { z_direction: [0, 0, 1], x_direction: [1, 0, 0] },
      diameter_mm: 1.5,
      depth_mm: "AUTO",
      max_search_distance: max.z - min.z + 2,
      create_plug: false,
    };
    const { infos } = bodyOf(
      await server.post(`/scene/${id}/add-drain-holes/`, { model_id: models[0], drain_holes: [hole] }),
    );
    const [, depthMm] = /is ([\d.]+) mm deep/.exec(infos[0])!;
    assert.ok(Number(depthMm) > 2, infos[0]);
  });

  test("paths without a scene apply to the newest existing one, also after others were deleted", async () => {
    const [first, second, third] = [await server.sceneOf(0), await server.sceneOf(0), await server.sceneOf(0)];
    const newest = async (): Promise<string> => bodyOf(await server.get("/scene/")).id;
    assert.equal(await newest(), third.id);
    bodyOf(await server.printwright.call("DELETE", `/scene/${second.id}/`));
    assert.equal(await newest(), third.id);
    bodyOf(await server.printwright.call("DELETE", `/scene/${third.id}/`));
    assert.equal(await newest(), first.id);
    const { scene_id } = bodyOf(await server.printwright.post("/v1/scene/create/", RESIN_SCENE));
    assert.equal(await newest(), scene_id);
    const file = `${server.folder}/two.form`;
    bodyOf(await server.printwright.post("/v1/scene/save/", { scene_ids: [first.id, scene_id], file }));
    const opened = bodyOf(await server.post("/load-form/", { file }));
    assert.equal(await newest(), opened.id);
    const { id: defaultId } = bodyOf(await server.post("/scene/default/", RESIN_SCENE));
    assert.equal(await newest(), defaultId);
    for (const { id } of bodyOf(await server.get("/scenes/")).scenes) {
      if (id !== defaultId) bodyOf(await server.printwright.call("DELETE", `/scene/${id}/`));
    }
    assert.equal(await newest(), defaultId);
  });

  test("ids in paths may have braces and capitals, as in bodies; deleting the default scene answers with its new state", async () => {
    const { id, models } = await server.sceneOf(1);
    const braced = (text: string): string => encodeURIComponent(`{${text.toUpperCase()}}`);
    assert.equal(bodyOf(await server.get(`/scene/${braced(id)}/models/${braced(models[0])}/`)).id, models[0]);
    const { id: defaultId } = bodyOf(await server.get("/scene/default/"));
    bodyOf(await server.post("/scene/default/import-model/", { file: server.block }));
    const emptied = bodyOf(await server.printwright.call("DELETE", `/scene/${braced(defaultId)}/`));
    assert.equal(emptied.id, defaultId);
    assert.deepEqual(emptied.models, []);
  });

  test("the answer to a deletion has the scene as it was", async () => {
    const { id } = await server.sceneOf(1);
    const before = await sceneNow(id);
    assert.deepEqual(bodyOf(await server.printwright.call("DELETE", `/scene/${id}/`)), before);
    errorOf(await server.get(`/scene/${id}/`));
  });

  test("a change of some settings keeps the others", async () => {
    const { id } = await server.sceneOf(1);
    const put = (body: object) => server.printwright.call("PUT", `/scene/${id}/`, body);
    const { scene_settings: before } = await sceneNow(id);
    const { scene_settings } = bodyOf(await put({ layer_thickness_mm: 0.05 }));
    assert.deepEqual(scene_settings, { ...before, layer_thickness_mm: "0.05" });
    const { scene_settings: other } = bodyOf(await put({ material_code: "FLGPBK05" }));
    assert.deepEqual(other, { ...scene_settings, material_code: "FLGPBK05" });
    assert.deepEqual(bodyOf(await put({})).scene_settings, other);
    assert.equal(errorOf(await put({ layer_thickness_mm: 0.07 })), "INPUT_ERROR");
    assert.equal(errorOf(await put({ machine_type: 4 })), "JSON_SCHEMA_MATCH_ERROR");
    assert.deepEqual((await sceneNow(id)).scene_settings, other);
  });

  test("a printer whose name has a slash is found, with the slash escaped or not", async () => {
    for (const name of ["Shop/Vee 2", "Shop%2FVee%202"]) {
      const path = `/devices/${name.replace(" ", "%20")}`;
      for (const slash of ["", "/"]) assert.equal(bodyOf(await server.get(`${path}${slash}`)).id, "Shop/Vee 2");
    }
    assert.match((await server.get("/devices/Shop/None/")).body.error.message, /"Shop\/None"/);
  });

  test("messages name fields as 0.9 does, and the refusal of a form upload says that requests name files by path", async () => {
    const { id, models } = await server.sceneOf(1);
    const messageOf = async (path: string, body: object): Promise<string> =>
      (await server.post(path, body)).body.error.message;
    assert.match(await messageOf(`/scene/${id}/auto-layout/`, { models: 5 }), /^"\/models": /);
    assert.match(await messageOf("/discover-devices/", { ip_address: 5 }), /^"\/ip_address": /);
    assert.match(await messageOf("/upload-firmware/", { printer: "Vee", file_path: 5 }), /^"\/file_path": /);
    const hole = {
      orientation: { x: 0, y: 0, z: 0 },
      position: { x: 0, y: 0, z: 0 },
      diameter_mm: 1,
      depth_mm: "AUTO",
    };
    const drain_holes = [{ ...hole, max_search_distance: "x" }];
    assert.match(
      await messageOf(`/scene/${id}/add-drain-holes/`, { model_id: models[0], drain_holes }),
      /^"\/drain_holes\/0\/max_search_distance": /,
    );
    const form = new FormData();
    form.append("file", new Blob(["solid"]), "part.stl");
    // The bytes of a model file may be brackets, too, more than the allowed nesting of a body.
    const binary = new FormData();
    binary.append("file", new Blob([Buffer.from(binaryStl(box([1, 2, 3]))), "[".repeat(1000)]), "part.stl");
    const url = `http://127.0.0.1:${server.printwright.port}`;
    for (const body of [form, binary, "file=part.stl&units=MILLIMETERS"]) {
      const reply = await fetch(`${url}/scene/${id}/import-model/`, { method: "POST", body });
      const { error } = await reply.json();
      assert.deepEqual([reply.status, error.code], [400, "JSON_PARSE_ERROR"]);
      assert.match(error.message, /it is a form; send a JSON object\. Files are not uploaded/);
    }
  });

  test("a custom print setting appears with its id, and the id is accepted", async () => {
    const { id } = await server.sceneOf(0);
    const file = `${server.folder}/custom.fps`;
    bodyOf(await server.post(`/scene/${id}/save-fps-file/`, { file }));
    const { scene_settings } = bodyOf(await server.post("/scene/", { fps_file: file }));
    assert.ok(scene_settings.custom_print_setting_id);
    const copy = bodyOf(await server.post("/scene/", scene_settings));
    assert.deepEqual(copy.scene_settings, scene_settings);
    assert.deepEqual(
      bodyOf(await server.printwright.call("PUT", `/scene/${id}/`, scene_settings)).scene_settings,
      scene_settings,
    );
    for (const custom_print_setting_id of [id, "nonsense"])
      assert.equal(
        errorOf(await server.post("/scene/", { ...scene_settings, custom_print_setting_id })),
        "INPUT_ERROR",
      );
  });

  test("without print_now, a print starts on a ready printer and waits on one that is not ready", async () => {
    const { id } = await server.sceneOf(0);
    // The part is small, but its print takes long enough for the requests below.
    bodyOf(
      await server.post(`/scene/${id}/import-model/`, { file: server.file("tall.stl", binaryStl(box([2, 2, 12]))) }),
    );
    const print = (fields: object): Promise<Reply> =>
      server.post(`/scene/${id}/print/`, { printer: "Vee", job_name: "j", ...fields });
    const ready = async (): Promise<boolean> => bodyOf(await server.get("/devices/Vee/")).ready_to_print_now;
    assert.equal(await ready(), true);
    assert.match(bodyOf(await print({})).job_id, /^[0-9a-f-]{36}$/);
    assert.equal(await ready(), false);
    assert.equal(errorOf(await print({ print_now: true })), "OPERATION_FAILED");
    bodyOf(await print({}));
    errorOf(await print({ printer: "nobody", find_printer_timeout_seconds: 0 }));
  });
}
