import assert from "node:assert/strict";
import type { Brep, Curve, RhinoModule, Transform } from "rhino3dm";
import { noProgress } from "../../../src/core/progress.ts";
import { type ParametricSurface, analyticForm } from "../../../src/format/rhino/analytic-surface.ts";
import { stepOfBreps } from "../../../src/format/rhino/brep-step.ts";
import { unit } from "../../../src/geometry/vector.ts";
import { rhinoLibrary } from "../../../src/format/rhino/rhino-library.ts";
import { type ImportedFile, importFile } from "../../../src/feature/import/import-file.ts";
import { longTest, sampledTests } from "../../fixture/long.ts";
import { arcCurve, circleCurve, lineCurve, revolved, roundedPlate } from "../../fixture/rhino-breps.ts";
import { attributes, rhinoFile } from "../../fixture/rhino-file.ts";
import { stepFrustum, stepSphere, stepTorus } from "../../fixture/step-solid-file.ts";
import { temporaryFiles } from "../../fixture/temporary-files.ts";

const file = temporaryFiles();
const rhino = await rhinoLibrary(0);
const OPTIONS = { chordalToleranceMm: 0.01, angleToleranceDeg: 20 };
const WHOLE = 2 * Math.PI;

const importedFrom = (name: string, content: string | Uint8Array): Promise<ImportedFile> =>
  importFile({ file: file(name, content), repairBehavior: "ERROR", split: true, options: OPTIONS }, noProgress);

/** The volume of a Brep that is read from a file. An import without repair accepts it only if it is closed. */
async function volumeOf(make: (library: RhinoModule) => Brep): Promise<number> {
  const bytes = await rhinoFile(
    (library, document) => void document.objects().addBrep(make(library), attributes(library)),
  );
  const { parts, warnings } = await importedFrom("one.3dm", bytes);
  assert.deepEqual(warnings, []);
  return parts.reduce((sum, { mesh }) => sum + mesh.volumeMm3, 0);
}

/** The kinds of surfaces and curves that a Brep is written with. */
const kindsOf = (brep: Brep): string[] => {
  const text = stepOfBreps([{ name: "0", brep, unitMm: 1 }], 1e-3);
  const kinds = text.matchAll(
    /=\(?(PLANE|[A-Z]+(?:AL|ED)_SURFACE|LINE|CIRCLE|[A-Z_]*CURVE_WITH[A-Z_]*|BOUNDED_CURVE)\(/g,
  );
  return [...new Set(Array.from(kinds, ([, kind]) => kind))].toSorted();
};

const side = (library: RhinoModule, curve: Curve, caps: readonly [boolean, boolean] = [false, false]): Brep =>
  revolved(library, curve, 0, WHOLE, caps);
const sphere = (library: RhinoModule, radius = 4): Brep =>
  library.Brep.createFromSphere(new library.Sphere([0, 0, 0], radius));
const cylinder = (library: RhinoModule): Brep =>
  library.Brep.createFromCylinder(new library.Cylinder(new library.Circle([0, 0, 0], 4), 6), true, true);
const frustum = (library: RhinoModule): Brep => side(library, lineCurve(library, [4, 0, 0], [2, 0, 6]), [true, true]);
const torus = (library: RhinoModule, turn = 0): Brep => side(library, circleCurve(library, 5, 1, turn));

const TWINS = [
  { name: "a sphere", make: sphere, step: stepSphere(4), kinds: ["CIRCLE", "SPHERICAL_SURFACE"] },
  {
    name: "a cylinder",
    make: cylinder,
    step: stepFrustum(4, 4, 6),
    kinds: ["CIRCLE", "CYLINDRICAL_SURFACE", "LINE", "PLANE"],
  },
  {
    name: "a frustum",
    make: frustum,
    step: stepFrustum(4, 2, 6),
    kinds: ["CIRCLE", "CONICAL_SURFACE", "LINE", "PLANE"],
  },
  { name: "a torus", make: torus, step: stepTorus(5, 1), kinds: ["CIRCLE", "TOROIDAL_SURFACE"] },
] as const;

for (const [{ name, make, step, kinds }, testOne] of sampledTests(TWINS, 3)) {
  testOne(
    `${name} of Rhino is written with its own kind of surface, and has the volume of the same shape in STEP`,
    async () => {
      assert.deepEqual(kindsOf(make(rhino)), kinds);
      const volume = await volumeOf(make);
      const twin = await importedFrom("twin.step", step);
      const share = volume / twin.parts[0].mesh.volumeMm3 - 1;
      assert.ok(Math.abs(share) < 1e-4, String(share));
    },
  );
}

const S = Math.SQRT1_2;

longTest("shapes are closed wherever their seams and poles are, and points inside remain inside", async () => {
  const shapes: readonly (readonly [string, (library: RhinoModule) => Brep, number])[] = [
    ["a torus with its seam elsewhere", (library) => torus(library, 2), WHOLE * Math.PI * 5],
    ["a cone", (library) => side(library, lineCurve(library, [4, 0, 0], [0, 0, 6]), [true, false]), 32 * Math.PI],
    [
      "a cone from its apex",
      (library) => side(library, lineCurve(library, [0, 0, 6], [4, 0, 0]), [false, true]),
      32 * Math.PI,
    ],
    [
      "a ball without its poles",
      (library) => side(library, arcCurve(library, [4 * S, 0, -4 * S], [4, 0, 0], [4 * S, 0, 4 * S]), [true, true]),
      // A cylinder, and the ring outside it, which has the volume of a ball of the cylinder's height.
      Math.PI * 16 * S ** 2 * 8 * S + (Math.PI / 6) * (8 * S) ** 3,
    ],
    ["a plate with rounded corners and two holes", roundedPlate, (600 - (4 - Math.PI) * 9 - 20 * Math.PI) * 5],
  ];
  for (const [name, make, volume] of shapes) {
    const share = (await volumeOf(make)) / volume - 1;
    // Facets are inscribed, at 10 µm.
    assert.ok(share < 1e-3 && share > -0.02, `${name}: ${share}`);
    assert.ok(!kindsOf(make(rhino)).some((kind) => /BOUNDED|WITH/.test(kind)), `${name}: ${kindsOf(make(rhino))}`);
  }
});

longTest(
  "turned, moved and mirrored shapes are recognised; a surface that differs very slightly from one is not",
  async () => {
    const mirror = (library: RhinoModule, brep: Brep): Brep => {
      // The type declaration is that of another function with this name.
      const rotation = library.Transform.rotation as unknown as (
        angle: number,
        axis: number[],
        at: number[],
      ) => Transform;
      brep.transform(rotation(1, [1, 2, 3], [0, 0, 0]));
      brep.transform(library.Transform.translationXYZ(100, 20, 3));
      brep.transform(library.Transform.mirror([1, 0, 0], [1, 2, 0]));
      return brep;
    };
    for (const { name, make, kinds } of TWINS) {
      assert.deepEqual(kindsOf(mirror(rhino, make(rhino))), kinds, name);
    }
    const share = (await volumeOf((library) => mirror(library, frustum(library)))) / (56 * Math.PI) - 1;
    assert.ok(Math.abs(share) < 0.01, String(share));
    const ball = (stretch: number): ParametricSurface => {
      const at = (u: number, v: number, height: number): [number, number, number] => {
        const [around, up] = [WHOLE * u, Math.PI * (v - 0.5)];
        return [4 * Math.cos(around) * Math.cos(up), 4 * Math.sin(around) * Math.cos(up), 4 * height * Math.sin(up)];
      };
      return {
        pointAt: (u, v) => at(u, v, stretch),
        normalAt: (u, v) => unit(at(u, v, 1 / stretch)),
        spans: [4, 2],
      };
    };
    assert.equal(analyticForm(ball(1))?.surface.kind, "sphere");
    assert.equal(analyticForm(ball(1 + 1e-6)), undefined);
  },
);
