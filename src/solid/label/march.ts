import { add, dot, exactLength, subtract, times, unit, type Vec3 } from "../../core/geometry.ts";
import type { FacetTree } from "../../mesh/bvh/facet-tree.ts";
import { nearestPoint } from "../../mesh/bvh/nearest-point.ts";

/** A step that is longer or shorter by this share is tried again; in the end, one by that share is not taken. */
const EXACT = 0.001;
const NEAR = 0.1;
const TRIES = 4;
/** How much farther than the last time a step may reach. */
const MOST_FARTHER = 1.5;

/** Over two steps the way turns by no more than 40°: what bends more is an edge. */
const MOST_TURN_COS = 0.766;

/**
 * Places on the surface, so many steps of one length apart, straight on from `start` along `heading`, a unit vector that
 * is tangent there. Fewer where the surface ends or has an edge. Each step goes on as the last one went and then to the
 * nearest place of the surface, which is how a discrete geodesic is drawn without asking how facets join.
 */
export function march(tree: FacetTree, start: Vec3, heading: Vec3, stepMm: number, steps: number): Vec3[] {
  const places: Vec3[] = [];
  let [place, way, wayBefore] = [start, heading, heading];
  while (places.length < steps) {
    const next = step(tree, place, way, stepMm);
    if (!next) break;
    const chord = unit(subtract(next, place));
    if (dot(chord, wayBefore) < MOST_TURN_COS) break;
    [place, way, wayBefore] = [next, chord, way];
    places.push(next);
  }
  return places;
}

/** The place of the surface in one direction at the distance of a step. */
function step(tree: FacetTree, from: Vec3, way: Vec3, stepMm: number): Vec3 | undefined {
  let [reach, deviation] = [stepMm, Infinity];
  let place: Vec3 | undefined;
  for (let i = 0; i < TRIES && deviation > EXACT; i++) {
    place = nearestPoint(tree, add(from, times(way, reach)), stepMm)?.point;
    const moved = place ? exactLength(subtract(place, from)) : 0;
    deviation = Math.abs(moved / stepMm - 1);
    reach *= Math.min(MOST_FARTHER, stepMm / moved);
  }
  return deviation <= NEAR ? place : undefined;
}
