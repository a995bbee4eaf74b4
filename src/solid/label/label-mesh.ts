import { operationFailed } from "../../core/api-error.ts";
import type { Progress } from "../../core/progress.ts";
import { type Polygons, coordinateRange } from "../../geometry/polygon.ts";
import { type Vec3, distance, dot, exactLength, subtract, times, unit } from "../../geometry/vector.ts";
import { difference, union } from "../../mesh/boolean.ts";
import { type Bvh, buildBvh } from "../../mesh/bvh/bvh.ts";
import { closestPoint } from "../../mesh/bvh/closest-point.ts";
import { float32SpacingMm } from "../../mesh/measure.ts";
import { type Mesh, facetNormal } from "../../mesh/mesh.ts";
import { CAP_HEIGHT, UNITS_PER_EM, isSupportedCharacter } from "../../text/font.ts";
import { textOutline } from "../../text/text-outline.ts";
import { meshFromBoolean, requireSolid } from "../boolean-mesh.ts";
import { oneSolid } from "../one-solid.ts";
import { type Anchor, exponentialMap } from "./exponential-map.ts";
import { PLACEMENT_HINT, mapToSurface, meshSheet, piercesWall, thickenSheet } from "./text-sheet.ts";

/** Position and directions of the text: unit vectors along the line and out of the surface. */
interface TextPlacement {
  /** The centre of the line, at half the height of its capitals. */
  readonly position: Vec3;
  readonly along: Vec3;
  readonly normal: Vec3;
}

/** Lengths and coordinates are those of the raw mesh. */
export interface LabelRequest {
  readonly mesh: Mesh;
  /** A single line of text. */
  readonly text: string;
  readonly placement: TextPlacement;
  /** Size of the em; capitals are 0.73 em high. */
  readonly fontSizeMm: number;
  /** Height of the letters above the surface, or depth below it, along its normal. */
  readonly depthMm: number;
  readonly mode: "EMBOSS" | "ENGRAVE";
}

export interface LabelledMesh {
  readonly mesh: Mesh;
  /** Whether an engraving goes through a wall. */
  readonly isPierced: boolean;
}

// In font sizes.
/** Step along the surface. */
const STEP_EM = 1 / 20;
/** How far letters reach through the surface, to join it or to cut it open. */
const OVERLAP_EM = 1 / 50;
/** Greatest distance of facets from the curved surface, and the shortest edges for that. */
const TOLERANCE_EM = 1 / 500;
const MIN_EDGE_EM = 1 / 80;
/** Distance between the rays that look for thin walls. */
const PROBE_SPACING_EM = 1 / 20;
/**
 * Distance between points of the line that are compared, the arc after which it can meet itself, and the least distance
 * then.
 */
const SPACING_EM = 1 / 4;
const MIN_ARC_EM = 2;
const MIN_DISTANCE_EM = 1 / 2;
/** With coarser coordinates thin strokes lose their width. */
const MAX_STEP_EM = 1 / 200;

// In depths.
/** A fifth of the permitted error of the height of letters. */
const TOLERANCE_DEPTHS = 1 / 100;
/** Walls are thin, so letters reach no farther through the surface. */
const MAX_OVERLAP_DEPTHS = 1 / 2;
/** With coarser coordinates letters become uneven. */
const MAX_STEP_DEPTHS = 1 / 20;

/** The surface may lean by 60° from the normal of the placement. */
const MIN_COS = 0.5;

/**
 * The mesh with a line of text embossed on its surface, or engraved. The text follows the surface: its widths are
 * lengths along the surface. Throws OPERATION_FAILED if a letter finds no surface, or one that bends too sharply,
 * and for a mesh that does not bound a solid or is too far from its origin.
 */
export async function labelMesh(request: LabelRequest, progress: Progress): Promise<LabelledMesh> {
  const { placement, fontSizeMm, depthMm, mode } = request;
  const { region, letterAt } = await layOutText(request.text, fontSizeMm);
  requireFineCoordinates(request.mesh, fontSizeMm, depthMm);
  const mesh = await oneSolid(request.mesh, progress.part(0, 0.05));
  requireSolid(mesh, progress.part(0.05, 0.1));
  const bvh = buildBvh(mesh, progress.part(0.1, 0.3));
  const [[left, right], [below, above]] = [coordinateRange(region, 0), coordinateRange(region, 1)];
  const extent = { left: -left, right, below: -below, above };
  const stepMm = STEP_EM * fontSizeMm;
  const anchor = findAnchor(mesh, bvh, placement, fontSizeMm);
  const chart = exponentialMap(bvh, anchor, extent, stepMm, progress.part(0.3, 0.6));

  const overlapMm = Math.min(OVERLAP_EM * fontSizeMm, MAX_OVERLAP_DEPTHS * depthMm);
  const [innerMm, outerMm] = mode === "EMBOSS" ? [-overlapMm, depthMm] : [-depthMm, overlapMm];
  const offsetsMm = [innerMm, outerMm];
  const tolerance = {
    offsetsMm,
    toleranceMm: Math.min(TOLERANCE_EM * fontSizeMm, TOLERANCE_DEPTHS * depthMm),
    minEdgeMm: MIN_EDGE_EM * fontSizeMm,
  };
  const sheet = await meshSheet(region, mapToSurface(chart, offsetsMm, letterAt), tolerance, progress.part(0.6, 0.7));
  requireNoWrapAround(chart.axis, stepMm, fontSizeMm);
  const isPierced =
    mode === "ENGRAVE" && piercesWall(bvh, sheet, depthMm, PROBE_SPACING_EM * fontSizeMm, progress.part(0.7, 0.75));

  const letters = thickenSheet(sheet, innerMm, outerMm);
  const labelled = await (mode === "EMBOSS"
    ? union([mesh, letters], progress.part(0.75, 0.9))
    : difference(mesh, [letters], progress.part(0.75, 0.9)));
  return { mesh: meshFromBoolean(labelled, progress.part(0.9, 1)), isPierced };
}

interface TextLayout {
  /** Outlines in mm. The origin is the centre of the line, at half the height of capitals; y points up. */
  readonly region: Polygons;
  /** The character at a position along the line, in quotes. */
  letterAt(x: number): string;
}

/** Lays out a line of text. Throws OPERATION_FAILED for one that the font cannot write, or that is blank. */
export async function layOutText(label: string, fontSizeMm: number): Promise<TextLayout> {
  const text = writableText(label);
  const { region, starts, width } = await textOutline(text);
  if (region.length === 0) throw operationFailed("the label shows nothing: give it a text.");
  const unitMm = fontSizeMm / UNITS_PER_EM;
  return {
    region: region.map((polygon) =>
      polygon.map((value, at) => unitMm * (value - (at % 2 === 0 ? width : CAP_HEIGHT) / 2)),
    ),
    letterAt(x) {
      const i = starts.findLastIndex((start) => start <= x / unitMm + width / 2);
      return `"${Array.from(text)[Math.max(0, i)]}"`;
    },
  };
}

/** The text in composed characters, trimmed. */
function writableText(label: string): string {
  const text = label.normalize("NFC").trim();
  const unknown = Array.from(text).find((character) => !isSupportedCharacter(character));
  if (unknown === undefined) return text;
  const code = unknown.codePointAt(0)!.toString(16).toUpperCase().padStart(4, "0");
  throw operationFailed(
    `the font has no "${unknown}" (U+${code}) for text from left to right: write the label without it.`,
  );
}

/** Throws OPERATION_FAILED for a mesh so far from its origin that single precision cannot resolve the letters. */
function requireFineCoordinates({ box }: Mesh, fontSizeMm: number, depthMm: number): void {
  const stepMm = float32SpacingMm(box);
  if (stepMm <= Math.min(MAX_STEP_DEPTHS * depthMm, MAX_STEP_EM * fontSizeMm)) return;
  throw operationFailed(
    `its mesh is so far from the origin of its file that coordinates there are ${stepMm.toPrecision(2)} mm apart, which is ` +
      "too coarse for the letters: export it nearer to its origin and import it again.",
  );
}

/**
 * The point of the surface closest to the position, within `reachMm`, and the direction of the text there: always to
 * the right as seen from outside, so that it is readable even if the normal of the placement points into the
 * surface. Throws OPERATION_FAILED if there is no such point, or if the surface leans too far.
 */
function findAnchor(mesh: Mesh, bvh: Bvh, { position, along, normal }: TextPlacement, reachMm: number): Anchor {
  const closest = closestPoint(bvh, position, reachMm);
  if (!closest) {
    throw operationFailed(
      "no surface is within one font size of the position: give a position on the surface, in scene coordinates.",
    );
  }
  const areaNormal = facetNormal(mesh, closest.facet);
  const out = exactLength(areaNormal) > 0 ? unit(areaNormal) : normal;
  if (Math.abs(dot(out, normal)) < MIN_COS) {
    throw operationFailed(
      "the surface at the position leans by more than 60° from the orientation: turn z so that it points out of the surface.",
    );
  }
  return { position: closest.point, along: unit(subtract(along, times(out, dot(along, out)))), normal: out };
}

/** Throws OPERATION_FAILED for a line of text, of points one step apart, that wraps around a part and meets itself. */
function requireNoWrapAround(line: readonly Vec3[], stepMm: number, fontSizeMm: number): void {
  const every = Math.round((SPACING_EM * fontSizeMm) / stepMm);
  const samples = line.filter((_, i) => i % every === 0);
  samples.forEach((sample, i) => {
    const beyond = samples.slice(i + MIN_ARC_EM / SPACING_EM);
    if (beyond.some((other) => distance(other, sample) < MIN_DISTANCE_EM * fontSizeMm))
      throw operationFailed(`the label goes all the way round: ${PLACEMENT_HINT}`);
  });
}
