import assert from "node:assert/strict";
import { test } from "node:test";
import { ApiError } from "../../../src/core/api-error.ts";
import { noProgress } from "../../../src/core/progress.ts";
import { threeMfReader } from "../../../src/format/3mf/reader.ts";
import type { FileLattice, ModelFile } from "../../../src/format/model-reader.ts";
import { capCode } from "../../../src/mesh/strut-lattice.ts";
import {
  BOX_TRIANGLES,
  IMPLANT,
  PYRAMID,
  PYRAMID_POINTS,
  beamsXml,
  boxPoints,
  latticeFile,
  latticeObject,
} from "../../fixture/beam-lattice-file.ts";
import { temporaryFiles } from "../../fixture/temporary-files.ts";

const file = temporaryFiles();
const read = (resources: string, items?: string, unit?: string): Promise<ModelFile> =>
  threeMfReader.read(
    file("lattice.3mf", latticeFile(resources, items, unit)),
    { chordalToleranceMm: 0.01, angleToleranceDeg: 5 },
    noProgress,
  );

async function latticeIn(resources: string, items?: string): Promise<FileLattice> {
  const { parts } = await read(resources, items);
  const [lattice] = parts[0]?.lattices ?? [];
  assert.ok(lattice, "a lattice");
  return lattice;
}

/** A pair of beams, of lengths 1 and 2, with these attributes of the lattice. */
const pair = (attributes: string, more = "", content = ""): string =>
  latticeObject(
    1,
    [
      [0, 0, 0],
      [1, 0, 0],
      [3, 0, 0],
      [9, 9, 9],
    ],
    `<b:beamlattice ${attributes}><b:beams><b:beam v1="0" v2="1"/><b:beam v1="1" v2="2" ${more}/></b:beams>${content}</b:beamlattice>`,
  );
const BALL_OF_2 = `<b2:balls><b2:ball vindex="2" r="0.75"/></b2:balls>`;

test("a pyramid of beams without triangles, with a ball", async () => {
  const { parts, losses, warnings, unitMm } = await read(PYRAMID, undefined, "inch");
  assert.deepEqual([losses, warnings, unitMm, parts.length], [undefined, undefined, 25.4, 1]);
  assert.equal(parts[0]!.surface.triangles.length, 0);
  const [lattice] = parts[0]!.lattices!;
  assert.deepEqual([...lattice!.vertices], PYRAMID_POINTS.flat());
  assert.equal(lattice!.struts.length, 16);
  assert.deepEqual([...lattice!.radii], [0.5]);
  assert.deepEqual([...lattice!.balls], [4]);
  assert.deepEqual([...lattice!.ballRadii], [1]);
  assert.equal(lattice!.clip, undefined);
  for (const array of [lattice!.vertices, lattice!.struts, lattice!.caps])
    assert.ok(array.buffer instanceof SharedArrayBuffer);
});

test("an implant: radii and caps of beams, a base of triangles, and a clipping mesh", async () => {
  const { parts } = await read(IMPLANT, `<item objectid="1" transform="-1 0 0 0 1 0 0 0 1 0 0 2"/>`);
  assert.equal(parts[0]!.surface.triangles.length, 36);
  const [lattice] = parts[0]!.lattices!;
  assert.deepEqual([...lattice!.radii], [0.8, 0.4, 0.5, 0.5].map(Math.fround));
  assert.deepEqual([...lattice!.caps], [capCode("butt", "sphere"), capCode("hemisphere", "hemisphere")]);
  assert.deepEqual(lattice!.transform, [-1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 2]);
  const { surface, keeps } = lattice!.clip!;
  assert.equal(keeps, "inside");
  assert.equal(Math.max(...surface.vertices), 11);
  // Mirrored: the triangles face outward again.
  const [a, b, c] = Array.from(surface.triangles.slice(0, 3), (vertex) =>
    surface.vertices.slice(3 * vertex, 3 * vertex + 3),
  );
  const cross = (b![0]! - a![0]!) * (c![1]! - a![1]!) - (b![1]! - a![1]!) * (c![0]! - a![0]!);
  assert.ok(cross < 0, "the first triangle is at the bottom and faces down");
});

test("defaults: caps are spheres, r2 is r1, and shorter beams than minlength are left out", async () => {
  const plain = await latticeIn(pair(`minlength="0" radius="0.25"`));
  assert.deepEqual([...plain.caps], [capCode("sphere", "sphere")]);
  assert.deepEqual([...plain.struts], [0, 1, 1, 2]);
  assert.deepEqual([...plain.balls], []);
  const own = await latticeIn(pair(`minlength="0" radius="0.25" cap="butt"`, `r1="0.5" cap2="sphere"`));
  assert.deepEqual([...own.radii], [0.25, 0.25, 0.5, 0.5]);
  assert.deepEqual([...own.caps], [capCode("butt", "butt"), capCode("butt", "sphere")]);
  assert.deepEqual([...(await latticeIn(pair(`minlength="1.5" radius="0.25"`))).struts], [1, 2]);
  assert.deepEqual([...(await latticeIn(pair(`minlength="1" radius="0.25"`))).struts], [0, 1, 1, 2]);
});

test("balls: at the listed ends of beams, or at all of them", async () => {
  const mixed = await latticeIn(pair(`minlength="0" radius="1" b2:ballmode="mixed" b2:ballradius="2"`, "", BALL_OF_2));
  assert.deepEqual([[...mixed.balls], [...mixed.ballRadii]], [[2], [0.75]]);
  const all = await latticeIn(pair(`minlength="0" radius="1" b2:ballmode="all" b2:ballradius="2"`, "", BALL_OF_2));
  assert.deepEqual(
    [[...all.balls], [...all.ballRadii]],
    [
      [2, 0, 1],
      [0.75, 2, 2],
    ],
  );
});

test("components place a lattice several times, and an item that is switched off does not", async () => {
  const two =
    PYRAMID +
    `<object id="2" type="model"><components><component objectid="1"/><component objectid="1" transform="2 0 0 0 1 0 0 0 1 30 0 0"/></components></object>`;
  const { parts } = await read(two, `<item objectid="2" transform="1 0 0 0 1 0 0 0 1 0 5 0"/>`);
  const [first, second] = parts[0]!.lattices!;
  assert.deepEqual(first!.transform.slice(9), [0, 5, 0]);
  assert.deepEqual(second!.transform, [2, 0, 0, 0, 1, 0, 0, 0, 1, 30, 5, 0]);
  assert.equal(first!.struts.buffer, second!.struts.buffer);
  await assert.rejects(read(PYRAMID, `<item objectid="1" printable="0"/>`), /no triangles to print/);
});

const SOLID = latticeObject(7, boxPoints(4, 9), "", BOX_TRIANGLES);
const ofType = (type: string): string => PYRAMID.replace(`type="model"`, `type="${type}"`);
const clippedBy = (id: string, mode = "inside"): string =>
  pair(`minlength="0" radius="1" clippingmode="${mode}" clippingmesh="${id}"`);

const DAMAGED: readonly [what: string, resources: string, message: RegExp][] = [
  ["no radius", pair(`minlength="0"`), /line 1.*beam lattice.*radius is missing/],
  ["a radius of 0", pair(`minlength="0" radius="0"`), /radius is "0", not a positive number/],
  ["no minlength", pair(`radius="1"`), /minlength is missing/],
  ["a negative minlength", pair(`minlength="-1" radius="1"`), /minlength is "-1"/],
  ["one vertex twice", PYRAMID.replace(`v1="0" v2="1"`, `v1="1" v2="1"`), /both ends of a beam are vertex 1/],
  ["a vertex that is not there", PYRAMID.replace(`v2="1"`, `v2="5"`), /a vertex is "5", of 5 vertices/],
  ["r2 without r1", pair(`minlength="0" radius="1"`, `r2="1"`), /r2 and no r1/],
  ["an unknown cap", pair(`minlength="0" radius="1" cap="cone"`), /cap "cone" is unknown/],
  ["an unknown mode of balls", pair(`minlength="0" radius="1" b2:ballmode="some"`), /ballmode "some"/],
  ["no radius of balls", pair(`minlength="0" radius="1" b2:ballmode="all"`), /ballradius is missing/],
  ["balls that are off", pair(`minlength="0" radius="1"`, "", BALL_OF_2), /ballmode is "none"/],
  [
    "a ball beside the beams",
    pair(`minlength="0" radius="1" b2:ballmode="mixed" b2:ballradius="2"`, "", BALL_OF_2.replace(`"2"`, `"3"`)),
    /vertex 3, which is no end of a beam/,
  ],
  ["no clipping mesh", pair(`minlength="0" radius="1" clippingmode="inside"`), /clippingmesh is missing/],
  ["an unknown mode of clipping", SOLID + clippedBy("7", "both"), /clippingmode "both"/],
  ["a clipping mesh that is not there", clippedBy("7"), /object 7.*missing/],
  ["a clipping mesh with a lattice", clippedBy("1"), /clipping mesh object 1 .* is no mesh of type "model"/],
  ["two lattices", PYRAMID.replace("</mesh>", `<b:beamlattice minlength="0" radius="1"/></mesh>`), /two beam lattices/],
  ["beams on a surface", ofType("surface"), /type "surface" has a beam lattice/],
  [
    "a lattice of no beams",
    latticeObject(1, PYRAMID_POINTS, `<b:beamlattice minlength="99" radius="1">${beamsXml([[0, 1]])}</b:beamlattice>`),
    /no triangles to print, and no beams/,
  ],
];

for (const [what, resources, message] of DAMAGED) {
  test(`refused: ${what}`, async () => {
    await assert.rejects(read(resources), (thrown) => {
      assert.ok(thrown instanceof ApiError, String(thrown));
      assert.match(thrown.message, message);
      assert.match(thrown.message, /; (export|split)/);
      return true;
    });
  });
}

test("refused: a lattice that is placed flat, or too often", async () => {
  await assert.rejects(
    read(PYRAMID, `<item objectid="1" transform="1 0 0 0 1 0 0 0 0 0 0 0"/>`),
    /places the lattice .* flat/,
  );
  const nested = Array.from(
    { length: 8 },
    (_, i) =>
      `<object id="${i + 2}"><components>${`<component objectid="${i + 1}"/>`.repeat(10)}</components></object>`,
  ).join("");
  await assert.rejects(read(PYRAMID + nested, `<item objectid="9"/>`), /places 100000000 lattices/);
});

test("supports with lattices are left out, as other supports", async () => {
  const both = PYRAMID.replace(`id="1"`, `id="3"`) + ofType("support");
  const { parts, warnings } = await read(both, `<item objectid="1"/><item objectid="3"/>`);
  assert.equal(parts.length, 1);
  assert.match(warnings!.join(), /support/);
});
