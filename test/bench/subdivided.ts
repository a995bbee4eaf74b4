import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { unwatched } from "../../src/core/watch.ts";
import { stlReader } from "../../src/format/stl.ts";
import { canonicalMesh } from "../../src/mesh/canonical.ts";
import type { Surface } from "../../src/mesh/mesh.ts";
import { READ_OPTIONS } from "../fixture/read-model.ts";
import { binaryStl } from "../fixture/stl-file.ts";

const RIPPLE_MM = 0.005;

/** A file with every facet of a binary STL file cut at its midpoints twice, and its surface rippled by 5 µm; made once. */
export async function subdividedFile(source: string): Promise<string> {
  const folder = join(tmpdir(), "printwright-bench");
  const file = join(folder, "subdivided.stl");
  if (existsSync(file) && readFileSync(file).length > 0) return file;
  mkdirSync(folder, { recursive: true });
  const { parts } = await stlReader.read(source, READ_OPTIONS, unwatched);
  const fine = cutAtMidpoints(cutAtMidpoints(canonicalMesh(parts[0].surface, 1, unwatched)));
  writeFileSync(file, binaryStl({ ...fine, vertices: fine.vertices.map(rippled) }));
  return file;
}

const rippled = (value: number, at: number): number => value + RIPPLE_MM * Math.sin(7.3 * Math.floor(at / 3) + at);

function cutAtMidpoints({ vertices, triangles }: Surface): Surface {
  const points = [...vertices];
  const middles = new Map<number, number>();
  const middle = (a: number, b: number): number => {
    const key = Math.min(a, b) * 2 ** 26 + Math.max(a, b);
    const known = middles.get(key);
    if (known !== undefined) return known;
    const made = points.length / 3;
    for (let axis = 0; axis < 3; axis++) points.push((points[3 * a + axis] + points[3 * b + axis]) / 2);
    middles.set(key, made);
    return made;
  };
  const cut: number[] = [];
  for (let at = 0; at < triangles.length; at += 3) {
    const [a, b, c] = triangles.subarray(at, at + 3);
    const [ab, bc, ca] = [middle(a, b), middle(b, c), middle(c, a)];
    cut.push(a, ab, ca, ab, b, bc, ca, bc, c, ab, bc, ca);
  }
  return { vertices: Float64Array.from(points), triangles: Uint32Array.from(cut) };
}
