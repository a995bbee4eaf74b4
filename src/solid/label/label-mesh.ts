import type { Watch } from "../../core/watch.ts";
import { difference } from "../../mesh/boolean/difference.ts";
import { rangeOf } from "../../mesh/boolean/region/range-of.ts";
import { union } from "../../mesh/boolean/union.ts";
import { facetTree } from "../../mesh/bvh/facet-tree.ts";
import type { Mesh } from "../../mesh/mesh.ts";
import { cutMesh } from "../cut-mesh.ts";
import { requireSolid } from "../require-solid.ts";
import { anchorOn, type Stance } from "./anchor-on.ts";
import { bodyOfSheet } from "./body-of-sheet.ts";
import { chartOf } from "./chart.ts";
import { isPierced } from "./is-pierced.ts";
import { layOn } from "./lay-on.ts";
import { requireFineCoordinates } from "./require-fine-coordinates.ts";
import { requireOneTurn } from "./require-one-turn.ts";
import { sheetOf } from "./sheet.ts";
import { textInPlane } from "./text-in-plane.ts";

/** Places and lengths are those of the raw mesh. */
export interface LabelRequest {
  readonly mesh: Mesh;
  /** One line. */
  readonly text: string;
  /** The middle of the line, half as high as its capitals. */
  readonly stance: Stance;
  /** Of the em: capitals are 0.73 of it high. */
  readonly fontSizeMm: number;
  /** Of the letters above the surface, or below it, along its normal. */
  readonly depthMm: number;
  readonly mode: "EMBOSS" | "ENGRAVE";
}

export interface Labelled {
  readonly mesh: Mesh;
  /** Whether an engraving goes through a wall. */
  readonly isPierced: boolean;
}

// In font sizes: steps on the surface; how far letters reach to its other side, to become one with it or to cut it open;
// how far facets may leave its curves, and the shortest edges for that; where walls are looked for.
const STEP = 1 / 20;
const OVERLAP = 1 / 50;
const TOLERANCE = 1 / 500;
const LEAST_EDGE = 1 / 80;
const LOOK = 1 / 20;

// In depths: a fifth of what the height of letters may be off; how far they reach to the other side at most, for walls are thin.
const DEPTH_TOLERANCE = 1 / 100;
const MOST_OVERLAP = 1 / 2;

/**
 * The mesh with a line of text raised from its surface, or sunk into it. The text follows the surface: widths are lengths
 * along it. Throws OPERATION_FAILED where a letter finds no surface, or one that bends too sharply, and for a mesh that does
 * not bound a solid, or is too far from its origin.
 */
export async function labelMesh(request: LabelRequest, watch: Watch): Promise<Labelled> {
  const { mesh, stance, fontSizeMm, depthMm, mode } = request;
  const { region, letterAt } = await textInPlane(request.text, fontSizeMm);
  requireFineCoordinates(mesh, fontSizeMm, depthMm);
  requireSolid(mesh, watch.part(0, 0.1));
  const tree = facetTree(mesh, watch.part(0.1, 0.3));
  const [[left, right], [below, above]] = [rangeOf(region, 0), rangeOf(region, 1)];
  const extent = { left: -left, right, below: -below, above };
  const stepMm = STEP * fontSizeMm;
  const chart = chartOf(tree, anchorOn(mesh, tree, stance, fontSizeMm), extent, stepMm, watch.part(0.3, 0.6));

  const overlapMm = Math.min(OVERLAP * fontSizeMm, MOST_OVERLAP * depthMm);
  const [innerMm, outerMm] = mode === "EMBOSS" ? [-overlapMm, depthMm] : [-depthMm, overlapMm];
  const offsetsMm = [innerMm, outerMm];
  const fineness = {
    offsetsMm,
    toleranceMm: Math.min(TOLERANCE * fontSizeMm, DEPTH_TOLERANCE * depthMm),
    leastEdgeMm: LEAST_EDGE * fontSizeMm,
  };
  const sheet = await sheetOf(region, layOn(chart, offsetsMm, letterAt), fineness, watch.part(0.6, 0.7));
  requireOneTurn(chart.axis, stepMm, fontSizeMm);
  const isThrough = mode === "ENGRAVE" && isPierced(tree, sheet, depthMm, LOOK * fontSizeMm, watch.part(0.7, 0.75));

  const letters = bodyOfSheet(sheet, innerMm, outerMm);
  const made = await (mode === "EMBOSS" ? union([mesh, letters], watch.part(0.75, 0.9)) : difference(mesh, [letters]));
  return { mesh: cutMesh(made, watch.part(0.9, 1)), isPierced: isThrough };
}
