import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Surface } from "../../src/mesh/mesh.ts";
import { uvSphere } from "../fixture/shapes.ts";
import { binaryStl } from "../fixture/stl-file.ts";

/** A closed body of about `facets` triangles, 77 mm wide, its surface rippled so that no two facets lie in a plane. */
export function bumpySphere(facets: number): Surface {
  const rings = Math.round(Math.sqrt(facets / 4));
  const sphere = uvSphere(36, 2 * rings, rings);
  const vertices = Float64Array.from(sphere.vertices);
  for (let at = 0; at < vertices.length; at += 3) {
    const [x, y, z] = vertices.subarray(at, at + 3);
    const swell = 1 + 0.035 * Math.sin(x! / 2) * Math.sin(y! / 2.3) * Math.sin(z! / 1.7);
    for (let axis = 0; axis < 3; axis++) vertices[at + axis]! *= swell;
  }
  return { vertices, triangles: sphere.triangles };
}

/** A binary STL file of {@link bumpySphere}, made once. `variant` makes files of the same size with other contents. */
export function bumpySphereFile(facets: number, variant = 0): string {
  const folder = join(tmpdir(), "printwright-bench");
  const file = join(folder, `bumpy-${facets}-${variant}.stl`);
  if (existsSync(file)) return file;
  mkdirSync(folder, { recursive: true });
  const { vertices, triangles } = bumpySphere(facets);
  writeFileSync(file, binaryStl({ vertices: vertices.map((value) => value * (1 + variant / 1000)), triangles }));
  return file;
}
