import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { unwatched } from "../../src/core/watch.ts";
import { stlReader } from "../../src/format/stl.ts";
import { canonicalMesh } from "../../src/mesh/canonical.ts";
import { subdivided } from "../fixture/altered.ts";
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
  const fine = canonicalMesh(subdivided(subdivided(parts[0].surface)), 1, unwatched);
  writeFileSync(file, binaryStl({ ...fine, vertices: Float64Array.from(fine.vertices, rippled) }));
  return file;
}

const rippled = (value: number, at: number): number => value + RIPPLE_MM * Math.sin(7.3 * Math.floor(at / 3) + at);
