import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { noProgress } from "../../src/core/progress.ts";
import { canonicalMesh } from "../../src/mesh/canonical-mesh.ts";
import type { Surface } from "../../src/mesh/mesh.ts";
import { type Angles, rotated } from "../fixture/rotated.ts";
import { box, lathe, torus, uvSphere } from "../fixture/shapes.ts";
import { binaryStl } from "../fixture/stl-file.ts";
import { subdivided, surfaceOfStl } from "../fixture/surface-edits.ts";

const corpusFile = (name: string): string => fileURLToPath(new URL(`../fixture/corpus/${name}`, import.meta.url));

/** STL files of real models, by their numbers on Thingiverse. */
export const MODEL_FILES = {
  "65004": corpusFile("thingi-65004.stl"),
  "472042": corpusFile("thingi-472042.stl"),
  "520644": corpusFile("thingi-520644.stl"),
  "908460": fileURLToPath(new URL("../../assets/demo/functional-part.stl", import.meta.url)),
};

/** The path of a binary STL file of the surface, which is written once per machine. */
function cachedStl(name: string, make: () => Surface): string {
  const folder = join(tmpdir(), "printwright-bench");
  const file = join(folder, name);
  if (existsSync(file)) return file;
  mkdirSync(folder, { recursive: true });
  writeFileSync(file, binaryStl(make()));
  return file;
}

/** A closed body of about `facets` triangles, 77 mm wide, with a rippled surface, so that no two facets are coplanar. */
export function bumpySphere(facets: number): Surface {
  const rings = Math.round(Math.sqrt(facets / 4));
  const sphere = uvSphere(36, 2 * rings, rings);
  const vertices = Float64Array.from(sphere.vertices);
  for (let at = 0; at < vertices.length; at += 3) {
    const [x, y, z] = vertices.subarray(at, at + 3);
    const swell = 1 + 0.035 * Math.sin(x! / 2) * Math.sin(y! / 2.3) * Math.sin(z! / 1.7);
    for (let axis = 0; axis < 3; axis++) vertices[at + axis] *= swell;
  }
  return { vertices, triangles: sphere.triangles };
}

/** A binary STL file of {@link bumpySphere}. Files with different `variant` have the same size and different contents. */
export const bumpySphereFile = (facets: number, variant = 0): string =>
  cachedStl(`bumpy-${facets}-${variant}.stl`, () => {
    const { vertices, triangles } = bumpySphere(facets);
    return { vertices: vertices.map((value) => value * (1 + variant / 1000)), triangles };
  });

/** A smooth sphere of 35 mm. */
export const sphereFile = (): string => cachedStl("sphere.stl", () => uvSphere(17.5, 200, 100));

/** Mechanical parts in poses in which overhangs alone do not hold them, by name: binary STL files. */
export const leaningFiles = (): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Object.entries(LEANING).map(([name, [shape, angles]]) => {
      const turned = (): Surface => {
        const { vertices, triangles } = shape();
        const points = Array.from({ length: vertices.length / 3 }, (_, i) => {
          const [x, y, z] = vertices.subarray(3 * i, 3 * i + 3);
          return rotated([x, y, z], angles);
        });
        return { vertices: Float64Array.from(points.flat()), triangles };
      };
      return [name, cachedStl(`${name.replaceAll(" ", "-")}.stl`, turned)];
    }),
  );

const LEANING: Readonly<Record<string, readonly [shape: () => Surface, angles: Angles]>> = {
  "cube at 20°": [() => box([20, 20, 20]), { x: 20, y: 0, z: 0 }],
  "bar at 36°": [() => box([98, 30, 10]), { x: 0, y: -36, z: 0 }],
  "plate at 70°": [() => box([80, 60, 3]), { x: 0, y: -70, z: 0 }],
  "cone at 35°": [
    () =>
      lathe(
        [
          [0, 0],
          [15, 0],
          [0, 40],
        ],
        64,
        false,
      ),
    { x: 35, y: 0, z: 0 },
  ],
  "ring at 40°": [() => torus(20, 4), { x: 40, y: 0, z: 0 }],
};

/** Width and depth of an adult arch, and the height of its base, in mm; about the sizes of dental models. */
const HALF_WIDTH_MM = 26;
const DEPTH_MM = 40;
const BASE_MM = 9;
const TEETH = 14;
const TOOTH_MM = 8;
/** Half the thickness of the base across the arch. */
const HALF_BODY_MM = 6;

/**
 * A closed body like a dental model: a horseshoe with a flat base and teeth along it, of about `facets` triangles.
 * `variant` makes other bodies of the same kind.
 */
export function dentalArch(facets: number, variant = 0): Surface {
  const around = Math.round(Math.sqrt(facets / 6));
  const along = 3 * around;
  const vertices: number[] = [];
  for (let i = 0; i <= along; i++) vertices.push(...sectionOf((2 * i) / along - 1, around, variant));
  const triangles: number[] = [];
  const corner = (ring: number, k: number): number => ring * around + (k % around);
  for (let i = 0; i < along; i++) {
    for (let k = 0; k < around; k++) {
      const [a, b, c, d] = [corner(i, k), corner(i + 1, k), corner(i + 1, k + 1), corner(i, k + 1)];
      triangles.push(a, c, b, a, d, c);
    }
  }
  for (let k = 1; k + 1 < around; k++) {
    triangles.push(corner(0, 0), corner(0, k + 1), corner(0, k));
    triangles.push(corner(along, 0), corner(along, k), corner(along, k + 1));
  }
  return { vertices: Float64Array.from(vertices), triangles: Uint32Array.from(triangles) };
}

/** A ring of points at `t` (−1 to 1) along the arch: a rounded block, the teeth on its upper side. */
function sectionOf(t: number, around: number, variant: number): number[] {
  const points: number[] = [];
  const [x, y] = [HALF_WIDTH_MM * Math.sin((t * Math.PI) / 2.2), -DEPTH_MM * Math.abs(t) ** 2.2];
  const [dx, dy] = [
    HALF_WIDTH_MM * Math.cos((t * Math.PI) / 2.2) * 1.43,
    -DEPTH_MM * 2.2 * Math.sign(t) * Math.abs(t) ** 1.2,
  ];
  const size = Math.hypot(dx, dy);
  const [nx, ny] = [-dy / size, dx / size];
  const bite = (t + 1) * (TEETH / 2);
  const tooth = Math.sin(Math.PI * (bite - Math.floor(bite))) ** 0.5;
  const tall = 1 + 0.2 * Math.sin(bite * 1.7 + variant);
  for (let k = 0; k < around; k++) {
    const angle = (2 * Math.PI * k) / around;
    const [c, s] = [Math.cos(angle), Math.sin(angle)];
    const across = HALF_BODY_MM * Math.sign(c) * Math.abs(c) ** 0.4;
    const ridge = Math.max(0, s) ** 2 * TOOTH_MM * tooth * tall * (1 - 0.25 * Math.cos(3 * across));
    const up = BASE_MM / 2 + (BASE_MM / 2) * Math.sign(s) * Math.abs(s) ** 0.4 + ridge;
    points.push(x + nx * across, y + ny * across, up);
  }
  return points;
}

/** A binary STL file of {@link dentalArch}. */
export const dentalArchFile = (facets: number, variant = 0): string =>
  cachedStl(`arch-${facets}-${variant}.stl`, () => dentalArch(facets, variant));

const RIPPLE_MM = 0.005;

/** The model 908460 with every facet divided into 16, 577k in all, and its surface rippled by 5 µm. */
export const subdividedFile = (): string =>
  cachedStl("subdivided.stl", () => {
    const surface = surfaceOfStl(readFileSync(MODEL_FILES["908460"]));
    const fine = canonicalMesh(subdivided(subdivided(surface)), 1, noProgress);
    return { ...fine, vertices: Float64Array.from(fine.vertices, rippled) };
  });

const rippled = (value: number, at: number): number => value + RIPPLE_MM * Math.sin(7.3 * Math.floor(at / 3) + at);
