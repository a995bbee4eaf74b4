/**
 * Measures of the parts of a tree, mm. Working values of this program; where another source of resin supports is known
 * to use a figure, it is named.
 */

/** Radius of a pillar that carries one touchpoint. PrusaSlicer's default is 0.5. */
export const TWIG_MM = 0.4;
export const BRACE_MM = 0.35;

/** Between the model and all but the tips. PrusaSlicer keeps 0.5 mm. */
export const GAP_MM = 0.4;
/** Between the model and the tips, where those have left their touch. */
export const TIP_GAP_MM = 0.2;

/** How long a tip may be, the best first: the surface below which nothing but tips stands can be got at with a tool. */
export const TIP_LENGTHS_MM = [3, 2.5, 2, 1.6, 1.2, 0.9, 0.8] as const;
/**
 * The ball at a touch enters the surface by this share of the touch's radius: 0.15 mm at a touch of 0.5 mm. A flat
 * surface cuts it in a circle as wide as the touch, which is its neck: there it breaks.
 */
export const PENETRATION = 0.6;

/** How far one leg may lean sideways; PrusaSlicer's bridges span as much. */
export const MOST_LEAN_MM = 10;
/** No more touchpoints hang on one trunk: the model stands on many feet, as it would on straight pillars. */
export const MOST_LOAD = 10;

/**
 * Each further touchpoint adds this share of a twig's section to its trunk: most of a print's pull is taken in turns.
 */
const SHARE_OF_LOAD = 0.25;
/** Height of a pillar over its radius at the foot. Where it stands alone it has the smaller one. */
const SLENDERNESS = 80;
export const LONELY_SLENDERNESS = 50;

/** Pillars that stand upright for more than this get braces; PrusaSlicer's rule. */
export const BRACED_MM = 15;

/** Of a trunk under so many touchpoints. */
export const radiusFor = (load: number): number => TWIG_MM * Math.sqrt(1 + SHARE_OF_LOAD * (load - 1));

/** Of the same trunk at its foot, `heightMm` below. */
export const footRadiusFor = (topMm: number, heightMm: number): number => Math.max(topMm, heightMm / SLENDERNESS);
