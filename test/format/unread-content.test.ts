import assert from "node:assert/strict";
import { test } from "node:test";
import { noProgress } from "../../src/core/progress.ts";
import { importFile } from "../../src/feature/import/import-file.ts";
import { amfConstellation, amfInstance, amfObject, amfText } from "../fixture/amf-file.ts";
import { glb, gltfParts } from "../fixture/gltf-file.ts";
import { box, tetrahedron } from "../fixture/shapes.ts";
import { temporaryFiles } from "../fixture/temporary-files.ts";
import { modelXml, objectXml, threeMfPackage } from "../fixture/three-mf-file.ts";

// Content that a file places and the import lacks is reported: damaged or unread content is refused with ERROR.

const file = temporaryFiles();
const CUBE = box([10, 20, 30]);
const importAs = async (name: string, content: string | Uint8Array, repairBehavior: "ERROR" | "REPAIR" | "IGNORE") => {
  const options = { chordalToleranceMm: 0.01, angleToleranceDeg: 5 };
  return await importFile({ file: file(name, content), repairBehavior, split: true, options }, noProgress);
};

/** Asserts that a file is refused with ERROR, and otherwise imported with `parts` parts and a warning. */
async function assertLost(name: string, content: string | Uint8Array, parts: number, lost: RegExp): Promise<void> {
  await assert.rejects(importAs(name, content, "ERROR"), { code: "OPERATION_FAILED", message: lost });
  for (const behavior of ["REPAIR", "IGNORE"] as const) {
    const imported = await importAs(name, content, behavior);
    assert.equal(imported.parts.length, parts);
    assert.match(imported.warnings.join("\n"), lost);
  }
}

async function assertNamed(name: string, content: string | Uint8Array, parts: number, named: RegExp[]): Promise<void> {
  const imported = await importAs(name, content, "ERROR");
  assert.equal(imported.parts.length, parts);
  assert.equal(imported.warnings.length, named.length, imported.warnings.join("\n"));
  named.forEach((pattern, i) => assert.match(imported.warnings[i], pattern));
}

test("3MF: objects without readable triangles are losses, supports and items that are switched off are named", async () => {
  const named = (id: number, name: string): string => objectXml(id, { surface: CUBE, name });
  const displaced = `<object id="3" name="dented"><d:displacementmesh xmlns:d="http://d.e/f"><d:vertices/></d:displacementmesh></object>`;
  const build = (...ids: string[]): string => ids.map((id) => `<item objectid=${id}/>`).join("");
  const plain = modelXml(`${named(1, "sound")}${displaced}`, build('"1"', '"3"'));
  await assertLost("lost.3mf", threeMfPackage(plain), 1, /places objects that have no triangles.*: "dented"\./);
  const inside = `<object id="4" name="pair"><components><component objectid="1"/><component objectid="3"/></components></object>`;
  const nested = modelXml(`${named(1, "sound")}${displaced}${inside}`, build('"4"'));
  await assertLost("nested.3mf", threeMfPackage(nested), 1, /no triangles.*: "dented"\./);
  const support = named(2, "pillar").replace('type="model"', 'type="support"');
  const off = modelXml(`${named(1, "sound")}${support}${displaced}`, build('"1"', '"2"', '"3" printable="0"'));
  await assertNamed("off.3mf", threeMfPackage(off), 1, [/type "support".*: "pillar"\./, /switched off.*: "dented"\./]);
});

test("AMF: objects without triangles are losses, supports and instances that are switched off are named", async () => {
  const cube = amfObject("1", [{ surface: CUBE, name: "sound" }]);
  const hollow = '<object id="2"><metadata type="name">shell</metadata></object>';
  await assertLost("lost.amf", amfText(cube + hollow), 1, /objects or volumes without triangles.*: "shell"\./);
  const empty = amfObject("2", [{ surface: { vertices: CUBE.vertices, triangles: new Uint32Array() }, name: "empty" }]);
  await assertLost("empty.amf", amfText(cube + empty), 1, /without triangles.*: "empty"\./);
  const both = amfObject("1", [{ surface: CUBE }, { surface: tetrahedron(3), attributes: 'type="support"' }], "tower");
  const instances = amfConstellation("9", amfInstance("1"), amfInstance("1", { printable: 0 }));
  await assertNamed("off.amf", amfText(both + instances), 1, [/supports.*: "tower"\./, /switched off.*: "object 1"\./]);
});

test("glTF: copies and facets that are not read are losses, points and lines are named", async () => {
  const { json, data } = gltfParts(
    [CUBE, CUBE],
    [
      { mesh: 0, name: "sound" },
      { mesh: 1, name: "other" },
    ],
  );
  type Mesh = { readonly primitives: readonly object[] };
  const [first, second] = json.meshes as Mesh[];
  const shown = (primitives: readonly object[]): Uint8Array =>
    glb({ json: { ...json, meshes: [first, { ...second, primitives }] }, data });
  await assertNamed("lines.glb", shown([...second.primitives, { attributes: { POSITION: 0 }, mode: 1 }]), 2, [
    /Points and lines.*: "other"\./,
  ]);
  await assertNamed("points.glb", shown([{ attributes: { POSITION: 0 }, mode: 0 }]), 1, [/Points.*: "other"\./]);
  await assertLost("kind.glb", shown([...second.primitives, { attributes: { POSITION: 0 }, mode: 9 }]), 2, /"other"\./);
  await assertLost("bare.glb", shown([...second.primitives, { attributes: {} }]), 2, /without positions.*: "other"\./);
  const extensions = { EXT_mesh_gpu_instancing: { attributes: { TRANSLATION: 0 } } };
  const nodes = [
    { mesh: 0, name: "sound" },
    { mesh: 1, name: "screws", extensions },
  ];
  await assertLost("copies.glb", glb({ json: { ...json, nodes }, data }), 2, /EXT_mesh_gpu_instancing.*: "screws"\./);
});

test("PLY and OFF: edges, lines and points are named", async () => {
  const points = "0 0 0\n1 0 0\n0 1 0\n0 0 1\n";
  const faces = "3 0 2 1\n3 0 1 3\n3 0 3 2\n3 1 2 3\n";
  const head = "ply\nformat ascii 1.0\nelement vertex 4\nproperty float x\nproperty float y\nproperty float z\n";
  const elements =
    "element face 4\nproperty list uchar int vertex_index\nelement edge 1\nproperty int vertex1\nproperty int vertex2\n";
  await assertNamed("edges.ply", `${head}${elements}end_header\n${points}${faces}0 1\n`, 1, [
    /has edges, which have no facets/,
  ]);
  await assertNamed("lines.off", `OFF 4 6 0\n${points}${faces}2 0 1\n1 3\n`, 1, [
    /has lines and points, which have no facets/,
  ]);
});
