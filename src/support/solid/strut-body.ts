import {
  type Ball,
  type Vec3,
  add,
  cosSin,
  cross,
  distance,
  dot,
  exactLength,
  subtract,
  times,
  unit,
} from "../../geometry/vector.ts";
import type { Capsule } from "../../geometry/capsule.ts";
import { type Surface, vertexAt, vertexCount } from "../../mesh/mesh.ts";
import type { PillarFoot } from "./raft-form.ts";

/** The lower end of a pillar on the ground. */
export interface Footing {
  /** Height of its horizontal end, inside its base. */
  readonly cutMm: number;
  readonly isBreakaway: boolean;
}

/** Corners of a strut's section. */
const SIDES = 8;

/**
 * Beyond its last ball a strut ends at 45° latitude of the ball: there the ball is as wide as it is far from its
 * centre.
 */
const CAP = Math.SQRT1_2;

/** Flatter struts (by z of their direction) are not cut horizontally at the ground: the cut would be far from their foot. */
const MIN_VERTICAL = 0.5;

/**
 * The closed body of a chain of struts, from ball to ball. Its ends extend beyond the centres of the first and last
 * ball, so that chains that share a ball overlap. With a footing, the first ball stands on the ground instead.
 */
export function chainBody(balls: readonly Ball[], footing: Footing | undefined, turn: number): Surface {
  const [first, second] = balls;
  const direction = unit(subtract(second.centre, first.centre));
  const lengthMm = exactLength(subtract(second.centre, first.centre));
  const upper = [...balls.slice(1), capBeyond(balls[balls.length - 2], balls[balls.length - 1])];
  if (!footing || direction[2] < MIN_VERTICAL || lengthMm < 2 * first.radiusMm) {
    return tube({ spine: [capBeyond(second, first), first, ...upper], isCutHorizontal: false, turn });
  }
  const lower = footing.isBreakaway ? breakawayNeck(first, direction, lengthMm) : [first];
  return tube({ spine: [...extendToGround(lower, direction, footing), ...upper], isCutHorizontal: true, turn });
}

/** The lower balls of a pillar, extended down to its horizontal end. */
function extendToGround([first, ...above]: readonly Ball[], direction: Vec3, { cutMm }: Footing): readonly Ball[] {
  const depthMm = (first.centre[2] - cutMm) / direction[2];
  const end = { centre: subtract(first.centre, times(direction, depthMm)), radiusMm: first.radiusMm };
  // A horizontal cut extends up a leaning pillar by r · tan of its lean: no section may be below that.
  const tangent = Math.sqrt(Math.max(0, 1 - direction[2] * direction[2])) / direction[2];
  return depthMm <= first.radiusMm * tangent ? [end, ...above] : [end, first, ...above];
}

/** The small ball at which a strut ends beyond the ball `centre`, seen from another ball. */
function capBeyond({ centre: from }: Ball, { centre, radiusMm }: Ball): Ball {
  const beyond = times(unit(subtract(centre, from)), CAP * radiusMm);
  return { centre: add(centre, beyond), radiusMm: CAP * radiusMm };
}

/**
 * Radius of the neck, in radii of its pillar: 36 % of the section hold a hanging part and still snap between two
 * fingers.
 */
const NECK_SHARE = 0.6;
const NECK_HEIGHT_MM = 1;
/** Largest share of the length of a short pillar for the neck, and for the widening above it. */
const MAX_LENGTH_SHARE = 1 / 3;

/**
 * The lower end of a breakaway pillar: a narrow neck above the raft, then a widening at 45° to the pillar's radius.
 * `direction`: upward along the pillar, of length 1.
 */
function breakawayNeck({ centre, radiusMm }: Ball, direction: Vec3, lengthMm: number): readonly Ball[] {
  const neckMm = NECK_SHARE * radiusMm;
  const maxMm = MAX_LENGTH_SHARE * lengthMm;
  const narrowTo = Math.min(NECK_HEIGHT_MM / direction[2], maxMm);
  const wideFrom = narrowTo + Math.min(radiusMm - neckMm, maxMm);
  return [
    { centre, radiusMm: neckMm },
    { centre: add(centre, times(direction, narrowTo)), radiusMm: neckMm },
    { centre: add(centre, times(direction, wideFrom)), radiusMm },
  ];
}

/** The flare of a pillar without raft: vertical up to `baseMm`, then narrowing at 45° to the pillar's radius. */
export function flareBody({ x, y, radius }: PillarFoot, marginMm: number, baseMm: number, turn: number): Surface {
  const wideMm = radius + marginMm;
  const spine = [
    { centre: [x, y, 0], radiusMm: wideMm },
    { centre: [x, y, baseMm], radiusMm: wideMm },
    { centre: [x, y, baseMm + marginMm], radiusMm: radius },
  ] as const;
  return tube({ spine: baseMm > 0 ? spine : spine.slice(1), isCutHorizontal: true, turn });
}

interface TubeShape {
  /** At least two balls, neighbours with different centres; the spine bends by less than 90° at each. */
  readonly spine: readonly Ball[];
  /** Whether the first section is horizontal instead of perpendicular to the spine. */
  readonly isCutHorizontal: boolean;
  /** Turns the corners of the sections about the spine, radians. */
  readonly turn: number;
}

/**
 * The closed body around a spine. Its sections are regular polygons inscribed in the balls' circles, perpendicular to
 * the spine; mitred where the spine bends.
 */
function tube({ spine, isCutHorizontal, turn }: TubeShape): Surface {
  const directions = spine.slice(1).map(({ centre }, i) => unit(subtract(centre, spine[i].centre)));
  let spokes = firstSpokes(directions[0], turn);
  const vertices: number[] = [];
  spine.forEach(({ centre, radiusMm }, at) => {
    const into = directions[at - 1] ?? directions[at];
    const out = directions[at] ?? into;
    const mitreNormal = at === 0 && isCutHorizontal ? UPWARD : add(into, out);
    const onMitre = spokes.map((spoke) =>
      subtract(spoke, times(into, dot(spoke, mitreNormal) / dot(into, mitreNormal))),
    );
    for (const spoke of onMitre) vertices.push(...add(centre, times(spoke, radiusMm)));
    spokes = onMitre.map((spoke) => subtract(spoke, times(out, dot(spoke, out))));
  });
  return { vertices: Float64Array.from(vertices), triangles: tubeTriangles(spine.length) };
}

const UPWARD: Vec3 = [0, 0, 1];

/** Unit vectors perpendicular to a direction, evenly around it. */
function firstSpokes(direction: Vec3, turn: number): readonly Vec3[] {
  const sizes = direction.map(Math.abs);
  const least = sizes.indexOf(Math.min(...sizes));
  const across = unit(cross([least === 0 ? 1 : 0, least === 1 ? 1 : 0, least === 2 ? 1 : 0], direction));
  const side = cross(direction, across);
  return Array.from({ length: SIDES }, (_, i) => {
    const [cos, sin] = cosSin(turn + (2 * Math.PI * i) / SIDES);
    return add(times(across, cos), times(side, sin));
  });
}

/** Capsules that enclose a body of this file: one for each pair of consecutive sections. */
export function capsulesOf(body: Surface): Capsule[] {
  const sections = Array.from({ length: vertexCount(body) / SIDES }, (_, section): Ball => {
    const corners = Array.from({ length: SIDES }, (_, i) => vertexAt(body, SIDES * section + i));
    const centre = times(corners.reduce(add), 1 / SIDES);
    return { centre, radiusMm: Math.max(...corners.map((corner) => distance(centre, corner))) };
  });
  return sections.slice(1).map(({ centre, radiusMm }, before) => ({
    from: sections[before].centre,
    to: centre,
    radiusMm: Math.max(radiusMm, sections[before].radiusMm),
  }));
}

/** The sides between consecutive sections, whose corners run counter-clockwise seen from the far end, and both ends. */
function tubeTriangles(sections: number): Uint32Array {
  const triangles: number[] = [];
  const last = (sections - 1) * SIDES;
  for (let first = 0; first < last; first += SIDES) {
    for (let i = 0; i < SIDES; i++) {
      const [a, b] = [first + i, first + ((i + 1) % SIDES)];
      triangles.push(a, b, b + SIDES, a, b + SIDES, a + SIDES);
    }
  }
  for (let i = 1; i + 1 < SIDES; i++) triangles.push(0, i + 1, i, last, last + i, last + i + 1);
  return Uint32Array.from(triangles);
}
