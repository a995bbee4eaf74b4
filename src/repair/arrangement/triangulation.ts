import { facetOf, nextHalfedge, previousHalfedge } from "../../geometry/halfedge.ts";

/** No edge or no point. */
export const NONE = -1;

/** Positive if three points, given by their indices, are counter-clockwise, 0 if they are collinear. */
export type OrientationTest = (a: number, b: number, c: number) => number;

/** The two triangles at an edge from a to b: t on its left with apex c, u on its right with apex d. */
interface Quadrilateral {
  readonly t: number;
  readonly u: number;
  readonly a: number;
  readonly b: number;
  readonly c: number;
  readonly d: number;
  /** The opposites of the four outer edges. */
  readonly bc: number;
  readonly ca: number;
  readonly ad: number;
  readonly db: number;
}

/** A triangulation of the interior of one triangle. Points are given by their indices. Triangles are counter-clockwise. */
export class Triangulation {
  /** Three points per triangle. Edge 3t + k leads from corner k of triangle t to the next. */
  readonly corners: number[];
  readonly #outer: readonly [number, number, number];
  readonly #orient: OrientationTest;
  readonly #opposites: number[] = [NONE, NONE, NONE];
  /** For each point an edge that starts there. */
  readonly #startingAt: number[] = [];
  /** The triangle that contained the last inserted point: the next search starts there. */
  #lastFound = 0;

  constructor(outer: readonly [number, number, number], orient: OrientationTest) {
    this.corners = [...outer];
    this.#outer = outer;
    this.#orient = orient;
    outer.forEach((point, edge) => (this.#startingAt[point] = edge));
  }

  /** The same edge in the triangle on its other side, or {@link NONE} at the boundary. */
  opposite(edge: number): number {
    return this.#opposites[edge];
  }

  /** The third corner of the triangle on the other side of an edge, or {@link NONE} at the boundary. */
  apexBeyond(edge: number): number {
    const opposite = this.#opposites[edge];
    return opposite === NONE ? NONE : this.corners[previousHalfedge(opposite)];
  }

  /** Any edge that starts at a point. */
  edgeFrom(point: number): number {
    return this.#startingAt[point];
  }

  /** The edge from one point to another, or {@link NONE}. At most one of them may be a corner of the outer triangle. */
  edgeBetween(from: number, to: number): number {
    // Triangles surround each point except the corners of the outer triangle.
    if (this.#outer.includes(from)) {
      const back = this.#outer.includes(to) ? NONE : this.edgeBetween(to, from);
      return back === NONE ? NONE : this.#opposites[back];
    }
    const start = this.#startingAt[from];
    for (let edge = start; ;) {
      if (this.corners[nextHalfedge(edge)] === to) return edge;
      edge = this.#opposites[previousHalfedge(edge)];
      if (edge === start) return NONE;
    }
  }

  /** Whether the two triangles at an edge form a strictly convex quadrilateral. */
  isConvex(edge: number): boolean {
    const [a, b] = [this.corners[edge], this.corners[nextHalfedge(edge)]];
    const [c, d] = [this.corners[previousHalfedge(edge)], this.apexBeyond(edge)];
    return this.#orient(c, a, d) > 0 && this.#orient(d, b, c) > 0;
  }

  /** Inserts a point: splits the triangle that contains it, or the two triangles at its edge. Returns the new triangles. */
  insert(point: number): number[] {
    const t = this.#locate(point);
    this.#lastFound = t;
    const edge = this.#edgeThrough(t, point);
    return edge === NONE ? this.#splitTriangle(t, point) : this.#splitEdge(edge, point);
  }

  /**
   * Replaces an edge by the other diagonal of its two triangles, which must form a convex quadrilateral. Returns the triangle that was on
   * the other side of the edge.
   */
  flip(edge: number): number {
    const { t, u, a, b, c, d, bc, ca, ad, db } = this.#quadrilateralAt(edge);
    this.#set(t, c, a, d, ca, ad, NONE);
    this.#set(u, d, b, c, db, bc, 3 * t + 2);
    return u;
  }

  #splitTriangle(t: number, p: number): number[] {
    const [a, b, c] = [this.corners[3 * t], this.corners[3 * t + 1], this.corners[3 * t + 2]];
    const [ab, bc, ca] = [this.#opposites[3 * t], this.#opposites[3 * t + 1], this.#opposites[3 * t + 2]];
    const added = this.corners.length / 3;
    this.#set(t, a, b, p, ab, NONE, NONE);
    this.#set(added, b, c, p, bc, NONE, 3 * t + 1);
    this.#set(added + 1, c, a, p, ca, 3 * t + 2, 3 * added + 1);
    return [t, added, added + 1];
  }

  #splitEdge(edge: number, p: number): number[] {
    const { t, u, a, b, c, d, bc, ca, ad, db } = this.#quadrilateralAt(edge);
    const added = this.corners.length / 3;
    this.#set(t, c, a, p, ca, NONE, NONE);
    this.#set(u, a, d, p, ad, NONE, 3 * t + 1);
    this.#set(added, d, b, p, db, NONE, 3 * u + 1);
    this.#set(added + 1, b, c, p, bc, 3 * t + 2, 3 * added + 1);
    return [t, u, added, added + 1];
  }

  #quadrilateralAt(edge: number): Quadrilateral {
    const opposite = this.#opposites[edge];
    return {
      t: facetOf(edge),
      u: facetOf(opposite),
      a: this.corners[edge],
      b: this.corners[nextHalfedge(edge)],
      c: this.corners[previousHalfedge(edge)],
      d: this.apexBeyond(edge),
      bc: this.#opposites[nextHalfedge(edge)],
      ca: this.#opposites[previousHalfedge(edge)],
      ad: this.#opposites[nextHalfedge(opposite)],
      db: this.#opposites[previousHalfedge(opposite)],
    };
  }

  /** Sets the corners of a triangle and the opposites of its edges. */
  #set(t: number, a: number, b: number, c: number, ab: number, bc: number, ca: number): void {
    this.#setEdge(3 * t, a, ab);
    this.#setEdge(3 * t + 1, b, bc);
    this.#setEdge(3 * t + 2, c, ca);
  }

  #setEdge(edge: number, from: number, opposite: number): void {
    this.corners[edge] = from;
    this.#startingAt[from] = edge;
    this.#opposites[edge] = opposite;
    if (opposite !== NONE) this.#opposites[opposite] = edge;
  }

  /** The triangle that contains a point. The search walks from triangle to triangle towards the point. */
  #locate(p: number): number {
    let t = this.#lastFound;
    for (let steps = 0; steps < this.corners.length; steps++) {
      const edge = this.#edgeBefore(t, p);
      if (edge === NONE) return t;
      t = facetOf(this.#opposites[edge]);
    }
    // If triangles are not Delaunay, a walk may go in circles.
    for (t = 0; 3 * t < this.corners.length; t++) if (this.#edgeBefore(t, p) === NONE) return t;
    throw new Error("A point is in no triangle of its plane.");
  }

  /** The first edge of a triangle that has a point on its right, or {@link NONE}. */
  #edgeBefore(t: number, p: number): number {
    for (let edge = 3 * t; edge < 3 * t + 3; edge++) if (this.#sideOf(edge, p) < 0) return edge;
    return NONE;
  }

  /** The first edge of a triangle whose line contains a point, or {@link NONE}. */
  #edgeThrough(t: number, p: number): number {
    for (let edge = 3 * t; edge < 3 * t + 3; edge++) if (this.#sideOf(edge, p) === 0) return edge;
    return NONE;
  }

  /** Positive if a point is on the left of an edge, as the triangle of the edge is. */
  #sideOf(edge: number, p: number): number {
    return this.#orient(this.corners[edge], this.corners[nextHalfedge(edge)], p);
  }
}
