/** Triangles that share edges, counter-clockwise: together a triangle, or the whole plane as far as anybody looks. */
export interface TriangleNet {
  /** Three corners of each triangle, by the numbers of their places. Edge 3t + k goes from corner k of t to its next. */
  readonly corners: readonly number[];
  /** The corner beyond an edge, or {@link NONE} at the rim. */
  beyond(edge: number): number;
  /** The same edge, seen from the triangle beyond it, or {@link NONE}. */
  twin(edge: number): number;
  /** The edge from one place to another, or {@link NONE}. Not both are among the first three. */
  edgeBetween(from: number, to: number): number;
  /** An edge that leaves a place. */
  edgeFrom(place: number): number;
  /** Cuts the triangle, or the two at an edge, that a place lies in; gives those about it. */
  insert(place: number): number[];
  /** Exchanges an edge for the other diagonal of the two triangles at it, which must be convex together; gives them. */
  flip(edge: number): [number, number];
  /** Whether two triangles are convex together, beyond a straight line. */
  isConvex(edge: number): boolean;
}

export const NONE = -1;
export const next = (edge: number): number => (edge % 3 === 2 ? edge - 2 : edge + 1);
export const previous = (edge: number): number => (edge % 3 === 0 ? edge + 2 : edge - 1);
const triangleOf = (edge: number): number => (edge - (edge % 3)) / 3;

/** `turn` is positive where three places run counter-clockwise, and 0 where they lie on a line. */
export function newTriangleNet(
  first: readonly [number, number, number],
  turn: (a: number, b: number, c: number) => number,
): TriangleNet {
  const corners: number[] = [...first];
  const twins: number[] = [NONE, NONE, NONE];
  /** Of each place one edge that leaves it. */
  const leaving: number[] = [];
  first.forEach((place, edge) => (leaving[place] = edge));
  let last = 0;

  const set = (t: number, places: readonly number[], across: readonly number[]): void => {
    for (let k = 0; k < 3; k++) {
      corners[3 * t + k] = places[k]!;
      leaving[places[k]!] = 3 * t + k;
      link(3 * t + k, across[k]!);
    }
  };
  const link = (edge: number, twin: number): void => {
    twins[edge] = twin;
    if (twin !== NONE) twins[twin] = edge;
  };
  const sides = (t: number, p: number): number[] =>
    [0, 1, 2].map((k) => turn(corners[3 * t + k]!, corners[next(3 * t + k)]!, p));
  const beyond = (edge: number): number => (twins[edge] === NONE ? NONE : corners[previous(twins[edge]!)]!);

  const edgeBetween = (from: number, to: number): number => {
    // Only the first three places lie at the rim: edges go all around the others.
    if (first.includes(from)) {
      const back = first.includes(to) ? NONE : edgeBetween(to, from);
      return back === NONE ? NONE : twins[back]!;
    }
    const start = leaving[from]!;
    for (let edge = start; ;) {
      if (corners[next(edge)] === to) return edge;
      edge = twins[previous(edge)]!;
      if (edge === start) return NONE;
    }
  };

  /** The triangle that a place lies in. */
  const locate = (p: number): number => {
    let t = last;
    for (let steps = 0; steps < corners.length; steps++) {
      const out = sides(t, p).findIndex((side) => side < 0);
      if (out < 0) return t;
      t = triangleOf(twins[3 * t + out]!);
    }
    // A walk may go in circles where triangles are no longer Delaunay.
    for (t = 0; 3 * t < corners.length; t++) if (sides(t, p).every((side) => side >= 0)) return t;
    throw new Error("A place lies in no triangle of its plane.");
  };

  return {
    corners,
    beyond,
    twin: (edge) => twins[edge]!,
    edgeFrom: (place) => leaving[place]!,
    edgeBetween,
    insert(p) {
      const t = locate(p);
      const on = sides(t, p).indexOf(0);
      const fresh = corners.length / 3;
      last = t;
      if (on < 0) {
        const [a, b, c] = corners.slice(3 * t, 3 * t + 3) as [number, number, number];
        const [ab, bc, ca] = twins.slice(3 * t, 3 * t + 3) as [number, number, number];
        set(t, [a, b, p], [ab, NONE, NONE]);
        set(fresh, [b, c, p], [bc, NONE, 3 * t + 1]);
        set(fresh + 1, [c, a, p], [ca, 3 * t + 2, 3 * fresh + 1]);
        return [t, fresh, fresh + 1];
      }
      const edge = 3 * t + on;
      const twin = twins[edge]!;
      const u = triangleOf(twin);
      const [a, b, c, d] = [corners[edge]!, corners[next(edge)]!, corners[previous(edge)]!, beyond(edge)];
      const [bc, ca] = [twins[next(edge)]!, twins[previous(edge)]!];
      const [ad, db] = [twins[next(twin)]!, twins[previous(twin)]!];
      set(t, [c, a, p], [ca, NONE, NONE]);
      set(u, [a, d, p], [ad, NONE, 3 * t + 1]);
      set(fresh, [d, b, p], [db, NONE, 3 * u + 1]);
      set(fresh + 1, [b, c, p], [bc, 3 * t + 2, 3 * fresh + 1]);
      return [t, u, fresh, fresh + 1];
    },
    flip(edge) {
      const twin = twins[edge]!;
      const [t, u] = [triangleOf(edge), triangleOf(twin)];
      const [a, b, c, d] = [corners[edge]!, corners[next(edge)]!, corners[previous(edge)]!, beyond(edge)];
      const [bc, ca] = [twins[next(edge)]!, twins[previous(edge)]!];
      const [ad, db] = [twins[next(twin)]!, twins[previous(twin)]!];
      set(t, [c, a, d], [ca, ad, NONE]);
      set(u, [d, b, c], [db, bc, 3 * t + 2]);
      return [t, u];
    },
    isConvex(edge) {
      const [a, b, c, d] = [corners[edge]!, corners[next(edge)]!, corners[previous(edge)]!, beyond(edge)];
      return turn(c, a, d) > 0 && turn(d, b, c) > 0;
    },
  };
}
