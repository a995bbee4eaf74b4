import assert from "node:assert/strict";
import { test } from "node:test";
import { CancelledError, type Progress, noProgress } from "../../../src/core/progress.ts";
import { coordinateRange, polygonsArea } from "../../../src/geometry/polygon.ts";
import { type Vec3, cross, length, subtract, times, unit } from "../../../src/geometry/vector.ts";
import { difference } from "../../../src/mesh/boolean.ts";
import { isSelfIntersecting } from "../../../src/mesh/bvh/self-intersections.ts";
import { describeDefects, meshReport } from "../../../src/mesh/mesh-report.ts";
import {
  type Mesh,
  type Surface,
  cornersOf,
  facetNormal,
  triangleCount,
  vertexAt,
  vertexCount,
  withOtherSurface,
} from "../../../src/mesh/mesh.ts";
import { type LabelRequest, type LabelledMesh, labelMesh, layOutText } from "../../../src/solid/label/label-mesh.ts";
import { longTest, slowRuns, slowSample } from "../../fixture/long.ts";
import { rotated } from "../../fixture/rotated.ts";
import { box, cylinder, torus, uvSphere } from "../../fixture/shapes.ts";
import { meshOf } from "../../fixture/slices.ts";
import { randomFrom } from "../../fixture/random.ts";
import { insideOut, moved } from "../../fixture/surface-edits.ts";

const TOP = { position: [0, 0, 5], along: [1, 0, 0], normal: [0, 0, 1] } as const;
/** A placement on the side of an upright cylinder or ball. */
const onSide = (radius: number) => ({ position: [radius, 0, 0], along: [0, 1, 0], normal: [1, 0, 0] }) as const;

const label = (mesh: Mesh, text: string, options: Partial<LabelRequest>): Promise<LabelledMesh> =>
  labelMesh({ mesh, text, placement: TOP, fontSizeMm: 5, depthMm: 0.5, mode: "EMBOSS", ...options }, noProgress);

const verticesOf = (mesh: Mesh): Vec3[] =>
  Array.from({ length: vertexCount(mesh) }, (_, vertex) => vertexAt(mesh, vertex));

const near = (value: number, expected: number, share: number, what: string): void =>
  assert.ok(Math.abs(value - expected) <= share * Math.abs(expected), `${what}: ${value} instead of ${expected}`);

test("a label on a plane adds or removes its area times its depth", async () => {
  const slab = meshOf(box([60, 20, 10]));
  for (const mode of ["EMBOSS", "ENGRAVE"] as const) {
    for (const [text, fontSizeMm, depthMm] of slowSample(
      [
        ["Text 8", 5, 0.5],
        ["Γειά", 8, 2],
        ["Żółć", 4, 0.2],
        ["Щука", 2, 1],
        ["_", 5, 0.5],
        ["'", 5, 0.5],
      ] as const,
      2,
    )) {
      const { mesh } = await label(slab, text, { fontSizeMm, depthMm, mode });
      const area = polygonsArea((await layOutText(text, fontSizeMm)).region);
      near(mesh.volumeMm3 - slab.volumeMm3, (mode === "EMBOSS" ? 1 : -1) * area * depthMm, 1e-4, text);
      const tops = verticesOf(mesh)
        .map(([, , z]) => z)
        .filter((z) => z !== 5 && z !== -5);
      for (const z of tops) near(z - 5, mode === "EMBOSS" ? depthMm : -depthMm, 1e-4, "the height");
    }
  }
});

test("the text reads from outside along x, whichever side z points to", async () => {
  const slab = meshOf(box([20, 20, 10]));
  for (const normal of [
    [0, 0, 1],
    [0, 0, -1],
  ] as const) {
    for (const along of [
      [1, 0, 0],
      [0, -1, 0],
      [-0.6, 0.8, 0],
    ] as const) {
      const { mesh } = await label(slab, "L", { placement: { position: [1, 2, 5], along, normal } });
      const up = cross([0, 0, 1], along);
      const on = verticesOf(mesh)
        .filter(([, , z]) => z > 5.1)
        .map((vertex): [x: number, y: number] => {
          const [dx, dy] = [vertex[0] - 1, vertex[1] - 2];
          return [dx * along[0] + dy * along[1], dx * up[0] + dy * up[1]];
        });
      // The stem of an L is at its left, the foot at its bottom.
      const top = Math.max(...on.map(([, y]) => y));
      near(top, (5 * 1493) / 2048 / 2, 1e-4, "half a capital");
      assert.ok(on.filter(([, y]) => y > top - 0.1).every(([x]) => x < 0));
      assert.ok(on.filter(([x]) => x > 0.5).every(([, y]) => y < 0));
      assert.ok(on.some(([x]) => x > 0.5));
    }
  }
});

longTest("all tops and floors on a cylinder and a ball are at the depth", async () => {
  for (const mode of ["EMBOSS", "ENGRAVE"] as const) {
    for (const [shape, radius, text, fontSizeMm, depthMm] of slowSample(
      [
        [cylinder(6, 30, 256), 6, "Ωρα", 4, 0.2],
        [cylinder(10, 30, 256), 10, "Cylinder", 5, 0.5],
        [uvSphere(10, 128, 64), 10, "Sphere", 4, 0.4],
        [cylinder(30, 40, 256), 30, "Ёж", 15, 2],
      ] as const,
      2,
    )) {
      const mesh = meshOf(shape);
      const isBall = text === "Sphere";
      const { mesh: made } = await label(mesh, text, { placement: onSide(radius), fontSizeMm, depthMm, mode });
      const heights = verticesOf(made)
        .filter(([x, , z]) => isBall || (Math.abs(z) < fontSizeMm && x > 0))
        .map(([x, y, z]) => (mode === "EMBOSS" ? 1 : -1) * (Math.hypot(x, y, isBall ? z : 0) - radius))
        .filter((height) => height > depthMm / 2);
      assert.ok(heights.length > 100);
      for (const height of heights) near(height, depthMm, 0.05, `${text}, ${mode}`);
      const area = polygonsArea((await layOutText(text, fontSizeMm)).region);
      const side = mode === "EMBOSS" ? 1 : -1;
      // The area of a cylinder grows with its radius. On a ball, lines next to a great circle are shorter.
      if (!isBall)
        near(
          made.volumeMm3 - mesh.volumeMm3,
          side * area * depthMm * (1 + (side * depthMm) / (2 * radius)),
          0.02,
          text,
        );
    }
  }
});

test("a top has its height also between its vertices", async () => {
  const mesh = meshOf(cylinder(10, 30, 256));
  const { mesh: made } = await label(mesh, "MIM", { placement: onSide(10), fontSizeMm: 6, depthMm: 0.4 });
  const points = verticesOf(made);
  let samples = 0;
  for (let at = 0; at < made.triangles.length; at += 3) {
    const [a, b, c] = [0, 1, 2].map((i) => points[made.triangles[at + i]]);
    if ([a, b, c].some(([x, y]) => Math.hypot(x, y) < 10.2)) continue;
    samples++;
    const [x, y] = [0, 1].map((axis) => (a[axis] + b[axis] + c[axis]) / 3);
    near(Math.hypot(x, y) - 10, 0.4, 0.05, "the middle of a facet");
  }
  assert.ok(samples > 50);
});

longTest("text around a cylinder is as wide as the arc, in any direction", async () => {
  for (const [radius, segments] of slowSample(
    [
      [5, 24],
      [8, 96],
      [25, 48],
    ],
    2,
  )) {
    const mesh = meshOf(cylinder(radius, 60, segments));
    const region = (await layOutText("HxxxH", 4)).region;
    const [left, right] = coordinateRange(region, 0);
    for (const along of [[0, 1, 0], unit([0, 1, 1]), [0, 0, 1]] as Vec3[]) {
      const { mesh: made } = await label(mesh, "HxxxH", {
        placement: { ...onSide(radius), along },
        fontSizeMm: 4,
        depthMm: 0.5,
      });
      const on = verticesOf(made)
        .filter(([x, y]) => Math.hypot(x, y) > radius + 0.25)
        .map(([x, y, z]) => radius * Math.atan2(y, x) * along[1] + z * along[2]);
      near(Math.max(...on) - Math.min(...on), right - left, 0.02, `radius ${radius}`);
      near(Math.max(...on), right, 0.03, "its middle");
    }
  }
});

test("the result is one closed manifold body, and vertices away from the label stay exactly the same", async () => {
  const random = randomFrom(7);
  const texts = ["A", "B8", "Ж%", "é", "@", "Ωμ", "©", "i:"];
  for (const shape of [box([40, 30, 20]), cylinder(9, 40, 24), uvSphere(14, 64, 32), torus(20, 8, 64, 32)]) {
    const mesh = meshOf(rotatedShape(shape));
    const points = verticesOf(mesh);
    for (let i = 0; i < slowRuns(8); i++) {
      const [placement, farMm] = [randomPlacement(mesh, random), 8];
      const text = texts[Math.floor(texts.length * random())];
      const options = {
        placement,
        fontSizeMm: 2 + 2 * random(),
        depthMm: 0.2 + random(),
        mode: random() < 0.5 ? "EMBOSS" : "ENGRAVE",
      } as const;
      const made = await label(mesh, text, options).catch(expectRefusal);
      if (!made) continue;
      const found = meshReport(made.mesh, noProgress);
      assert.deepEqual([describeDefects(found), found.bodies], [[], 1], JSON.stringify({ text, ...options }));
      const kept = new Set(verticesOf(made.mesh).map(String));
      for (const vertex of points) {
        if (length(subtract(vertex, placement.position)) > farMm) assert.ok(kept.has(String(vertex)), text);
      }
    }
  }
});

function rotatedShape({ vertices, triangles }: Surface): Surface {
  const points = Array.from({ length: vertices.length / 3 }, (_, i) =>
    rotated([vertices[3 * i], vertices[3 * i + 1], vertices[3 * i + 2]], { x: 20, y: 35, z: 50 }),
  );
  return { vertices: Float64Array.from(points.flat()), triangles };
}

/** Accepts the refusal of a letter that does not fit on the surface. */
function expectRefusal(thrown: { code?: string; message: string }): undefined {
  assert.equal(thrown.code, "OPERATION_FAILED", thrown.message);
  assert.match(thrown.message, /^at ".+" the surface (ends or has a sharp edge|bends too much)/);
}

function randomPlacement(mesh: Mesh, random: () => number): LabelRequest["placement"] {
  const facet = Math.floor(triangleCount(mesh) * random());
  const [a, b, c] = cornersOf(mesh, facet);
  const normal = unit(facetNormal(mesh, facet));
  const position = times([a[0] + b[0] + c[0], a[1] + b[1] + c[1], a[2] + b[2] + c[2]], 1 / 3);
  return { position, along: unit(cross(normal, [random(), random(), random() - 2])), normal };
}

test("a label follows a rough surface", async () => {
  const random = randomFrom(3);
  const ball = uvSphere(15, 200, 100);
  const vertices = ball.vertices.slice();
  for (let at = 0; at < vertices.length; at += 3) {
    const swell = 1 + ((random() - 0.5) * 0.04) / 15;
    for (let axis = 0; axis < 3; axis++) vertices[at + axis] *= swell;
  }
  const { mesh } = await label(meshOf({ ...ball, vertices }), "Rough", { placement: onSide(15) });
  assert.deepEqual(describeDefects(meshReport(mesh, noProgress)), []);
});

test("composed or decomposed accents, spaces around the text and small units make no difference", async () => {
  const slab = meshOf(box([40, 20, 10]));
  const { mesh } = await label(slab, "Ångé", {});
  assert.equal((await label(slab, " A\u030Ange\u0301  ", {})).mesh.hash, mesh.hash);
  const metres = meshOf(box([0.04, 0.02, 0.01]));
  const small = await label(metres, "Ångé", {
    placement: { ...TOP, position: [0, 0, 0.005] },
    fontSizeMm: 0.005,
    depthMm: 0.0005,
  });
  assert.equal(small.mesh.triangles.length, mesh.triangles.length);
  near(small.mesh.volumeMm3 * 1e9 - slab.volumeMm3, mesh.volumeMm3 - slab.volumeMm3, 1e-3, "in metres");
});

test("an engraving that goes through a wall is reported", async () => {
  const plate = meshOf(box([30, 20, 1]));
  const placement = { ...TOP, position: [0, 0, 0.5] } as const;
  const hollow = meshOf(await difference(box([30, 20, 10]), [box([28, 18, 8])], noProgress));
  for (const [mesh, where, depthMm, isPierced] of [
    [plate, placement, 0.9, false],
    [plate, placement, 1.1, true],
    [hollow, TOP, 0.8, false],
    [hollow, TOP, 1.2, true],
  ] as const) {
    assert.equal((await label(mesh, "I", { placement: where, depthMm, mode: "ENGRAVE" })).isPierced, isPierced);
  }
  assert.equal((await label(plate, "I", { placement, depthMm: 2 })).isPierced, false);
});

test("far from the origin a label is sound as long as coordinates resolve its letters, and is refused beyond", async () => {
  for (const [awayMm, fontSizeMm, depthMm, isFine] of [
    [9_000, 5, 0.5, true],
    [200_000, 5, 0.5, true],
    [250_000, 5, 0.5, false],
    [80_000, 2, 1, true],
    [90_000, 2, 1, false],
    [900_000, 20, 10, false],
  ] as const) {
    const slab = meshOf(moved(box([60, 40, 10]), [awayMm, -awayMm, awayMm / 2]));
    const position = [awayMm, -awayMm, awayMm / 2 + 5] as const;
    const made = label(slab, "g8", { placement: { ...TOP, position }, fontSizeMm, depthMm });
    if (!isFine) {
      const message = /so far from the origin of its file .* 0\.\d+ mm apart.*export it nearer/;
      await assert.rejects(made, { code: "OPERATION_FAILED", message });
      continue;
    }
    const { mesh } = await made;
    const found = meshReport(mesh, noProgress);
    assert.deepEqual([describeDefects(found), found.degenerateFacets, found.bodies], [[], 0, 1], String(awayMm));
    assert.equal(isSelfIntersecting(mesh, noProgress), false);
    near(
      mesh.volumeMm3 - slab.volumeMm3,
      polygonsArea((await layOutText("g8", fontSizeMm)).region) * depthMm,
      0.05,
      "g8",
    );
  }
});

test("a label that does not fit is refused, with the letter and a way out", async () => {
  const slab = meshOf(box([20, 20, 10]));
  const rod = meshOf(cylinder(5, 30, 96));
  const open = withOtherSurface(slab, { ...slab, triangles: slab.triangles.subarray(3) });
  const refusals: [Mesh, string, Partial<LabelRequest>, RegExp][] = [
    [slab, "A", { placement: { ...TOP, position: [0, 0, 11] } }, /no surface is within one font size/],
    [slab, "A", { placement: { ...TOP, along: [0, 0, 1], normal: [1, 0, 0] } }, /leans by more than 60°/],
    [slab, "So long", {}, /at "[Sng]" the surface ends or has a sharp edge: .*smaller font_size_mm/],
    [slab, "A", { placement: { ...TOP, position: [9.5, 0, 5] } }, /at "A" the surface ends/],
    [slab, "A", { placement: { ...TOP, position: [0, 9, 5] } }, /at "A" the surface ends/],
    [rod, "All the way round and on", { placement: onSide(5), fontSizeMm: 3 }, /goes all the way round/],
    [
      rod,
      "O",
      { placement: onSide(5), depthMm: 4.9, mode: "ENGRAVE" },
      /at "O" the surface bends too much for this depth.*smaller depth_mm/,
    ],
    [open, "A", {}, /surface has gaps.*repair/],
    [meshOf(insideOut(slab)), "A", {}, /faces inward.*repair/],
    [slab, "a漢b", {}, /no "漢" \(U\+6F22\)/],
    [slab, "q\u0308", {}, /U\+0308/],
    [slab, "שלום", {}, /left to right/],
    [slab, "\u2800", {}, /shows nothing/],
  ];
  for (const [mesh, text, options, message] of refusals) {
    await assert.rejects(label(mesh, text, options), { code: "OPERATION_FAILED", message }, text);
  }
});

test("labelling stops at any report when it is cancelled", async () => {
  const mesh = meshOf(uvSphere(15, 96, 48));
  const request = { mesh, text: "Stop", placement: onSide(15), fontSizeMm: 5, depthMm: 0.5, mode: "EMBOSS" } as const;
  const cancelAfter = (reports: number): [progress: Progress, count: () => number] => {
    let count = 0;
    const progress: Progress = {
      report() {
        if (++count > reports) throw new CancelledError();
      },
      part: () => progress,
      silent: () => progress,
    };
    return [progress, () => count];
  };
  const [counting, count] = cancelAfter(Infinity);
  await labelMesh(request, counting);
  for (const share of [0, 0.3, 0.6, 0.95]) {
    await assert.rejects(labelMesh(request, cancelAfter(Math.floor(share * count()))[0]), CancelledError);
  }
});
