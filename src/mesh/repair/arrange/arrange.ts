import type { Watch } from "../../../core/watch.ts";
import { newDisjointSets } from "../../disjoint-sets.ts";
import { isFlat } from "../../degenerate.ts";
import { edgesOf, facetOf, nextInFacet } from "../../edges.ts";
import { type Surface, triangleCount, vertexCount } from "../../mesh.ts";
import { cutSegments, piecesOf, pointsOn } from "./cluster.ts";
import { type Clusters, newClusters } from "./clusters.ts";
import { areInOnePlane, meetingsOf } from "./facet-pair.ts";

/** A surface cut along itself: its pieces meet at whole edges and whole corners alone. */
export interface Arrangement extends Surface {
  /** How many facets of the surface lie in each piece and face the way it does, less those that face the other way. */
  readonly sheets: Int32Array;
  /** The facets of the surface that a piece is part of. */
  readonly originsOf: (piece: number) => readonly number[];
}

/** Beyond so many facets that overlap in one plane, a surface lies on itself rather than around a solid. */
const MOST_IN_PLANE = 4000;

const PAIRS_PER_REPORT = 64;
const CLUSTERS_PER_REPORT = 8;

/**
 * Cuts a surface wherever it passes through itself or lies on itself: the facets that do are given, two numbers for each
 * two of them, none without area. Worked out without rounding, so that the pieces hold together however slender they are;
 * only the places that come out are rounded. Undefined where too much overlaps.
 * Source: Q. Zhou, E. Grinspun, D. Zorin, A. Jacobson, "Mesh Arrangements for Solid Geometry" (2016).
 */
export function arrange(surface: Surface, pairs: Uint32Array, watch: Watch): Arrangement | undefined {
  const clusters = newClusters(surface);
  const planes = planesOf(clusters, pairs, watch.part(0, 0.1));
  if (planes.some((members) => members.length > MOST_IN_PLANE)) return undefined;
  for (const members of planes) clusters.gather(members);
  cutPairs(clusters, pairs, watch.part(0.1, 0.4));
  cutClusters(clusters, surface, watch.part(0.4, 0.7));
  return assemble(clusters, surface, watch.part(0.7, 1));
}

/** The facets of the pairs, those together that overlap in one plane. */
function planesOf(clusters: Clusters, pairs: Uint32Array, watch: Watch): number[][] {
  const facets = [...new Set(pairs)].sort((a, b) => a - b);
  const indexOf = new Map(facets.map((facet, i) => [facet, i]));
  const sets = newDisjointSets(facets.length);
  for (let at = 0; at < pairs.length; at += 2) {
    if (at % (2 * PAIRS_PER_REPORT) === 0) watch.report(at / pairs.length);
    const [one, other] = [pairs[at], pairs[at + 1]];
    if (!areInOnePlane(clusters.exactOf(one), clusters.exactOf(other))) continue;
    sets.join(indexOf.get(one)!, indexOf.get(other)!);
  }
  return [...Map.groupBy(facets, (facet) => sets.find(indexOf.get(facet)!)).values()];
}

/** Lets two facets in different planes cut each other. */
function cutPairs(clusters: Clusters, pairs: Uint32Array, watch: Watch): void {
  const { places, lattice, exactOf } = clusters;
  for (let at = 0; at < pairs.length; at += 2) {
    if (at % (2 * PAIRS_PER_REPORT) === 0) watch.report(at / pairs.length);
    const [one, other] = [clusters.of(pairs[at]), clusters.of(pairs[at + 1])];
    if (one === other) continue;
    const met = meetingsOf(exactOf(pairs[at]), exactOf(pairs[at + 1]), lattice);
    const [from, to, ...more] = new Set(met.map(places.numberOf));
    if (more.length > 0) throw new Error("Two planes meet in more than a line.");
    for (const { points, segments } of [one, other]) {
      if (to !== undefined) segments.push([from!, to]);
      else if (from !== undefined) points.add(from);
    }
  }
}

/** Cuts all segments, and hands points on the edges of the surface on to the facets beyond, until all have them. */
function cutClusters(clusters: Clusters, surface: Surface, watch: Watch): void {
  const { triangles } = surface;
  const { places, lattice, placeOf } = clusters;
  const { halfEdges, runs } = edgesOf(triangles, vertexCount(surface));
  const edgeOf = new Uint32Array(triangles.length);
  for (let edge = 0; edge + 1 < runs.length; edge++) {
    for (let i = runs[edge]; i < runs[edge + 1]; i++) edgeOf[halfEdges[i]] = edge;
  }
  const waiting = new Set(clusters.all());
  let done = 0;
  for (const cluster of waiting) {
    if (done++ % CLUSTERS_PER_REPORT === 0) watch.report(done / waiting.size);
    waiting.delete(cluster);
    cutSegments(cluster, places, lattice);
    for (const { facet } of cluster.facets) {
      for (let halfEdge = 3 * facet; halfEdge < 3 * facet + 3; halfEdge++) {
        const [a, b] = [placeOf(triangles[halfEdge]), placeOf(triangles[nextInFacet(halfEdge)])];
        const inner = pointsOn(cluster.view, [a, b], cluster.points, places).slice(1, -1);
        if (inner.length === 0) continue;
        const edge = edgeOf[halfEdge];
        for (let i = runs[edge]; i < runs[edge + 1]; i++) {
          // A facet without area has no plane; it is left with an edge that nothing else has.
          if (isFlat(surface, facetOf(halfEdges[i]))) continue;
          const beyond = clusters.of(facetOf(halfEdges[i]));
          if (beyond === cluster || inner.every((point) => beyond.points.has(point))) continue;
          for (const point of inner) beyond.points.add(point);
          waiting.add(beyond);
        }
      }
    }
  }
}

/** Puts the pieces of clusters in the place of their facets. */
function assemble(clusters: Clusters, surface: Surface, watch: Watch): Arrangement {
  const { vertices, triangles } = surface;
  const { places, lattice, placeOf } = clusters;
  const all = [...clusters.all()];
  const vertexOf = new Map<number, number>();
  for (const { facets } of all) {
    for (const { facet } of facets) {
      for (const v of triangles.subarray(3 * facet, 3 * facet + 3)) vertexOf.set(placeOf(v), v);
    }
  }
  const added: number[] = [];
  const toVertex = (place: number): number => {
    const known = vertexOf.get(place);
    if (known !== undefined) return known;
    const v = (vertices.length + added.length) / 3;
    added.push(...places.all[place]!.mm);
    vertexOf.set(place, v);
    return v;
  };
  const corners: number[] = [];
  const sheets: number[] = [];
  const origins: (readonly number[])[] = [];
  all.forEach((cluster, i) => {
    if (i % CLUSTERS_PER_REPORT === 0) watch.report(i / all.length);
    const facets = cluster.facets.map(({ facet }) => facet);
    for (const piece of piecesOf(cluster, places, lattice)) {
      if (piece.sheets === 0) continue;
      corners.push(...piece.corners.map(toVertex));
      sheets.push(piece.sheets);
      origins.push(facets);
    }
  });
  const kept: number[] = [];
  for (let facet = 0; facet < triangleCount(surface); facet++) if (!clusters.find(facet)) kept.push(facet);
  const pieces = new Uint32Array(3 * kept.length + corners.length);
  kept.forEach((facet, i) => pieces.set(triangles.subarray(3 * facet, 3 * facet + 3), 3 * i));
  pieces.set(corners, 3 * kept.length);
  const places64 = new Float64Array(vertices.length + added.length);
  places64.set(vertices);
  places64.set(added, vertices.length);
  return {
    vertices: places64,
    triangles: pieces,
    sheets: Int32Array.from([...kept.map(() => 1), ...sheets]),
    originsOf: (piece) => (piece < kept.length ? [kept[piece]!] : origins[piece - kept.length]!),
  };
}
