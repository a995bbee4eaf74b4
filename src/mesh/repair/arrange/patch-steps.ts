import { cross, dot, exactLength, subtract, type Vec3 } from "../../../core/geometry.ts";
import { edgesOf, facetOf, nextInFacet } from "../../edges.ts";
import type { Surface } from "../../mesh.ts";
import { facetNormal } from "../facet-normal.ts";
import type { Arrangement } from "./arrange.ts";

/** How often a surface goes around what is in front of some patches, less how often around what is in front of the first. */
export type PatchSteps = ReadonlyMap<number, number>;

/** Cosine: where two facets cut each other, the edge runs along both; one that rounding has turned tells nothing. */
const ALONG = 0.99;

interface Step {
  readonly to: number;
  readonly step: number;
}

/**
 * Patches of an arrangement that hang together across cuts, in groups. Where two facets cut each other, each goes from
 * behind the other, where that goes around once more, to the front of it. Patches are named as `patchOf` names those of
 * pieces; every one is in one group.
 */
export function patchSteps(surface: Surface, arrangement: Arrangement, patchOf: Uint32Array): PatchSteps[] {
  const ways = waysBetween(surface, arrangement, patchOf);
  const groups: Map<number, number>[] = [];
  const isKnown = new Uint8Array(patchOf.length);
  for (const first of patchOf) {
    if (isKnown[first] === 1) continue;
    isKnown[first] = 1;
    const group = new Map([[first, 0]]);
    for (const [patch, steps] of group) {
      for (const { to, step } of ways.get(patch) ?? []) {
        if (isKnown[to] === 1) continue;
        isKnown[to] = 1;
        group.set(to, steps + step);
      }
    }
    groups.push(group);
  }
  return groups;
}

/** From each patch the ways across cuts. */
function waysBetween(surface: Surface, arrangement: Arrangement, patchOf: Uint32Array): Map<number, Step[]> {
  const { vertices, triangles, sheets, originsOf } = arrangement;
  const { halfEdges, runs } = edgesOf(triangles, vertices.length / 3);
  const ways = new Map<number, Step[]>();
  const add = (from: number, way: Step): void => {
    const known = ways.get(from);
    if (known) known.push(way);
    else ways.set(from, [way]);
  };
  for (let edge = 0; edge + 1 < runs.length; edge++) {
    if (runs[edge + 1] - runs[edge] !== 4) continue;
    const uses = halfEdges.subarray(runs[edge], runs[edge + 1]);
    const pieces = [...uses].map(facetOf);
    if (pieces.some((piece) => sheets[piece] !== 1 || originsOf(piece).length !== 1)) continue;
    const origins = pieces.map((piece) => originsOf(piece)[0]!);
    const [one, other] = [origins[0]!, origins.find((origin) => origin !== origins[0])];
    if (other === undefined || origins.filter((origin) => origin === one).length !== 2) continue;
    if (origins.filter((origin) => origin === other).length !== 2) continue;
    const along = cross(normalOf(surface, one), normalOf(surface, other));
    const ahead = [...uses].map((halfEdge, i) => {
      const way = subtract(
        placeOf(arrangement, triangles[nextInFacet(halfEdge)]),
        placeOf(arrangement, triangles[halfEdge]),
      );
      const cosine = dot(way, along) / (exactLength(way) * exactLength(along));
      return origins[i] === one ? -cosine : cosine;
    });
    if (!ahead.every((cosine) => Math.abs(cosine) > ALONG)) continue;
    // A piece in front of the other facet has that once less in front of itself than one behind it.
    for (let i = 1; i < 4; i++) {
      const step = Number(ahead[i]! < 0) - Number(ahead[0]! < 0);
      const [from, to] = [patchOf[pieces[0]!], patchOf[pieces[i]!]];
      add(from, { to, step });
      add(to, { to: from, step: -step });
    }
  }
  return ways;
}

const placeOf = ({ vertices }: Surface, v: number): Vec3 => [vertices[3 * v], vertices[3 * v + 1], vertices[3 * v + 2]];

const normalOf = (surface: Surface, facet: number): Vec3 =>
  facetNormal(
    placeOf(surface, surface.triangles[3 * facet]),
    placeOf(surface, surface.triangles[3 * facet + 1]),
    placeOf(surface, surface.triangles[3 * facet + 2]),
  );
