import { getOrInsert } from "../core/memoize.ts";
import type { Progress } from "../core/progress.ts";
import { newRadixSort } from "../geometry/radix-sort.ts";
import type { BuildVolume } from "../geometry/build-volume.ts";
import { closedManifoldFact } from "../mesh/mesh-facts.ts";
import { partLetters } from "../mesh/letter-plane.ts";
import { type Mesh, triangleCount, vertexCount, withOtherSurface } from "../mesh/mesh.ts";
import { meshToWorld } from "./camera.ts";
import { cornerNormals } from "./corner-normals.ts";
import { type PlatformShadow, platformShadow } from "./platform.ts";
import type { TransformedBody } from "./rasterise.ts";
import type { RenderItem, RenderScene } from "./render-scene.ts";

/** A body with everything that does not depend on the view. */
export interface RenderBody extends RenderItem, TransformedBody {
  /** See {@link cornerNormals}. */
  readonly normals: Int16Array;
}

/** A scene, prepared for pictures from any direction. Its large arrays are in shared memory. */
export interface PreparedScene {
  readonly volume: BuildVolume;
  readonly bodies: readonly RenderBody[];
  readonly shadow: PlatformShadow;
}

/** Sorting a mesh by space takes as long as it saves in one picture: it is left out for a single picture. */
export type Purpose = "onePicture" | "manyPictures";

/** The fields of `RenderBody` that depend on its mesh alone. */
interface PreparedMesh {
  readonly mesh: Mesh;
  readonly normals: Int16Array;
  readonly isSolid: boolean;
}

/** Fraction of the progress for all meshes; the shadow takes the rest. */
const MESHES_SHARE = 0.8;
/** Progress of one mesh at the end of each stage. */
const MESH_SHARES = { sorted: 0.3, checked: 0.5 };

/** Computes once what all pictures of a scene need. */
export function prepare(scene: RenderScene, purpose: Purpose, progress: Progress): PreparedScene {
  const { volume } = scene;
  const parted = new Map<Mesh, ReturnType<typeof partLetters>>();
  /** The letters on a body are drawn as a separate body with another tint. */
  const items = scene.items.flatMap(({ letters: plane, ...item }): RenderItem[] => {
    if (!plane) return [item];
    const { letters, rest } = getOrInsert(parted, item.mesh, () => partLetters(item.mesh, plane));
    return [
      { ...item, mesh: rest },
      { ...item, mesh: letters, kind: "letters" },
    ];
  });
  const meshes = [...new Set(items.map(({ mesh }) => mesh))];
  const prepareOne = purpose === "onePicture" ? prepareMesh : prepareMeshThoroughly;
  const prepared = new Map(
    meshes.map((mesh, i) => {
      const part = progress.part((MESHES_SHARE * i) / meshes.length, (MESHES_SHARE * (i + 1)) / meshes.length);
      return [mesh, prepareOne(mesh, part)];
    }),
  );
  let facets = 0;
  // At coincident surfaces the first body is visible: the order of bodies must not depend on their order in the scene.
  const bodies = items.toSorted(byKindMeshAndPlace).map((item): RenderBody => {
    const firstFacet = facets;
    facets += triangleCount(item.mesh);
    // `prepared` has the meshes of all items.
    return { ...item, ...prepared.get(item.mesh)!, toWorld: meshToWorld(item.mesh, item.pose), firstFacet };
  });
  return { volume, bodies, shadow: platformShadow(bodies, volume, progress.part(MESHES_SHARE, 1)) };
}

const prepareMesh = (mesh: Mesh, progress: Progress): PreparedMesh => ({
  mesh,
  normals: cornerNormals(mesh, progress),
  isSolid: false,
});

function prepareMeshThoroughly(mesh: Mesh, progress: Progress): PreparedMesh {
  const { sorted, checked } = MESH_SHARES;
  const inOrder = inMortonOrder(mesh, progress.part(0, sorted));
  const { isOpen, hasInward } = closedManifoldFact(mesh, progress.part(sorted, checked));
  const normals = cornerNormals(inOrder, progress.part(checked, 1));
  return { mesh: inOrder, normals, isSolid: !isOpen && !hasInward };
}

function byKindMeshAndPlace(a: RenderItem, b: RenderItem): number {
  const [one, other] = [a, b].map(({ kind, mesh, pose }) => JSON.stringify([kind, mesh.hash, pose]));
  return one < other ? -1 : one > other ? 1 : 0;
}

/** Cells along the longest side of the mesh's box. */
const CELLS = 1024;

/** Progress at the end of each stage. */
const MORTON_SHARES = { vertices: 0.4, facets: 0.8 };

/**
 * The mesh with its vertices and facets sorted along a Z-order curve, in shared memory: neighbours on the screen are then neighbours
 * in memory, from any direction. Source: G. M. Morton, "A computer oriented geodetic data base" (1966).
 */
export function inMortonOrder(mesh: Mesh, progress: Progress): Mesh {
  const count = vertexCount(mesh);
  const order = sortedOrder(mortonCodes(mesh));
  progress.report(MORTON_SHARES.vertices);
  const vertices = new Float32Array(new SharedArrayBuffer(mesh.vertices.byteLength));
  const newIndices = new Uint32Array(count);
  for (let i = 0; i < count; i++) {
    const from = 3 * order[i];
    newIndices[order[i]] = i;
    vertices[3 * i] = mesh.vertices[from];
    vertices[3 * i + 1] = mesh.vertices[from + 1];
    vertices[3 * i + 2] = mesh.vertices[from + 2];
  }
  const firstVertices = new Uint32Array(triangleCount(mesh));
  for (let t = 0; t < firstVertices.length; t++) {
    const [a, b, c] = [mesh.triangles[3 * t], mesh.triangles[3 * t + 1], mesh.triangles[3 * t + 2]];
    firstVertices[t] = Math.min(newIndices[a], newIndices[b], newIndices[c]);
  }
  const facets = sortedOrder(firstVertices);
  progress.report(MORTON_SHARES.facets);
  const triangles = new Uint32Array(new SharedArrayBuffer(mesh.triangles.byteLength));
  for (let t = 0; t < facets.length; t++) {
    const from = 3 * facets[t];
    triangles[3 * t] = newIndices[mesh.triangles[from]];
    triangles[3 * t + 1] = newIndices[mesh.triangles[from + 1]];
    triangles[3 * t + 2] = newIndices[mesh.triangles[from + 2]];
  }
  return withOtherSurface(mesh, { vertices, triangles });
}

/** The indices of the keys in ascending order of the keys. Sorts `keys`, too. */
function sortedOrder(keys: Uint32Array): Uint32Array {
  const order = new Uint32Array(keys.length);
  for (let i = 0; i < order.length; i++) order[i] = i;
  newRadixSort(keys.length)(keys, order, 0, keys.length);
  return order;
}

/** The position of each vertex along the curve. */
function mortonCodes({ vertices, box }: Mesh): Uint32Array {
  const [x, y, z] = box.min;
  const scale = (CELLS - 1) / Math.max(box.max[0] - x, box.max[1] - y, box.max[2] - z, Number.MIN_VALUE);
  const codes = new Uint32Array(vertices.length / 3);
  for (let i = 0; i < codes.length; i++) {
    const alongX = (vertices[3 * i] - x) * scale;
    const alongY = (vertices[3 * i + 1] - y) * scale;
    const alongZ = (vertices[3 * i + 2] - z) * scale;
    codes[i] = spreadBits(alongX) | (spreadBits(alongY) << 1) | (spreadBits(alongZ) << 2);
  }
  return codes;
}

/** The ten lowest bits, with two zero bits between neighbours. */
function spreadBits(value: number): number {
  let bits = value | 0;
  bits = (bits | (bits << 16)) & 0x030000ff;
  bits = (bits | (bits << 8)) & 0x0300f00f;
  bits = (bits | (bits << 4)) & 0x030c30c3;
  return (bits | (bits << 2)) & 0x09249249;
}
