import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { noProgress } from "../../src/core/progress.ts";
import { readForm } from "../../src/format/form/form-file.ts";
import { type Mesh, triangleCount, vertexCount } from "../../src/mesh/mesh.ts";
import { type Reply, awaitOperation } from "../fixture/client.ts";
import { longTest } from "../fixture/long.ts";
import { readPng } from "../fixture/read-png.ts";
import { box, cylinder, uvSphere } from "../fixture/shapes.ts";
import { binaryStl } from "../fixture/stl-file.ts";
import {
  POWDER,
  RESIN,
  type TestServer,
  UUID,
  assertNear,
  assertRefused,
  bodyOf,
  openTestServer,
} from "../fixture/test-server.ts";

// Interface, "Model" (is_group, is_cage); supplement, section 6, "cage".

let server: TestServer;
let brick: string;
let ball: string;
before(async () => {
  server = await openTestServer();
  brick = server.file("brick.stl", binaryStl(box([9, 7, 8])));
  ball = server.file("ball.stl", binaryStl(uvSphere(5, 24, 12)));
});
after(() => server.close());

type Body = Reply["body"];

/** A powder scene with a brick, a ball and a brick at one place. */
async function sceneOfParts(files = [brick, ball, brick]): Promise<{ scene_id: string; parts: string[] }> {
  const scene_id = await server.newScene(POWDER);
  const parts: string[] = [];
  for (const file of files) parts.push(await server.importOne(scene_id, file));
  return { scene_id, parts };
}

const cage = (scene_id: string, body: object = {}): Promise<Reply> => server.ask("cage", { scene_id, ...body });

interface CagedScene {
  readonly scene_id: string;
  readonly parts: readonly string[];
  readonly container: string;
  readonly lattice: string;
  /** In the order of the list. */
  readonly models: ReadonlyMap<string, Body>;
}

async function cagedScene(body: object = {}, files?: string[]): Promise<CagedScene> {
  const { scene_id, parts } = await sceneOfParts(files);
  const { cage_model_id, new_model_ids, ...rest } = bodyOf(
    await cage(scene_id, { packing_type: "PACK_NONE", ...body }),
  );
  assert.match(cage_model_id, UUID);
  assert.equal(new_model_ids.length, 1);
  assert.deepEqual(Object.keys(rest), ["modified_model_ids"]);
  return { scene_id, parts, container: cage_model_id, lattice: new_model_ids[0], models: await modelsOf(scene_id) };
}

const modelsOf = async (scene_id: string): Promise<Map<string, Body>> =>
  new Map((await server.models(scene_id)).map((model) => [model.id, model]));

async function savedMesh(scene_id: string, name: string): Promise<Mesh> {
  const file = join(server.folder, `${scene_id}.form`);
  bodyOf(await server.printwright.post("/v1/scene/save/", { scene_ids: [scene_id], file }));
  const { scenes } = await readForm(file, noProgress);
  const model = scenes[0].models.find((one) => one.name === name);
  assert.ok(model, name);
  return model.mesh;
}

const isInside = (
  { min_corner: a, max_corner: b }: Body,
  { min_corner: c, max_corner: d }: Body,
  mm: number,
): boolean => ["x", "y", "z"].every((axis) => a[axis] + mm <= c[axis] && d[axis] <= b[axis] - mm);

test("a cage is a container, a lattice and the parts within, at their distances and in the chamber", async () => {
  const { scene_id, parts, container, lattice, models } = await cagedScene({
    packing_type: "PACK_HEIGHT",
    cage_label: "Lot 7",
    distance_to_cage_mm: 3,
    model_spacing_mm: 4,
    bar_thickness_mm: 1,
  });
  assert.deepEqual([...models.keys()], [...parts, lattice, container]);
  const zero = { x: 0, y: 0, z: 0 };
  const { id: _id, position, ...rest } = models.get(container);
  assert.deepEqual(position, models.get(lattice).position);
  assert.deepEqual(rest, {
    name: "Lot 7",
    orientation: zero,
    scale: 1,
    units: "MILLIMETERS",
    bounding_box: { min_corner: zero, max_corner: zero },
    original_file: "",
    visible: true,
    has_supports: false,
    is_group: true,
    is_cage: true,
    in_bounds: true,
    raw_mesh_hash: "",
    canonical_model_hash: "",
    lock: "FREE",
  });
  assert.equal(models.get(lattice).is_group || models.get(lattice).is_cage, false);
  for (const id of [...parts, lattice]) assert.equal(models.get(id).in_bounds, true);
  // Bars of 1 mm and the distance.
  for (const id of parts) assert.ok(isInside(models.get(lattice).bounding_box, models.get(id).bounding_box, 4));
  const near = async (collision_offset_mm: number): Promise<string[][]> =>
    bodyOf(await server.printwright.post("/v1/scene/model/validate/interferences/", { scene_id, collision_offset_mm }))
      .interferences;
  assert.deepEqual(await near(3), []);
  const touching = await near(3.01);
  assert.ok(touching.length > 0 && touching.every((pair) => pair.includes(lattice)));
  assert.deepEqual(await server.models(scene_id, [container]), [models.get(container)]);
});

test("the lattice is a closed solid that is in the material, the layers, the metadata and the pictures", async () => {
  const { scene_id, lattice } = await cagedScene({ packing_type: "PACK_HEIGHT", model_spacing_mm: 1 });
  const { per_model_results } = bodyOf(await server.ask("validate/manifoldness", { scene_id, model_ids: [lattice] }));
  assert.equal(per_model_results[lattice].is_manifold, true);
  assert.equal(per_model_results[lattice].self_intersecting, false);
  const { per_model_results: counts } = bodyOf(await server.ask("body-count", { scene_id, model_ids: [lattice] }));
  assert.equal(counts[lattice].body_count, 1);
  const metadata = bodyOf(await server.printwright.post("/v1/scene/metadata/", { scene_id }));
  assert.equal(metadata.models.length, 4);
  const volumes = metadata.models.map((model: Body) => model.volume_ml);
  const { material_usage, layer_count } = await server.scene(scene_id);
  assertNear(
    material_usage.total_sintered_powder_ml,
    volumes.reduce((sum: number, ml: number) => sum + ml, 0),
    1e-5,
  );
  const top = (await modelsOf(scene_id)).get(lattice).bounding_box.max_corner.z;
  assert.equal(layer_count, Math.ceil(top / POWDER.layer_thickness_mm - 1e-6));
  assert.ok(bodyOf(await server.printwright.post("/v1/scene/calculate-print-time/", { scene_id })).printing_time_s > 0);
  const picture = async (): Promise<Uint8Array> => {
    const file = join(server.folder, "picture.png");
    bodyOf(await server.printwright.post("/v1/scene/render/", { scene_id, file, image_size_px: 64 }));
    return readPng(file).rgb;
  };
  // Bars are greenish: parts, the platform and the background have more blue than green.
  const greenish = (rgb: Uint8Array): number => rgb.filter((value, at) => at % 3 === 1 && value > rgb[at + 1]).length;
  assert.ok(greenish(await picture()) > 100);
  bodyOf(await server.ask("update", { scene_id, model_ids: [lattice], visible: false }));
  assert.equal(greenish(await picture()), 0);
});

async function frontOf(scene_id: string) {
  const file = join(server.folder, `${scene_id}.png`);
  bodyOf(await server.printwright.post("/v1/scene/render/", { scene_id, file, yaw: 90, pitch: 0, image_size_px: 200 }));
  return readPng(readFileSync(file));
}

longTest("a cage is saved and opened, with its container", async () => {
  const { scene_id, models } = await cagedScene({ cage_label: "kept", generate_mesh_label: true });
  const files = ["a.form", "b.form"].map((name) => join(server.folder, name));
  bodyOf(
    await server.printwright.post("/v1/scene/save/", { scene_ids: [scene_id], file: files[0], project_name: "p" }),
  );
  const { scenes } = bodyOf(await server.printwright.post("/v1/scene/open/", { file: files[0] }));
  const opened = await modelsOf(scenes[0].scene_id);
  assert.deepEqual([...opened.keys()].sort(), [...scenes[0].new_model_ids].sort());
  const withoutIds = (all: ReadonlyMap<string, Body>): Body[] =>
    [...all.values()].map((model) => ({ ...model, id: "" }));
  assert.deepEqual(withoutIds(opened), withoutIds(models));
  bodyOf(await server.printwright.post("/v1/scene/save/", { scene_ids: [scenes[0].scene_id], file: files[1] }));
  const [saved, again] = files.map((file) => readFileSync(file, "latin1").replace(/"name":"Scene \d+"/, ""));
  assert.equal(again, saved);
  // Both pictures show the label: its dark letters are a part of the front.
  const pictures = await Promise.all([scene_id, scenes[0].scene_id].map(frontOf));
  assert.deepEqual(pictures[1], pictures[0]);
  const isDark = (at: number): boolean => Math.max(...pictures[0].rgb.subarray(at, at + 3)) < 90;
  const dark = Array.from({ length: pictures[0].rgb.length / 3 }, (_, i) => isDark(3 * i)).filter(Boolean).length;
  assert.ok(dark > 0.01 * (pictures[0].rgb.length / 3), `${dark} dark pixels`);
  // The cage still moves as one.
  const container = [...opened.values()].find(({ is_cage }) => is_cage).id;
  const moving = {
    scene_id: scenes[0].scene_id,
    model_ids: [container],
    position: { x: 0, y: 0, z: 9 },
    mode: "RELATIVE",
  };
  assert.equal(bodyOf(await server.ask("translate", moving)).modified_model_ids.length, 5);
});

test("a cage is as large as its part, its distances and its bars together, and no part touches it", async () => {
  for (const distance_to_cage_mm of [3, 0]) {
    const { scene_id, parts, lattice, models } = await cagedScene({ distance_to_cage_mm, bar_thickness_mm: 1 }, [
      brick,
    ]);
    const [{ min_corner: a, max_corner: b }, part] = [lattice, parts[0]].map((id) => models.get(id).bounding_box);
    for (const axis of ["x", "y", "z"]) {
      const [outside, inside] = [b[axis] - a[axis], part.max_corner[axis] - part.min_corner[axis]];
      assertNear(outside, inside + 2 * (distance_to_cage_mm + 1), 5e-5, axis);
    }
    const checked = await server.printwright.post("/v1/scene/model/validate/interferences/", { scene_id });
    assert.deepEqual(bodyOf(checked).interferences, []);
  }
});

test("a cage moves, turns and scales as one, also where all models are selected", async () => {
  const { scene_id, parts, lattice, container, models } = await cagedScene({
    packing_type: "PACK_HEIGHT",
    model_spacing_mm: 20,
  });
  const at = models.get(container).position;
  const position = { x: at.x + 5, y: at.y - 4, z: at.z + 30 };
  const { modified_model_ids } = bodyOf(await server.ask("translate", { scene_id, model_ids: [container], position }));
  assert.deepEqual([...modified_model_ids].sort(), [...parts, lattice, container].sort());
  const moved = await modelsOf(scene_id);
  for (const [id, model] of models) {
    const { x, y, z } = model.position;
    assertNear(moved.get(id).position, { x: x + 5, y: y - 4, z: z + 30 }, 1e-9);
  }
  bodyOf(await server.ask("orient", { scene_id, orientation: { x: 0, y: 0, z: 90 } }));
  const turned = await modelsOf(scene_id);
  for (const [id, model] of moved) {
    const [x, y] = [model.position.x - position.x, model.position.y - position.y];
    assertNear(turned.get(id).position, { x: position.x - y, y: position.y + x, z: model.position.z }, 1e-9);
  }
  bodyOf(await server.ask("scale", { scene_id, scale: 0.5 }));
  const scaled = await modelsOf(scene_id);
  for (const [id, model] of turned) {
    const { x, y, z } = model.position;
    const half = { x: (x + position.x) / 2, y: (y + position.y) / 2, z: (z + position.z) / 2 };
    assertNear(scaled.get(id).position, half, 1e-9);
    assert.equal(scaled.get(id).scale, 0.5);
  }
  assert.deepEqual(bodyOf(await server.ask("validate/interferences", { scene_id })).interferences, []);
});

test("a cage is copied with its members; the copy of a part is in no cage", async () => {
  const { scene_id, parts, lattice, container } = await cagedScene();
  const { results } = bodyOf(await server.ask("duplicate", { scene_id, model_ids: [container], count: 2 }));
  const copiesOf = new Map<string, string[]>(results.map((one: Body) => [one.source_model_id, one.new_model_ids]));
  assert.deepEqual([...copiesOf.keys()].sort(), [...parts, lattice, container].sort());
  const all = await modelsOf(scene_id);
  assert.equal(all.size, 15);
  const copy = copiesOf.get(container)![1];
  assert.equal(all.get(copy).is_cage, true);
  const moving = { scene_id, model_ids: [copy], position: { x: 0, y: 0, z: 50 }, mode: "RELATIVE" };
  const { modified_model_ids } = bodyOf(await server.ask("translate", moving));
  assert.deepEqual([...modified_model_ids].sort(), [...copiesOf.values()].map((ids) => ids[1]).sort());
  bodyOf(await server.ask("duplicate", { scene_id, model_ids: [parts[0]], count: 1 }));
  const next = bodyOf(await server.ask("translate", { ...moving, model_ids: [container] }));
  assert.equal(next.modified_model_ids.length, 5);
});

test("a cage lasts as long as its lattice, and its parts stay", async () => {
  for (const name of ["container", "lattice"] as const) {
    const caged = await cagedScene();
    const { scene_id, parts } = caged;
    const { deleted_model_ids } = bodyOf(await server.ask("delete", { scene_id, model_ids: [caged[name]] }));
    assert.deepEqual([...deleted_model_ids].sort(), [caged.container, caged.lattice].sort());
    const left = await modelsOf(scene_id);
    assert.deepEqual([...left.keys()], parts);
    for (const id of parts) assert.deepEqual(left.get(id), caged.models.get(id));
  }
  const { scene_id, parts, lattice, container } = await cagedScene();
  bodyOf(await server.ask("delete", { scene_id, model_ids: [parts[1]] }));
  assert.deepEqual([...(await modelsOf(scene_id)).keys()], [parts[0], parts[2], lattice, container]);
  const all = bodyOf(await server.ask("delete", { scene_id })).deleted_model_ids;
  assert.deepEqual([...all].sort(), [parts[0], parts[2], lattice, container].sort());
  assert.equal((await modelsOf(scene_id)).size, 0);
});

test("a replacement of a part takes the part's place in the cage", async () => {
  const { scene_id, parts, container } = await cagedScene();
  const other = await server.importOne(scene_id, ball);
  bodyOf(await server.ask("replace", { scene_id, model_id: parts[0], replacement_model_id: other }));
  const moving = { scene_id, model_ids: [container], position: { x: 0, y: 0, z: 5 }, mode: "RELATIVE" };
  assert.ok(bodyOf(await server.ask("translate", moving)).modified_model_ids.includes(other));
});

test("the container has its own name, but lock and visibility are those of its members", async () => {
  const { scene_id, container } = await cagedScene();
  bodyOf(
    await server.ask("update", { scene_id, model_ids: [container], name: "new", lock: "FULLY_LOCKED", visible: false }),
  );
  const models = await modelsOf(scene_id);
  assert.equal(models.get(container).name, "new");
  for (const [id, model] of models) {
    assert.deepEqual([model.lock, model.visible], ["FULLY_LOCKED", false]);
    if (id !== container) assert.notEqual(model.name, "new");
  }
  assertRefused(
    await server.ask("update", { scene_id, model_ids: [container], units: "INCHES" }),
    "INPUT_ERROR",
    /units/,
  );
  const label = { model_id: container, label: "A", font_size_mm: 3, depth_mm: 1, position: { x: 0, y: 0, z: 0 } };
  const placed = { ...label, orientation: { x: 0, y: 0, z: 0 } };
  assertRefused(await server.ask("label", { scene_id, ...placed }), "INPUT_ERROR", /container of a cage/);
});

test("a change of name alone changes only the container, and the container is in bounds if all members are", async () => {
  const { scene_id, container, lattice, parts } = await cagedScene();
  const named = { scene_id, model_ids: [container], name: "new" };
  assert.deepEqual(bodyOf(await server.ask("update", named)).modified_model_ids, [container]);
  const inBounds = async (model_ids: string[]): Promise<Body> =>
    bodyOf(await server.ask("validate/in-bounds", { scene_id, model_ids })).per_model_results;
  const members = [lattice, ...parts];
  const all = (in_bounds: boolean): Body =>
    Object.fromEntries([...members, container].map((id) => [id, { in_bounds }]));
  assert.deepEqual(await inBounds([]), all(true));
  assert.deepEqual(await inBounds([container]), all(true));
  bodyOf(await server.ask("translate", { scene_id, model_ids: [parts[0]], position: { x: 200, y: 0, z: 20 } }));
  assert.deepEqual(await inBounds([container]), {
    ...all(true),
    [parts[0]]: { in_bounds: false },
    [container]: { in_bounds: false },
  });
  assert.equal((await modelsOf(scene_id)).get(container).in_bounds, false);
});

longTest(
  "mesh checks list containers, and a change of the lattice also modifies its container, which has the lattice's place and lock",
  async () => {
    const { scene_id, container, lattice, parts } = await cagedScene();
    const check = async (action: string, body: object = {}): Promise<Body> =>
      bodyOf(await server.ask(action, { scene_id, ...body })).per_model_results;
    for (const [action, body, expected] of [
      ["body-count", {}, { body_count: 0 }],
      [
        "validate/manifoldness",
        {},
        {
          is_manifold: true,
          open_edge_count: 0,
          non_manifold_edge_count: 0,
          degenerate_face_count: 0,
          inverted_body_count: 0,
          self_intersecting: false,
        },
      ],
      [
        "validate/thin-features",
        { threshold_mm: 4 },
        { status: "TOO_SMALL", has_thin_walls: false, thin_volume_mm3: 0, thin_region_count: 0, thin_regions: [] },
      ],
    ] as const) {
      const all = await check(action, body);
      assert.deepEqual(Object.keys(all).sort(), [lattice, container, ...parts].sort());
      assert.deepEqual(all[container], expected);
      assert.deepEqual(Object.keys(await check(action, { ...body, model_ids: [parts[0]] })), [parts[0]]);
      // The selection works in the same way for all actions, so it is tested once.
      if (action !== "body-count") continue;
      assert.deepEqual(Object.keys(await check(action, { model_ids: [lattice] })), [lattice]);
      assert.deepEqual(await check(action, { model_ids: [container] }), all);
    }
    const position = { x: 1, y: 1, z: 1 };
    for (const [action, body] of [
      ["translate", { position, mode: "RELATIVE" }],
      ["orient", { orientation: { x: 0, y: 0, z: 90 } }],
      ["update", { lock: "FULLY_LOCKED" }],
    ] as const) {
      const { modified_model_ids } = bodyOf(await server.ask(action, { scene_id, model_ids: [lattice], ...body }));
      assert.deepEqual([...modified_model_ids].sort(), [lattice, container].sort());
    }
  },
);

test("a change to a resin printer removes the cage: its lattice is named, and its parts stay", async () => {
  const { scene_id, parts } = await cagedScene({ cage_label: "Lot 7" });
  const update = async (combination: object): Promise<Body> =>
    bodyOf(await server.printwright.post("/v1/scene/update/", { scene_id, ...combination }));
  assert.equal((await update({ ...POWDER })).warnings, undefined);
  const { warnings } = await update(RESIN);
  assert.equal(warnings.length, 1);
  assert.match(warnings[0], /"Lot 7 lattice" was removed/);
  assert.deepEqual([...(await modelsOf(scene_id)).keys()], parts);
  assertRefused(await cage(scene_id), "UNSUPPORTED_SCENE", /powder/);
});

longTest(
  "openings are made smaller if parts would pass them: a ball by its width, a coin by the diagonal",
  async () => {
    const block = server.file("block.stl", binaryStl(box([33, 33, 33])));
    const genusWith = async (file: string): Promise<number> => {
      const { scene_id } = await cagedScene({ cage_label: "C" }, [block, file]);
      const mesh = await savedMesh(scene_id, "C lattice");
      return 1 - (vertexCount(mesh) - triangleCount(mesh) / 2) / 2;
    };
    const disc = (name: string, radius: number): string => server.file(name, binaryStl(cylinder(radius, 1, 24)));
    const sphere = (name: string, radius: number): string => server.file(name, binaryStl(uvSphere(radius, 24, 12)));
    // With the block alone, openings are 5 mm. An inscribed hull is up to 3 % narrower than a ball of 24 segments.
    const plain = await genusWith(block);
    assert.equal(await genusWith(sphere("wide.stl", 1.14 * 2.5)), plain);
    assert.ok((await genusWith(sphere("narrow.stl", 1.05 * 2.5))) > plain);
    assert.equal(await genusWith(disc("coin.stl", 1.14 * 2.5 * Math.SQRT2)), plain);
    assert.ok((await genusWith(disc("small-coin.stl", 1.05 * 2.5 * Math.SQRT2))) > plain);
  },
);

test("PACK_NONE moves nothing if the place of the cage is free, and otherwise moves everything together", async () => {
  const { scene_id, parts } = await sceneOfParts([brick, ball]);
  bodyOf(await server.ask("translate", { scene_id, model_ids: [parts[0]], position: { x: 10, y: 10, z: 60 } }));
  bodyOf(await server.ask("translate", { scene_id, model_ids: [parts[1]], position: { x: -10, y: 10, z: 50 } }));
  const [before, other] = [await modelsOf(scene_id), await server.importOne(scene_id, brick)];
  const none = { packing_type: "PACK_NONE", model_ids: parts };
  assert.deepEqual(bodyOf(await cage(scene_id, none)).modified_model_ids, []);
  for (const id of parts) assert.deepEqual((await modelsOf(scene_id)).get(id), before.get(id));
  const container = (await server.models(scene_id)).find(({ is_cage }) => is_cage).id;
  bodyOf(await server.ask("delete", { scene_id, model_ids: [container] }));
  bodyOf(await server.ask("translate", { scene_id, model_ids: [other], position: { x: 0, y: 10, z: 55 } }));
  const { modified_model_ids, new_model_ids } = bodyOf(await cage(scene_id, none));
  assert.deepEqual([...modified_model_ids].sort(), [...parts].sort());
  const next = await modelsOf(scene_id);
  assert.equal(next.get(new_model_ids[0]).in_bounds, true);
  const [a, b] = parts.map((id) => next.get(id).position);
  assertNear({ x: a.x - b.x, y: a.y - b.y, z: a.z - b.z }, { x: 20, y: 0, z: 10 }, 1e-9);
  const near = bodyOf(
    await server.ask("validate/interferences", { scene_id, collision_offset_mm: 1.99 }),
  ).interferences;
  assert.deepEqual(near, []);
});

longTest("each type of packing keeps the distances; PACK_HEIGHT is the lowest, PACK_VOLUME the smallest", async () => {
  const sizes = new Map<string, number[]>();
  for (const packing_type of ["PACK_NORMAL", "PACK_HEIGHT", "PACK_VOLUME"]) {
    const files = [brick, brick, brick];
    const { scene_id, lattice, models } = await cagedScene({ packing_type, model_spacing_mm: 2 }, files);
    const near = bodyOf(await server.ask("validate/interferences", { scene_id, collision_offset_mm: 1.999 }));
    assert.deepEqual(near.interferences, []);
    const { min_corner: a, max_corner: b } = models.get(lattice).bounding_box;
    sizes.set(packing_type, [(b.x - a.x) * (b.y - a.y) * (b.z - a.z), b.z - a.z]);
  }
  for (const [volume, height] of sizes.values()) {
    assert.ok(height >= sizes.get("PACK_HEIGHT")![1] - 1e-3);
    assert.ok(volume >= sizes.get("PACK_VOLUME")![0] - 1e-3);
  }
});

test("a request that cannot make a cage is refused with the cause and the way out, and nothing changes", async () => {
  const { scene_id, parts } = await sceneOfParts([brick, server.file("pin.stl", binaryStl(cylinder(0.6, 20, 12)))]);
  const bar = server.file("bar.stl", binaryStl(box([8, 8, 400])));
  const long = await server.importOne(scene_id, bar);
  const before = await server.scene(scene_id);
  const refused = async (body: object, code: string, message: RegExp): Promise<void> => {
    assertRefused(await cage(scene_id, { model_ids: [parts[0]], packing_type: "PACK_HEIGHT", ...body }), code, message);
    assert.deepEqual(await server.scene(scene_id), before);
  };
  await refused({ bar_thickness_mm: 3, bar_spacing_mm: 2 }, "INPUT_ERROR", /3 mm are thicker than the spacing.*2 mm/);
  await refused({ bar_width_mm: 6 }, "INPUT_ERROR", /bar_spacing_mm/);
  await refused({ bar_thickness_mm: 0.9 }, "JSON_SCHEMA_MATCH_ERROR", /bar_thickness_mm/);
  await refused({ model_ids: [parts[1]] }, "OPERATION_FAILED", /"pin" passes through openings of 1\.0\d mm/);
  await refused({ model_ids: [long], distance_to_cage_mm: 9 }, "OPERATION_FAILED", /"bar" is too large for a cage/);
  await refused({ distance_to_cage_mm: 90 }, "OPERATION_FAILED", /no room for parts/);
  await refused(
    { generate_mesh_label: true, cage_label: "a long line of text" },
    "OPERATION_FAILED",
    /shorten cage_label/,
  );
  bodyOf(await server.ask("update", { scene_id, model_ids: [parts[0]], lock: "FULLY_LOCKED" }));
  assertRefused(await cage(scene_id, { model_ids: [parts[0]] }), "OPERATION_FAILED", /FULLY_LOCKED.*PACK_NONE/);
  const empty = await server.newScene(POWDER);
  assertRefused(await cage(empty), "OPERATION_FAILED", /no model/);
  const caged = await cagedScene();
  assertRefused(await cage(caged.scene_id), "OPERATION_FAILED", /is in the cage "Cage 1" already/);
});

test("a cancelled cage changes nothing", async () => {
  const { scene_id } = await sceneOfParts();
  const before = await server.scene(scene_id);
  const started = await server.printwright.post("/v1/scene/model/cage/?async=true", { scene_id });
  bodyOf(await server.printwright.post("/v1/operation/cancel/", { operations: [started.body.operation_id] }));
  const { status, result } = await awaitOperation(server.printwright, started);
  assert.equal(status, "FAILED");
  assert.equal(result.error.code, "OPERATION_CANCELLED");
  assert.deepEqual(await server.scene(scene_id), before);
});
