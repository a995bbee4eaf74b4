import assert from "node:assert/strict";
import type { Printwright } from "../fixture/printwright.ts";

// What the bodies of a scene must be after any edit, checked on the meshes that the page gets, without code of the program.

interface ReadMesh {
  readonly vertices: Float32Array;
  readonly triangles: Uint32Array;
}

const known = new Map<string, ReadMesh>();

/** A mesh as `/ui/mesh/HASH/` sends it: "PWM1", counts, coordinates and corners. */
async function meshOf({ port }: Printwright, hash: string): Promise<ReadMesh> {
  const before = known.get(hash);
  if (before) return before;
  const bytes = await (await fetch(`http://127.0.0.1:${port}/ui/mesh/${hash}/`)).arrayBuffer();
  const [vertexCount, triangleCount] = new Uint32Array(bytes, 4, 2) as unknown as [number, number];
  const mesh = {
    vertices: new Float32Array(bytes, 12, 3 * vertexCount),
    triangles: new Uint32Array(bytes, 12 + 12 * vertexCount, 3 * triangleCount),
  };
  known.set(hash, mesh);
  return mesh;
}

const closed = new Set<string>();

/** Asserts that each edge of a mesh is passed as often in one direction as in the other. */
export async function assertClosed(server: Printwright, hash: string): Promise<void> {
  if (closed.has(hash)) return;
  const { triangles } = await meshOf(server, hash);
  const edges = new Map<number, number>();
  const most = 2 ** 26;
  for (let at = 0; at < triangles.length; at += 3) {
    for (const [from, to] of [
      [0, 1],
      [1, 2],
      [2, 0],
    ] as const) {
      const [a, b] = [triangles[at + from]!, triangles[at + to]!];
      const key = Math.min(a, b) * most + Math.max(a, b);
      edges.set(key, (edges.get(key) ?? 0) + (a < b ? 1 : -1));
    }
  }
  const open = [...edges.values()].filter((sum) => sum !== 0).length;
  assert.equal(open, 0, `${open} open edges in ${hash}`);
  closed.add(hash);
}

type Strut = readonly [
  x: number,
  y: number,
  z: number,
  r: number,
  x: number,
  y: number,
  z: number,
  r: number,
  kind: string,
];

/** Asserts that the middles of pillars and braces are outside of the part that they support. */
export async function assertOutside(
  server: Printwright,
  { mesh: hash, matrix }: { readonly mesh: string; readonly matrix: readonly number[] },
  struts: readonly Strut[],
): Promise<void> {
  const mesh = await meshOf(server, hash);
  for (const [x, y, z, , u, v, w, , kind] of struts) {
    if (kind === "TIP") continue;
    const turns = turnsAround(mesh, matrix, [(x + u) / 2, (y + v) / 2, (z + w) / 2]);
    assert.ok(Math.abs(turns) < 0.5, `a ${kind} passes through the part at ${[x, y, z]}`);
  }
}

/** How often a mesh encloses a point: the sum of the solid angles of its facets (van Oosterom and Strackee 1983), divided by 4 π. */
function turnsAround({ vertices, triangles }: ReadMesh, matrix: readonly number[], point: readonly number[]): number {
  const corner = (index: number): number[] => {
    const [x, y, z] = vertices.subarray(3 * index, 3 * index + 3) as unknown as [number, number, number];
    return [0, 1, 2].map((i) => matrix[i]! * x + matrix[4 + i]! * y + matrix[8 + i]! * z + matrix[12 + i]! - point[i]!);
  };
  const dot = (a: readonly number[], b: readonly number[]): number => a[0]! * b[0]! + a[1]! * b[1]! + a[2]! * b[2]!;
  let sum = 0;
  for (let at = 0; at < triangles.length; at += 3) {
    const [a, b, c] = [corner(triangles[at]!), corner(triangles[at + 1]!), corner(triangles[at + 2]!)];
    const [la, lb, lc] = [a, b, c].map((one) => Math.hypot(...one)) as [number, number, number];
    const volume =
      a[0]! * (b[1]! * c[2]! - b[2]! * c[1]!) -
      a[1]! * (b[0]! * c[2]! - b[2]! * c[0]!) +
      a[2]! * (b[0]! * c[1]! - b[1]! * c[0]!);
    sum += Math.atan2(volume, la * lb * lc + dot(a, b) * lc + dot(b, c) * la + dot(c, a) * lb);
  }
  return sum / (2 * Math.PI);
}
