import { type Ball, type Vec3, distance, distanceXy, exactLength, subtract } from "../../geometry/vector.ts";
import { GREEN_MODULUS } from "../../hold/strengths.ts";
import { type Strut, type SupportTree, ballOf } from "./support-tree.ts";

/** A strut bears at least this many times its load before it buckles. */
export const BUCKLING_MARGIN = 2;

/**
 * Second moment of area of a strut's section, divided by the fourth power of its radius, for the regular octagon that is built: n / 24
 * · sin(2π / n) · (2 + cos(2π / n)), 81 % of a circle's.
 */
const SECTION_MOMENT = 0.638;

/**
 * Force that a brace bears to hold a column in place, as a share of the column's load. Source: G. Winter, "Lateral Bracing of Columns and
 * Beams" (1958): 2 %.
 */
const BRACE_SHARE = 0.02;

/** A part of a tree between two nodes that are held: as such it may buckle. */
export interface FreeLength {
  /** Indices of the tree's struts, downward. */
  readonly struts: readonly number[];
  /** The tree's nodes along it, one more than struts. */
  readonly nodes: readonly number[];
  /** Largest axial load of its struts, N. */
  readonly loadN: number;
  readonly balls: readonly Ball[];
  /** Whether its upper end may move sideways and turn. */
  readonly isFree: boolean;
}

/** Whether a free length buckles under {@link BUCKLING_MARGIN} times its load. */
export function isSlender({ loadN, balls, isFree }: FreeLength): boolean {
  const neededN = BUCKLING_MARGIN * loadN;
  // A quick test first: most bear their load even with their least radius over the whole length.
  return straightLoad(balls, isFree) < neededN && criticalLoad(balls, isFree) < neededN;
}

/** The least ratio of the load at which a free length buckles to its load; infinite if none bears a load. */
export function leastLoadRatio(lengths: readonly FreeLength[]): number {
  const loaded = lengths.filter(({ loadN }) => loadN > 0);
  // The weakest by the quick test come first, so that it spares most of the others the exact one.
  const bounded = loaded
    .map((one) => ({ ...one, bound: straightLoad(one.balls, one.isFree) / one.loadN }))
    .sort((a, b) => a.bound - b.bound);
  let least = Infinity;
  for (const { loadN, balls, isFree, bound } of bounded) {
    if (bound >= least) break;
    least = Math.min(least, criticalLoad(balls, isFree) / loadN);
  }
  return least;
}

/** Euler's load of a straight column of the least radius of the balls, N. */
function straightLoad(balls: readonly Ball[], isFree: boolean): number {
  const lengthMm = balls.reduce((sum, { centre }, i) => (i > 0 ? sum + distance(balls[i - 1].centre, centre) : 0), 0);
  const radiusMm = Math.min(...balls.map((ball) => ball.radiusMm));
  const effectiveMm = (isFree ? 2 : 1) * lengthMm;
  return (Math.PI * Math.PI * stiffness(radiusMm)) / (effectiveMm * effectiveMm);
}

/** Bending stiffness of a section, N mm². */
const stiffness = (radiusMm: number): number =>
  GREEN_MODULUS * SECTION_MOMENT * radiusMm * radiusMm * radiusMm * radiusMm;

/**
 * The free lengths of a tree under the loads of its touches, N. They end at touches, at feet, and at joints, where three struts or
 * more hold each other, and continue through bends. Their ends are held in place and free to rotate, as by braces and branches. A
 * pillar between raft and model, clamped at both ends while the model may sway, buckles at the same load. If the feet do not keep a
 * model from tilting, the top of a pillar on the ground is free: it buckles as if twice as long. Source: S. P. Timoshenko, J. M. Gere,
 * "Theory of Elastic Stability" (1961), sections 2.1 and 2.2.
 */
export function freeLengths(tree: SupportTree, touchLoadsN: Float64Array): FreeLength[] {
  const { struts, feet } = tree;
  const loadsN = nodeLoads(tree, touchLoadsN);
  const onGround = new Set(feet.filter(({ on }) => on === "GROUND").map(({ node }) => node));
  const next = strutsBelowBends(tree);
  const canTilt = !standsFirmly(tree);
  const lengths: FreeLength[] = [];
  struts.forEach((first, strut) => {
    if (next[first.from] >= 0) return;
    const [chain, along] = [[strut], [first.from, first.to]];
    for (let at = next[first.to]; at >= 0; at = next[along.at(-1)!]) {
      chain.push(at);
      along.push(struts[at].to);
    }
    const last = along.at(-1)!;
    const isBrace = first.kind === "BRACE";
    const verticalN = isBrace
      ? BRACE_SHARE * Math.max(loadsN[first.from], loadsN[last])
      : loadsN[struts[chain.at(-1)!].from];
    const loadN = Math.max(...chain.map((index) => verticalN / steepness(tree, struts[index])));
    const isFree = canTilt && !isBrace && onGround.has(last);
    const balls = along.map((node) => ballOf(tree, node));
    lengths.push({ struts: chain, nodes: along, balls, loadN, isFree });
  });
  return lengths;
}

/** The strut that continues below each node at which one strut ends and one begins; −1 at all others and at feet. */
function strutsBelowBends({ nodes, struts, feet }: SupportTree): Int32Array {
  const [above, below] = [0, 1].map(() => new Int32Array(nodes.length / 4).fill(-1));
  const isJoint = new Uint8Array(nodes.length / 4);
  const enter = (strutAt: Int32Array, node: number, strut: number): void => {
    if (strutAt[node] >= 0) isJoint[node] = 1;
    strutAt[node] = strut;
  };
  struts.forEach(({ from, to }, strut) => {
    enter(below, from, strut);
    enter(above, to, strut);
  });
  for (const { node } of feet) isJoint[node] = 1;
  const isBrace = (strut: number): boolean => struts[strut].kind === "BRACE";
  return below.map((strut, node) =>
    isJoint[node] === 1 || strut < 0 || above[node] < 0 || isBrace(strut) !== isBrace(above[node]) ? -1 : strut,
  );
}

/** The load that a tree's node passes on downward, N. Braces pass on none. */
function nodeLoads({ nodes, struts, touches }: SupportTree, touchLoadsN: Float64Array): Float64Array {
  const loadsN = new Float64Array(nodes.length / 4);
  touches.forEach((node, i) => {
    if (node >= 0) loadsN[node] += touchLoadsN[i];
  });
  const bearing = struts.filter(({ kind }) => kind !== "BRACE");
  // From the top down: all struts lead down.
  bearing.sort((a, b) => nodes[4 * b.from + 2] - nodes[4 * a.from + 2]);
  for (const { from, to } of bearing) loadsN[to] += loadsN[from];
  return loadsN;
}

/** Vertical component of a strut's direction. */
function steepness(tree: SupportTree, { from, to }: Strut): number {
  const along = subtract(ballOf(tree, from).centre, ballOf(tree, to).centre);
  return along[2] / exactLength(along);
}

/** Feet keep a model from tilting where one is at least this far from a line through two others, mm. */
const MIN_LEVER_MM = 3;

/** Whether feet keep a model from tilting to any side. */
function standsFirmly(tree: SupportTree): boolean {
  const places = tree.feet.map(({ node }) => ballOf(tree, node).centre);
  if (places.length < 3) return false;
  const farthest = (distanceTo: (place: Vec3) => number): Vec3 =>
    places.reduce((best, place) => (distanceTo(place) > distanceTo(best) ? place : best));
  const one = farthest((place) => distanceXy(place, places[0]));
  const other = farthest((place) => distanceXy(place, one));
  const apart = distanceXy(one, other);
  if (apart === 0) return false;
  const fromLine = ([x, y]: Vec3): number =>
    Math.abs((other[0] - one[0]) * (y - one[1]) - (other[1] - one[1]) * (x - one[0])) / apart;
  return fromLine(farthest(fromLine)) >= MIN_LEVER_MM;
}

/**
 * The least axial load, N, at which a column from ball to ball buckles: with hinges at both ends, or, if it is free, as the upper half
 * of a column that continues as its mirror image below.
 */
export function criticalLoad(balls: readonly Ball[], isFree: boolean): number {
  let atMm = 0;
  const profile = balls.map(({ centre, radiusMm }, i) => {
    if (i > 0) atMm += distance(balls[i - 1].centre, centre);
    return { atMm, radiusMm };
  });
  const mirrored = profile.map((entry) => ({ ...entry, atMm: 2 * atMm - entry.atMm })).toReversed();
  return eulerLoad(isFree ? [...profile, ...mirrored] : profile);
}

/** Radius over the length of a column: linear between entries. */
type Profile = readonly { readonly atMm: number; readonly radiusMm: number }[];

const STATIONS = 64;
/** Each iteration divides the error by the square of the ratio of the first two critical loads, about 16. */
const ITERATIONS = 5;

/**
 * The least axial load, N, at which a column of any profile buckles between hinged ends: the first eigenvalue of
 * E · I · y″ = −P · y, by inverse iteration from a parabola. Source: Timoshenko and Gere, section 2.15 (the method of
 * successive approximations, L. Vianello 1898).
 */
function eulerLoad(profile: Profile): number {
  const lengthMm = profile.at(-1)!.atMm;
  const stepMm = lengthMm / STATIONS;
  const flexibility = new Float64Array(STATIONS + 1);
  for (let i = 0, piece = 1; i <= STATIONS; i++) {
    const atMm = i * stepMm;
    while (piece < profile.length - 1 && profile[piece].atMm < atMm) piece++;
    const [start, end] = [profile[piece - 1], profile[piece]];
    const share = Math.min(1, (atMm - start.atMm) / (end.atMm - start.atMm || 1));
    const radiusMm = start.radiusMm + share * (end.radiusMm - start.radiusMm);
    flexibility[i] = 1 / stiffness(radiusMm);
  }
  let shape = flexibility.map((_, i) => i * (STATIONS - i));
  let criticalN = 0;
  for (let iteration = 0; iteration < ITERATIONS; iteration++) {
    const curvature = shape.map((y, i) => y * flexibility[i]);
    const next = deflection(curvature, stepMm);
    let [work, energy, most] = [0, 0, -Infinity];
    for (let i = 0; i <= STATIONS; i++) {
      work += shape[i] * curvature[i];
      energy += next[i] * curvature[i];
      most = Math.max(most, next[i]);
    }
    criticalN = work / energy;
    shape = next.map((y) => y / most);
  }
  return criticalN;
}

/** The deflection of a beam with hinged ends by its curvature. */
function deflection(curvature: Float64Array, stepMm: number): Float64Array {
  const result = new Float64Array(STATIONS + 1);
  let slope = 0;
  for (let i = 1; i <= STATIONS; i++) {
    result[i] = result[i - 1] + slope * stepMm;
    slope -= curvature[i] * stepMm;
  }
  const end = result[STATIONS];
  return result.map((y, i) => y - (end * i) / STATIONS);
}
