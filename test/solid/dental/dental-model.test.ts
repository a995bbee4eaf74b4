import assert from "node:assert/strict";
import { test } from "node:test";
import { Fault } from "../../../src/core/fault.ts";
import { centreOf, type Vec3 } from "../../../src/core/geometry.ts";
import { Cancelled, cancelJob, newJobState, watchJob } from "../../../src/core/watch.ts";
import type { Mesh, Surface } from "../../../src/mesh/mesh.ts";
import { type EulerDeg, toMatrix, transposed, turn, UPRIGHT } from "../../../src/mesh/pose.ts";
import { dentalModel } from "../../../src/solid/dental/dental-model.ts";
import { arch } from "../../fixture/arch.ts";
import { facetsOf, insideOut, moved, withFacets } from "../../fixture/altered.ts";
import { box, cylinder, uvSphere } from "../../fixture/shapes.ts";
import { meshOf } from "../../fixture/slices.ts";
import { jaw, TOOTH_FORMS } from "./jaw.ts";

import {
  assertNear,
  assertShare,
  assertSound,
  bottomArea,
  circleArea,
  DRAINS,
  drum,
  made,
  NO_DRAINS,
  placesOf,
  SEGMENTS,
} from "./made.ts";

// Interface, "dental-hollow": the cut, its base and the gumline.

test("what lies above the cut is kept and its outline goes straight down", async () => {
  for (const heightMm of [-5.9, -2, 0, 0.123, 5]) {
    const { mesh } = await made(drum, { cut: { heightMm }, extrudeMm: 7 });
    assertSound(mesh);
    assertShare(mesh.volumeMm3, circleArea(15, SEGMENTS) * (6 - heightMm + 7), 1e-5, `${heightMm}`);
    assertNear(mesh.box.min[2], heightMm - 7, 1e-5);
    assertShare(bottomArea(mesh, heightMm - 7), circleArea(15, SEGMENTS), 1e-5);
  }
});

test("an extrusion of nothing closes the cut with a flat bottom", async () => {
  const { mesh } = await made(meshOf(uvSphere(10)), { cut: { heightMm: 2 }, extrudeMm: 0 });
  assertSound(mesh);
  assertNear(mesh.box.min[2], 2, 1e-4);
  assertShare(mesh.volumeMm3, (Math.PI * 8 * 8 * (3 * 10 - 8)) / 3, 0.01);
});

test("a model that is cut at its flat bottom gets longer", async () => {
  const { mesh } = await made(drum, { cut: { heightMm: -6 }, extrudeMm: 3 });
  assertSound(mesh);
  assertShare(mesh.volumeMm3, circleArea(15, SEGMENTS) * 15, 1e-5);
});

test("facets that the cut does not pass keep their corners to the bit, hollow or not", async () => {
  const mesh = meshOf(jaw({ form: TOOTH_FORMS.domes, teeth: 12, gumMm: 8, toothMm: 7 }));
  const whole = facetsOf(mesh).filter((facet) => facet.every((v) => mesh.vertices[3 * v + 2] > 5));
  const before = placesOf({ vertices: mesh.vertices, triangles: withFacets(mesh, whole).triangles });
  assert.ok(before.size > 1000);
  for (const hollow of [undefined, { shellMm: 2.5, wallMm: 1, drains: DRAINS }]) {
    const after = placesOf((await made(mesh, { cut: { heightMm: 5 }, hollow, isSmoothed: true })).mesh);
    assert.deepEqual(
      [...before].filter((facet) => !after.has(facet)),
      [],
    );
  }
});

test("a turned and scaled model is cut and extruded along the scene's z", async () => {
  const orientation: EulerDeg = { x: 33, y: -71, z: 128 };
  const rotation = toMatrix(orientation);
  const back = transposed(rotation);
  // The drum as a file would hold it that stands upright once it is turned and grown.
  const raw = meshOf({
    vertices: Float64Array.from(
      Array.from({ length: drum.vertices.length / 3 }, (_, i) =>
        turn(back, Array.from(drum.vertices.subarray(3 * i, 3 * i + 3), (value) => value / 2) as unknown as Vec3),
      ).flat(),
    ),
    triangles: drum.triangles,
  });
  const origin = centreOf(raw.box);
  const heightMm = turn(rotation, origin)[2] * 2 + 6;
  const { mesh } = await made(raw, {
    standing: { origin, orientation, scale: 2, heightMm },
    cut: { heightMm: 4 },
    extrudeMm: 5,
    hollow: { shellMm: 2, drains: NO_DRAINS },
  });
  assertSound(mesh);
  const solid = circleArea(15, SEGMENTS) * 13;
  assertShare(mesh.volumeMm3 * 8, solid - circleArea(13, SEGMENTS) * 11, 0.002);
  const heights = Array.from({ length: mesh.vertices.length / 3 }, (_, i) => {
    const [x, y, z] = mesh.vertices.subarray(3 * i, 3 * i + 3);
    return turn(rotation, [x, y, z])[2] * 2 + 6;
  });
  const bottom = heights.filter((z) => z < -1 + 1e-3);
  assert.ok(bottom.length > 2 * SEGMENTS);
  for (const z of bottom) assertNear(z, -1, 2e-5);
});

test("smoothed sides go down to an outline without clefts, of the same area, and no other way", async () => {
  // Twelve waves of 1.5 mm around a drum of 14 mm.
  const petals = Array.from({ length: 360 }, (_, i) => {
    const angle = (Math.PI * i) / 180;
    const r = 14 + 1.5 * Math.cos(12 * angle);
    return [r * Math.cos(angle), r * Math.sin(angle)] as const;
  });
  const vertices = [-5, 5].flatMap((z) => petals.flatMap(([x, y]) => [x, y, z]));
  const triangles = petals.flatMap((_, i) => {
    const next = (i + 1) % 360;
    return [i, next, 360 + next, i, 360 + next, 360 + i, 720, next, i, 721, 360 + i, 360 + next];
  });
  const flower = meshOf({
    vertices: Float64Array.from([...vertices, 0, 0, -5, 0, 0, 5]),
    triangles: Uint32Array.from(triangles),
  });
  const spreadAt = (mesh: Mesh, zMm: number): [least: number, most: number] => {
    const radii: number[] = [];
    for (let at = 0; at < mesh.vertices.length; at += 3) {
      if (Math.abs(mesh.vertices[at + 2] - zMm) < 1e-4)
        radii.push(Math.hypot(mesh.vertices[at], mesh.vertices[at + 1]));
    }
    return [Math.min(...radii), Math.max(...radii)];
  };
  for (const extrudeMm of [0.3, 6]) {
    const { mesh } = await made(flower, { extrudeMm, isSmoothed: true });
    assertSound(mesh);
    const [least, most] = spreadAt(mesh, -extrudeMm);
    assert.ok(most - least < 0.8, `${least} to ${most}`);
    assertNear((least + most) / 2, 14, 0.3);
    const [cleft, crest] = spreadAt(mesh, 0);
    assertNear(crest - cleft, 3, 1e-3);
    const upright = await made(flower, { extrudeMm, isSmoothed: false });
    assertNear(spreadAt(upright.mesh, -extrudeMm)[0], 12.5, 1e-3);
  }
});

test("smooth outlines stay where they are, and small ones keep their form", async () => {
  for (const radius of [1, 5, 30]) {
    const { mesh } = await made(meshOf(cylinder(radius, 4, 64)), { isSmoothed: true });
    assertSound(mesh);
    assertShare(mesh.volumeMm3, circleArea(radius, 64) * 7, 0.01, `${radius}`);
  }
});

test("an open scan is as good as a closed model once the cut lies above its rim", async () => {
  for (const form of Object.values(TOOTH_FORMS)) {
    const shape = { form, teeth: 10, gumMm: 8, toothMm: 6 };
    const closed = await made(meshOf(jaw(shape)), { cut: { heightMm: 3 } });
    const open = await made(meshOf(jaw({ ...shape, isOpen: true })), { cut: { heightMm: 3 } });
    assertSound(open.mesh);
    assertShare(open.mesh.volumeMm3, closed.mesh.volumeMm3, 1e-3);
    assert.deepEqual(open.warnings, []);
  }
});

test("an open scan that faces inward, and a model that does, come out facing outward", async () => {
  for (const isOpen of [true, false]) {
    const shape = { form: TOOTH_FORMS.blocks, teeth: 6, gumMm: 8, toothMm: 6, isOpen };
    const { mesh } = await made(meshOf(jaw(shape)), { cut: { heightMm: 3 } });
    const turned = await made(meshOf(insideOut(jaw(shape))), { cut: { heightMm: 3 } });
    assertShare(turned.mesh.volumeMm3, mesh.volumeMm3, 1e-6);
  }
});

test("a cut through the open rim of a scan is refused", async () => {
  const scan = meshOf(jaw({ form: TOOTH_FORMS.domes, teeth: 10, gumMm: 8, toothMm: 6, isOpen: true }));
  await assert.rejects(made(scan, { cut: { heightMm: 0.1 } }), isFault(/open rim.*Cut higher/));
});

test("holes above the cut are closed, and told", async () => {
  const shape = jaw({ form: TOOTH_FORMS.domes, teeth: 10, gumMm: 8, toothMm: 6, isOpen: true });
  const facets = facetsOf(shape);
  const high = facets.findIndex((facet) => facet.every((v) => shape.vertices[3 * v + 2] > 10));
  const { mesh, warnings } = await made(meshOf(withFacets(shape, facets.toSpliced(high, 1))), { cut: { heightMm: 3 } });
  assertSound(mesh);
  assert.match(warnings.join(), /holes above the cut/);
});

const isFault =
  (message: RegExp) =>
  (thrown: unknown): boolean =>
    thrown instanceof Fault && thrown.code === "OPERATION_FAILED" && message.test(thrown.message);

test("a cut above or below the model is refused", async () => {
  for (const heightMm of [-6.1, 6, 6.1, -1e6, 1e6]) {
    await assert.rejects(made(drum, { cut: { heightMm } }), isFault(/from -6.00 to 6.00 mm/), `${heightMm}`);
  }
});

test("pieces that the cut parts are left out and told, or kept, each on its base", async () => {
  const parts = meshOf(
    moved(cylinder(4, 10, 32), [0, 0, 0]),
    moved(cylinder(3, 10, 32), [20, 0, 0]),
    moved(cylinder(2, 3, 32), [0, 20, 3]),
  );
  const one = await made(parts);
  assertShare(one.mesh.volumeMm3, circleArea(4, 32) * 10, 1e-4);
  assert.match(one.warnings.join(), /2 smaller pieces/);
  const all = await made(parts, { keepsPieces: true });
  assertSound(all.mesh);
  // The third hangs above the cut: nothing of it is extruded.
  assertShare(all.mesh.volumeMm3, circleArea(4, 32) * 10 + circleArea(3, 32) * 10 + circleArea(2, 32) * 3, 1e-4);
  assert.deepEqual(all.warnings, []);
});

test("bodies that overlap are one piece, and cavities stay", async () => {
  const gums = jaw({ form: () => 0, teeth: 8, gumMm: 6, toothMm: 0 });
  const tooth = (x: number, y: number): Surface => moved(cylinder(2, 10, 24), [x, y, 8]);
  const jawWithTeeth = meshOf(
    gums,
    tooth(28, 0.5),
    tooth(-28, 0.5),
    tooth(0, 36),
    insideOut(moved(box([1, 1, 1]), [0, 36, 4])),
  );
  const { mesh, warnings } = await made(jawWithTeeth, { cut: { heightMm: 3 }, extrudeMm: 2 });
  assertSound(mesh);
  assert.deepEqual(warnings, []);
  const gumsAlone = (await made(meshOf(gums), { cut: { heightMm: 3 }, extrudeMm: 2 })).mesh.volumeMm3;
  assert.ok(mesh.volumeMm3 > gumsAlone + 2.4 * circleArea(2, 24) * 7 - 1, `${mesh.volumeMm3} ${gumsAlone}`);
  assert.equal(mesh.box.max[2], 13);
});

test("the gumline lies where the teeth part, whatever their form", async () => {
  for (const [name, form] of Object.entries(TOOTH_FORMS)) {
    for (const isOpen of [false, true]) {
      for (const [teeth, gumMm, toothMm] of [
        [14, 9, 7],
        [8, 6.3, 4],
        [4, 12, 10],
        [3, 5, 2.5],
      ] as const) {
        const { mesh } = await made(meshOf(jaw({ form, teeth, gumMm, toothMm, isOpen })), {
          cut: { belowGumlineMm: 0 },
        });
        assertNear(mesh.box.min[2] + 5, gumMm, 0.3, `${name} ${teeth}`);
        const lower = await made(meshOf(jaw({ form, teeth, gumMm, toothMm, isOpen })), {
          cut: { belowGumlineMm: 1.5 },
        });
        assertNear(lower.mesh.box.min[2], mesh.box.min[2] - 1.5, 1e-4);
      }
    }
  }
});

test("at the gumline the teeth hang together, also where gums are uneven", async () => {
  const gumMm = (gap: number): number => 8 + [0, 0.8, 0.3, 1.5, 1.1, 0.2, 0.9][gap % 7];
  const { mesh, warnings } = await made(meshOf(jaw({ form: TOOTH_FORMS.domes, teeth: 14, gumMm, toothMm: 7 })), {
    cut: { belowGumlineMm: 0 },
  });
  assertNear(mesh.box.min[2] + 5, 8, 0.3);
  assert.deepEqual(warnings, []);
});

test("a model without teeth has no gumline", async () => {
  for (const mesh of [
    drum,
    meshOf(uvSphere(10)),
    meshOf(arch({ widthMm: 60, depthMm: 45, bandMm: 12, heightMm: 14 })),
  ]) {
    await assert.rejects(made(mesh, { cut: { belowGumlineMm: 0 } }), isFault(/no gumline.*cutoff_height_mm/));
  }
});

test("the hollow of a hollow jaw is no tooth", async () => {
  const shape = { form: TOOTH_FORMS.domes, teeth: 10, gumMm: 8, toothMm: 6 };
  const hollow = { shellMm: 1.5, wallMm: 1, drains: NO_DRAINS };
  const { mesh } = await made(meshOf(jaw(shape)), { cut: { heightMm: 3 }, hollow });
  const again = await made(mesh, { cut: { belowGumlineMm: 0 }, extrudeMm: 0 });
  assertNear(again.mesh.box.min[2], 8, 0.3);
});

test("a cancelled job ends", async () => {
  const state = newJobState();
  cancelJob(state);
  const request = {
    mesh: drum,
    standing: { origin: [0, 0, 0], orientation: UPRIGHT, scale: 1, heightMm: 0 },
    cut: { heightMm: 0 },
    extrudeMm: 1,
    isSmoothed: true,
    keepsPieces: false,
  } as const;
  await assert.rejects(dentalModel(request, watchJob(state)), Cancelled);
});
