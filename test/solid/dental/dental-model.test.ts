import assert from "node:assert/strict";
import { test } from "node:test";
import { boxCentre } from "../../../src/geometry/box.ts";
import { ApiError } from "../../../src/core/api-error.ts";
import { CancelledError, cancelTask, newTaskState, taskProgress } from "../../../src/core/progress.ts";
import { type EulerDeg, UPRIGHT, rotateVector, rotationMatrix, transpose } from "../../../src/geometry/pose.ts";
import { times } from "../../../src/geometry/vector.ts";
import { type Mesh, type Surface, vertexAt } from "../../../src/mesh/mesh.ts";
import { dentalModel } from "../../../src/solid/dental/dental-model.ts";
import { arch } from "../../fixture/arch.ts";
import { longTest, slowCases } from "../../fixture/long.ts";
import { box, cylinder, uvSphere } from "../../fixture/shapes.ts";
import { meshOf } from "../../fixture/slices.ts";
import { facetsOf, insideOut, moved, withFacets } from "../../fixture/surface-edits.ts";
import {
  DRAINS,
  NO_DRAINS,
  SEGMENTS,
  assertNear,
  assertShare,
  assertClosedManifold,
  bottomArea,
  circleArea,
  drum,
  makeDental,
  facetKeys,
} from "./dental-cases.ts";
import { TOOTH_FORMS, jaw } from "./jaw.ts";

// Interface, "dental-hollow": the cut, its base and the gumline.

test("the part above the cut is kept and its outline extruded straight down", async () => {
  for (const heightMm of [-5.9, -2, 0, 0.123, 5]) {
    const { mesh } = await makeDental(drum, { cut: { heightMm }, extrudeMm: 7 });
    assertClosedManifold(mesh);
    assertShare(mesh.volumeMm3, circleArea(10, SEGMENTS) * (6 - heightMm + 7), 1e-5, `${heightMm}`);
    assertNear(mesh.box.min[2], heightMm - 7, 1e-5);
    assertShare(bottomArea(mesh, heightMm - 7), circleArea(10, SEGMENTS), 1e-5);
  }
});

test("an extrusion of 0 mm closes the cut with a flat bottom", async () => {
  const { mesh } = await makeDental(meshOf(uvSphere(10)), { cut: { heightMm: 2 }, extrudeMm: 0 });
  assertClosedManifold(mesh);
  assertNear(mesh.box.min[2], 2, 1e-4);
  assertShare(mesh.volumeMm3, (Math.PI * 8 * 8 * (3 * 10 - 8)) / 3, 0.01);
});

test("a model cut at its flat bottom becomes longer", async () => {
  const { mesh } = await makeDental(drum, { cut: { heightMm: -6 }, extrudeMm: 3 });
  assertClosedManifold(mesh);
  assertShare(mesh.volumeMm3, circleArea(10, SEGMENTS) * 15, 1e-5);
});

longTest("facets that the cut does not cross stay exactly the same, hollow or not", async () => {
  const mesh = meshOf(jaw({ form: TOOTH_FORMS.domes, teeth: 4, gumMm: 8, toothMm: 7 }));
  const whole = facetsOf(mesh).filter((facet) => facet.every((v) => mesh.vertices[3 * v + 2] > 5));
  const before = facetKeys({ vertices: mesh.vertices, triangles: withFacets(mesh, whole).triangles });
  assert.ok(before.size > 400);
  const hollows = slowCases([3, 1]).map((wallMm) => ({ shellMm: 3, wallMm, drains: DRAINS }));
  for (const hollow of [undefined, ...hollows]) {
    const after = facetKeys((await makeDental(mesh, { cut: { heightMm: 5 }, hollow, isSmoothed: true })).mesh);
    assert.deepEqual(
      [...before].filter((facet) => !after.has(facet)),
      [],
    );
  }
});

test("a rotated and scaled model is cut and extruded along z of the scene", async () => {
  const orientation: EulerDeg = { x: 33, y: -71, z: 128 };
  const rotation = rotationMatrix(orientation);
  const back = transpose(rotation);
  // The raw mesh that becomes the drum when it is rotated and scaled by 2.
  const raw = meshOf({
    vertices: Float64Array.from(
      Array.from({ length: drum.vertices.length / 3 }, (_, i) =>
        rotateVector(back, times(vertexAt(drum, i), 1 / 2)),
      ).flat(),
    ),
    triangles: drum.triangles,
  });
  const origin = boxCentre(raw.box);
  const heightMm = rotateVector(rotation, origin)[2] * 2 + 6;
  const { mesh } = await makeDental(raw, {
    standing: { origin, orientation, scale: 2, heightMm },
    cut: { heightMm: 4 },
    extrudeMm: 5,
    hollow: { shellMm: 2, drains: NO_DRAINS },
  });
  assertClosedManifold(mesh);
  const solid = circleArea(10, SEGMENTS) * 13;
  assertShare(mesh.volumeMm3 * 8, solid - circleArea(8, SEGMENTS) * 11, 0.002);
  const heights = Array.from({ length: mesh.vertices.length / 3 }, (_, i) => {
    const [x, y, z] = mesh.vertices.subarray(3 * i, 3 * i + 3);
    return rotateVector(rotation, [x, y, z])[2] * 2 + 6;
  });
  const bottom = heights.filter((z) => z < -1 + 1e-3);
  assert.ok(bottom.length > 2 * SEGMENTS);
  for (const z of bottom) assertNear(z, -1, 2e-5);
});

longTest("smoothed sides end in an outline without clefts and with the same mean radius", async () => {
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
    const { mesh } = await makeDental(flower, { extrudeMm, isSmoothed: true });
    assertClosedManifold(mesh);
    const [least, most] = spreadAt(mesh, -extrudeMm);
    assert.ok(most - least < 0.8, `${least} to ${most}`);
    assertNear((least + most) / 2, 14, 0.3);
    const [cleft, crest] = spreadAt(mesh, 0);
    assertNear(crest - cleft, 3, 1e-3);
    const upright = await makeDental(flower, { extrudeMm, isSmoothed: false });
    assertNear(spreadAt(upright.mesh, -extrudeMm)[0], 12.5, 1e-3);
  }
});

test("smooth outlines stay in place, and small ones keep their shape", async () => {
  for (const radius of [1, 5, 30]) {
    const { mesh } = await makeDental(meshOf(cylinder(radius, 4, 64)), { isSmoothed: true });
    assertClosedManifold(mesh);
    assertShare(mesh.volumeMm3, circleArea(radius, 64) * 7, 0.01, `${radius}`);
  }
});

test("an open scan gives the same result as a closed model when the cut is above its rim", async () => {
  for (const form of Object.values(TOOTH_FORMS)) {
    const shape = { form, teeth: 10, gumMm: 8, toothMm: 6 };
    const closed = await makeDental(meshOf(jaw(shape)), { cut: { heightMm: 3 } });
    const open = await makeDental(meshOf(jaw({ ...shape, isOpen: true })), { cut: { heightMm: 3 } });
    assertClosedManifold(open.mesh);
    assertShare(open.mesh.volumeMm3, closed.mesh.volumeMm3, 1e-3);
    assert.deepEqual(open.warnings, []);
  }
});

test("an inverted scan or model gives a result that faces outward", async () => {
  for (const isOpen of [true, false]) {
    const shape = { form: TOOTH_FORMS.blocks, teeth: 6, gumMm: 8, toothMm: 6, isOpen };
    const { mesh } = await makeDental(meshOf(jaw(shape)), { cut: { heightMm: 3 } });
    const turned = await makeDental(meshOf(insideOut(jaw(shape))), { cut: { heightMm: 3 } });
    assertShare(turned.mesh.volumeMm3, mesh.volumeMm3, 1e-6);
  }
});

test("a cut through the open rim of a scan is refused", async () => {
  const scan = meshOf(jaw({ form: TOOTH_FORMS.domes, teeth: 10, gumMm: 8, toothMm: 6, isOpen: true }));
  await assert.rejects(makeDental(scan, { cut: { heightMm: 0.1 } }), isApiError(/open rim.*Cut higher/));
});

test("holes above the cut are closed, with a warning", async () => {
  const shape = jaw({ form: TOOTH_FORMS.domes, teeth: 10, gumMm: 8, toothMm: 6, isOpen: true });
  const facets = facetsOf(shape);
  const high = facets.findIndex((facet) => facet.every((v) => shape.vertices[3 * v + 2] > 10));
  const { mesh, warnings } = await makeDental(meshOf(withFacets(shape, facets.toSpliced(high, 1))), {
    cut: { heightMm: 3 },
  });
  assertClosedManifold(mesh);
  assert.match(warnings.join(), /holes above the cut/);
});

const isApiError =
  (message: RegExp) =>
  (thrown: unknown): boolean =>
    thrown instanceof ApiError && thrown.code === "OPERATION_FAILED" && message.test(thrown.message);

test("a cut above or below the model is refused", async () => {
  for (const heightMm of [-6.1, 6, 6.1, -1e6, 1e6]) {
    await assert.rejects(makeDental(drum, { cut: { heightMm } }), isApiError(/from -6.00 to 6.00 mm/), `${heightMm}`);
  }
});

test("pieces that the cut separates are left out with a warning, or kept, each on its own base", async () => {
  const parts = meshOf(
    moved(cylinder(4, 10, 32), [0, 0, 0]),
    moved(cylinder(3, 10, 32), [20, 0, 0]),
    moved(cylinder(2, 3, 32), [0, 20, 3]),
  );
  const one = await makeDental(parts);
  assertShare(one.mesh.volumeMm3, circleArea(4, 32) * 10, 1e-4);
  assert.match(one.warnings.join(), /2 smaller pieces/);
  const all = await makeDental(parts, { keepsAllPieces: true });
  assertClosedManifold(all.mesh);
  // The third piece is above the cut, so it has no base.
  assertShare(all.mesh.volumeMm3, circleArea(4, 32) * 10 + circleArea(3, 32) * 10 + circleArea(2, 32) * 3, 1e-4);
  assert.deepEqual(all.warnings, []);
});

test("overlapping bodies are one piece, and cavities are kept", async () => {
  const gums = jaw({ form: () => 0, teeth: 8, gumMm: 6, toothMm: 0 });
  const tooth = (x: number, y: number): Surface => moved(cylinder(2, 10, 24), [x, y, 8]);
  const jawWithTeeth = meshOf(
    gums,
    tooth(28, 0.5),
    tooth(-28, 0.5),
    tooth(0, 36),
    insideOut(moved(box([1, 1, 1]), [0, 36, 4])),
  );
  const { mesh, warnings } = await makeDental(jawWithTeeth, { cut: { heightMm: 3 }, extrudeMm: 2 });
  assertClosedManifold(mesh);
  assert.deepEqual(warnings, []);
  const gumsAlone = (await makeDental(meshOf(gums), { cut: { heightMm: 3 }, extrudeMm: 2 })).mesh.volumeMm3;
  assert.ok(mesh.volumeMm3 > gumsAlone + 2.4 * circleArea(2, 24) * 7 - 1, `${mesh.volumeMm3} ${gumsAlone}`);
  assert.equal(mesh.box.max[2], 13);
});

test("the gumline is where the teeth separate, for each form of teeth", async () => {
  for (const [name, form] of Object.entries(TOOTH_FORMS)) {
    for (const isOpen of [false, true]) {
      for (const [teeth, gumMm, toothMm] of slowCases([
        [8, 6.3, 4],
        [14, 9, 7],
        [4, 12, 10],
        [3, 5, 2.5],
      ] as const)) {
        const { mesh } = await makeDental(meshOf(jaw({ form, teeth, gumMm, toothMm, isOpen })), {
          cut: { belowGumlineMm: 0 },
        });
        assertNear(mesh.box.min[2] + 5, gumMm, 0.3, `${name} ${teeth}`);
        const lower = await makeDental(meshOf(jaw({ form, teeth, gumMm, toothMm, isOpen })), {
          cut: { belowGumlineMm: 1.5 },
        });
        assertNear(lower.mesh.box.min[2], mesh.box.min[2] - 1.5, 1e-4);
      }
    }
  }
});

test("at the gumline the teeth are connected, even if gums are uneven", async () => {
  const gumMm = (gap: number): number => 8 + [0, 0.8, 0.3, 1.5, 1.1, 0.2, 0.9][gap % 7];
  const { mesh, warnings } = await makeDental(meshOf(jaw({ form: TOOTH_FORMS.domes, teeth: 14, gumMm, toothMm: 7 })), {
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
    await assert.rejects(makeDental(mesh, { cut: { belowGumlineMm: 0 } }), isApiError(/no gumline.*cutoff_height_mm/));
  }
});

longTest("the cavity of a hollow jaw is not a tooth", async () => {
  const shape = { form: TOOTH_FORMS.domes, teeth: 5, gumMm: 8, toothMm: 6 };
  const hollow = { shellMm: 3, drains: NO_DRAINS };
  const { mesh } = await makeDental(meshOf(jaw(shape)), { cut: { heightMm: 3 }, hollow });
  const again = await makeDental(mesh, { cut: { belowGumlineMm: 0 }, extrudeMm: 0 });
  assertNear(again.mesh.box.min[2], 8, 0.3);
});

test("a cancelled job ends", async () => {
  const state = newTaskState();
  cancelTask(state);
  const request = {
    mesh: drum,
    standing: { origin: [0, 0, 0], orientation: UPRIGHT, scale: 1, heightMm: 0 },
    cut: { heightMm: 0 },
    extrudeMm: 1,
    isSmoothed: true,
    keepsAllPieces: false,
  } as const;
  await assert.rejects(dentalModel(request, taskProgress(state)), CancelledError);
});
