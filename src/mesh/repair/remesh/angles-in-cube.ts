import { exactLength, type Vec3 } from "../../../core/geometry.ts";
import { type Barycentric, pointToFacet } from "../../bvh/point-to-facet.ts";
import { type Cube, CUBE, CUBE_RADIUS } from "./cubes.ts";
import { type AngleTree, type FacetParts, windingOf } from "../solid-angles.ts";

/**
 * Farther from the middle of a cube than so many of its radii, what facets add changes evenly enough from corner to corner:
 * that of one is off by less than 0.02.
 */
const EVEN_RADII = 2.5;

const onFacet: Barycentric = { v: 0, w: 0 };
const atCorners = new Float64Array(8);

/**
 * The winding numbers of the middles of a cube's voxels. Near facets are asked at each of them, and the others, which most
 * often are by far the most, at the corners of the cube.
 */
export function anglesInCube(angles: AngleTree, { first, middle }: Cube, voxelMm: number): Float32Array {
  const { near, far } = partedAbout(angles, middle, CUBE_RADIUS * voxelMm);
  const found = new Float32Array(CUBE ** 3);
  const placeAt = (x: number, y: number, z: number): Vec3 => [
    first[0] + x * voxelMm,
    first[1] + y * voxelMm,
    first[2] + z * voxelMm,
  ];
  const last = CUBE - 1;
  for (let corner = 0; corner < 8; corner++) {
    const at = placeAt(corner & 1 ? last : 0, corner & 2 ? last : 0, corner & 4 ? last : 0);
    atCorners[corner] = windingOf(angles, far, at);
  }
  for (let z = 0; z < CUBE; z++) {
    for (let y = 0; y < CUBE; y++) {
      for (let x = 0; x < CUBE; x++) {
        const beside = windingOf(angles, near, placeAt(x, y, z));
        found[(z * CUBE + y) * CUBE + x] = beside + betweenCorners(x / last, y / last, z / last);
      }
    }
  }
  return found;
}

function betweenCorners(x: number, y: number, z: number): number {
  let sum = 0;
  for (let corner = 0; corner < 8; corner++) {
    sum += atCorners[corner] * (corner & 1 ? x : 1 - x) * (corner & 2 ? y : 1 - y) * (corner & 4 ? z : 1 - z);
  }
  return sum;
}

/** The facets about a ball, and those far away from it. */
function partedAbout(
  { tree: { links, corners }, dipoles: { centres, radii } }: AngleTree,
  [x, y, z]: Vec3,
  radiusMm: number,
): { readonly near: FacetParts; readonly far: FacetParts } {
  const reachMm = EVEN_RADII * radiusMm;
  const near = { nodes: [] as number[], places: [] as number[] };
  const far = { nodes: [] as number[], places: [] as number[] };
  const waiting = [0];
  for (let node = waiting.pop(); node !== undefined; node = waiting.pop()) {
    const away = exactLength([centres[3 * node] - x, centres[3 * node + 1] - y, centres[3 * node + 2] - z]);
    const [link, count] = [links[2 * node], links[2 * node + 1]];
    if (away - radii[node] > reachMm) far.nodes.push(node);
    else if (radii[node] <= radiusMm) near.nodes.push(node);
    else if (count === 0) waiting.push(link, node + 1);
    else {
      for (let place = link; place < link + count; place++) {
        const isFar = pointToFacet(corners, 9 * place, x, y, z, onFacet) > reachMm * reachMm;
        (isFar ? far : near).places.push(place);
      }
    }
  }
  return { near, far };
}
