import { type Ball, type Vec3, distanceXy } from "../../geometry/vector.ts";
import type { SupportSettings } from "../support-settings.ts";

/** What a strut is for: it touches the model, it bears load, or it stiffens pillars. */
export type StrutKind = "TIP" | "PILLAR" | "BRACE";

/** A round bar between two nodes, as wide at each end as the ball there. */
export interface Strut {
  readonly from: number;
  readonly to: number;
  readonly kind: StrutKind;
}

/** The lower end of a pillar: on the raft or platform, or on the model itself. */
export interface Foot {
  readonly node: number;
  readonly on: "GROUND" | "MODEL";
}

/** The structure between the touchpoints of a model and the ground, in scene coordinates. */
export interface SupportTree {
  /** x, y, z and radius of each ball, mm. */
  readonly nodes: Float64Array;
  readonly struts: readonly Strut[];
  readonly feet: readonly Foot[];
  /** The node of each touchpoint; −1 where no route leads to the ground. */
  readonly touches: Int32Array;
}

/** The ball at a node of a tree. */
export function ballOf({ nodes }: Pick<SupportTree, "nodes">, node: number): Ball {
  // Not through an iterator or a view, which take most of the time of a draft.
  const at = 4 * node;
  return { centre: [nodes[at], nodes[at + 1], nodes[at + 2]], radiusMm: nodes[at + 3] };
}

/** A tree moved in x and y, mm. */
export const movedTree = (tree: SupportTree, [x, y]: readonly [x: number, y: number]): SupportTree => ({
  ...tree,
  nodes: tree.nodes.map((value, i) => value + [x, y, 0, 0][i % 4]),
});

/** A tree that is being built. */
export class TreeBuilder {
  readonly balls: Ball[] = [];
  readonly struts: Strut[] = [];
  readonly feet: Foot[] = [];

  /** Returns the index of the new node. */
  addBall(ball: Ball): number {
    return this.balls.push(ball) - 1;
  }

  /** Adds a ball and the strut to it from another node; returns the index of the new node. */
  addStrut(from: number, ball: Ball, kind: StrutKind): number {
    const to = this.addBall(ball);
    this.struts.push({ from, to, kind });
    return to;
  }

  build(touches: Int32Array): SupportTree {
    const { balls, struts, feet } = this;
    const nodes = new Float64Array(4 * balls.length);
    balls.forEach(({ centre, radiusMm }, node) => {
      nodes.set(centre, 4 * node);
      nodes[4 * node + 3] = radiusMm;
    });
    return { nodes, struts, feet, touches };
  }
}

/** Whether the way from `top` down to `bottom` is at least as steep as 45°, up to rounding. */
export const isSteep = (top: Vec3, bottom: Vec3): boolean => distanceXy(top, bottom) <= top[2] - bottom[2] + 1e-9;

// Dimensions of the parts of a tree, mm. Working values of this program; comments name the values of PrusaSlicer.

/** Radius of a pillar that bears one touchpoint. PrusaSlicer's default is 0.5. */
export const TWIG_RADIUS_MM = 0.4;
export const BRACE_RADIUS_MM = 0.35;

/** Distance between the model and all struts but the tips. PrusaSlicer: 0.5 mm. */
export const CLEARANCE_MM = 0.4;
/** Distance between the model and the tips, except near their touchpoint. */
export const TIP_CLEARANCE_MM = 0.2;

/** Lengths of tips, the best first: a tool must reach the surface between the pillars. */
export const TIP_LENGTHS_MM = [3, 2.5, 2, 1.6, 1.2, 0.9, 0.8] as const;
/**
 * How deep the ball at a touchpoint enters the surface, in radii of the touch: 0.15 mm for a touch of 0.5 mm. A flat
 * surface cuts the ball in a circle as wide as the touch; the tip is narrowest there and breaks off there.
 */
export const PENETRATION = 0.6;

/** Largest horizontal length of a leaning pillar; PrusaSlicer's bridges span as much. */
export const MAX_LEAN_MM = 10;
/**
 * Maximum load of one trunk, in touchpoints of the size of the settings ({@link loadOf}): the model must rest on many feet, as it would on
 * straight pillars.
 */
export const MAX_LOAD = 10;

/**
 * Each further touchpoint adds this share of a twig's section to its trunk: peeling loads touchpoints one after the
 * other.
 */
const SECTION_PER_LOAD = 0.25;
/** Height of a pillar divided by the radius of its foot. */
const SLENDERNESS = 80;
/** The same for a pillar without braces. */
export const FREE_STANDING_SLENDERNESS = 50;

/** Taller vertical pillars get braces; PrusaSlicer's rule. */
export const UNBRACED_HEIGHT_MM = 15;

/** Load of a touchpoint of a given diameter: its area, in areas of a touchpoint of the size of the settings. */
export const loadOf = (sizeMm: number, { touchpointSizeMm }: Pick<SupportSettings, "touchpointSizeMm">): number =>
  (sizeMm / touchpointSizeMm) ** 2;

/** Radius of a trunk below a sum of loads ({@link loadOf}): no less than that of a twig. */
export const trunkRadius = (load: number): number =>
  TWIG_RADIUS_MM * Math.sqrt(1 + SECTION_PER_LOAD * Math.max(0, load - 1));

/** Radius of the foot of a pillar whose top has the radius `topMm`, `heightMm` above. */
export const footRadius = (topMm: number, heightMm: number): number => Math.max(topMm, heightMm / SLENDERNESS);
