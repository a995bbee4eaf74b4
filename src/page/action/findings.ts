import type { Corner } from "../server/replies.ts";
import { counted, millilitres, shortNumber } from "../widget/quantities.ts";
import type { Marker } from "../view/view.ts";

/** A finding of a check. */
export interface Finding {
  readonly severity: Marker["severity"];
  readonly text: string;
  readonly modelIds: readonly string[];
  /** Places of the finding, the most important first. If empty, the view shows the models instead. */
  readonly places: readonly Marker[];
}

interface BoundingBox {
  readonly min_corner: Corner;
  readonly max_corner: Corner;
}

/** A place where a part is not held strongly enough. */
interface Weakness {
  readonly kind: string;
  readonly position: Corner;
  readonly percent_held: number;
  readonly neck_height_mm?: number;
}

/** Result of one model; it has the fields of all checks. */
interface ModelResult {
  readonly cup_count?: number;
  readonly minima_count?: number;
  readonly percent_unsupported?: number;
  readonly in_bounds?: boolean;
  readonly body_count?: number;
  readonly dimensions_mm?: Corner;
  readonly volume_mm3?: number;
  readonly triangle_count?: number;
  readonly is_manifold?: boolean;
  readonly open_edge_count?: number;
  readonly non_manifold_edge_count?: number;
  readonly degenerate_face_count?: number;
  readonly inverted_body_count?: number;
  readonly self_intersecting?: boolean;
  readonly status?: string;
  readonly thin_regions?: readonly { readonly volume_mm3: number; readonly bounding_box: BoundingBox }[];
  readonly weaknesses?: readonly Weakness[];
}

/** Answer of any check. */
export interface CheckReply {
  readonly per_model_results?: Readonly<Record<string, ModelResult>>;
  readonly interferences?: readonly (readonly [string, string])[];
}

/** Unsupported share of the overhangs, percent, up to which there is no finding: it comes from rounding on slopes. */
const NEGLIGIBLE_PERCENT = 0.5;

/** Extracts the findings from the answer of any check, the most severe first. */
export function findingsOf(reply: CheckReply): readonly Finding[] {
  const pairs = (reply.interferences ?? []).map((modelIds): Finding => ({
    severity: "error",
    text: "Overlap, or are too close",
    modelIds,
    places: [],
  }));
  const perModel = Object.entries(reply.per_model_results ?? {}).flatMap(([id, result]) => ofModel(id, result));
  const order = ["error", "warning", "info"];
  return [...pairs, ...perModel].sort((a, b) => order.indexOf(a.severity) - order.indexOf(b.severity));
}

function ofModel(id: string, result: ModelResult): readonly Finding[] {
  const found = (severity: Finding["severity"], text: string, isSo: boolean): readonly Finding[] =>
    isSo ? [{ severity, text, modelIds: [id], places: [] }] : [];
  const { cup_count = 0, minima_count = 0, percent_unsupported = 0, body_count = 0 } = result;
  const { thin_regions = [], weaknesses = [] } = result;
  return [
    ...found("error", "Not completely inside the build volume", result.in_bounds === false),
    ...found("error", `Not a closed mesh: ${defectsOf(result).join(", ")}`, result.is_manifold === false),
    ...found("warning", "The surface intersects itself", result.self_intersecting === true),
    ...found(
      "warning",
      cup_count === 1 ? "1 cup that traps resin" : `${counted(cup_count, "cup")} that trap resin`,
      cup_count > 0,
    ),
    ...found(
      "warning",
      minima_count === 1 ? "1 place that begins in mid-air" : `${counted(minima_count, "place")} that begin in mid-air`,
      minima_count > 0,
    ),
    ...found(
      "warning",
      `${shortNumber(percent_unsupported, 1)} % of the overhangs are unsupported`,
      percent_unsupported > NEGLIGIBLE_PERCENT,
    ),
    ...found("info", counted(body_count, "body", "bodies"), body_count > 0),
    ...found("info", measuresOf(result), result.dimensions_mm !== undefined),
    ...found("info", NOT_ANALYZED[result.status ?? ""] ?? "", (result.status ?? "ANALYZED") !== "ANALYZED"),
    ...thin_regions.map(({ volume_mm3, bounding_box }) => thinRegion(id, volume_mm3, bounding_box)),
    ...weaknesses.map((one) => weakPlace(id, one)),
  ];
}

const NOT_ANALYZED: Readonly<Record<string, string>> = {
  TOO_SMALL: "The whole part is thinner than the threshold",
  TOO_LARGE: "Too large for this threshold: choose a larger one",
  MESH_ERROR: "Not a closed mesh: repair it before its walls are measured",
};

function defectsOf(result: ModelResult): readonly string[] {
  const { open_edge_count = 0, non_manifold_edge_count = 0, inverted_body_count = 0 } = result;
  const defects = [
    open_edge_count > 0 && counted(open_edge_count, "open edge"),
    non_manifold_edge_count > 0 && counted(non_manifold_edge_count, "non-manifold edge"),
    inverted_body_count > 0 && counted(inverted_body_count, "inverted body", "inverted bodies"),
  ].filter((one) => one !== false);
  return defects.length > 0 ? defects : ["inverted or duplicate facets"];
}

function measuresOf({ dimensions_mm: sides, volume_mm3 = 0, triangle_count = 0 }: ModelResult): string {
  const size = sides ? [sides.x, sides.y, sides.z].map((side) => shortNumber(side)).join(" × ") : "";
  return `${size} mm, ${millilitres(volume_mm3 / 1000)}, ${counted(triangle_count, "triangle")}`;
}

function thinRegion(id: string, volumeMm3: number, { min_corner: a, max_corner: b }: BoundingBox): Finding {
  const label = `Thin wall of ${shortNumber(volumeMm3, 1)} mm³`;
  const radiusMm = Math.max(0.5, Math.min(b.x - a.x, b.y - a.y, b.z - a.z) / 2);
  return {
    severity: "warning",
    text: label,
    modelIds: [id],
    places: [{ point: [(a.x + b.x) / 2, (a.y + b.y) / 2, (a.z + b.z) / 2], radiusMm, severity: "warning", label }],
  };
}

/** Radius of the marker of a weakness. */
const WEAKNESS_RADIUS_MM = 1;

const CAUSES: Readonly<Record<string, (neckMm: number) => string>> = {
  PULL: () => "too few supports, and too little on the platform",
  LEAN: () => "leans out beyond its supports",
  NECK: (neckMm) => `would break at the thin section at ${shortNumber(neckMm, 1)} mm`,
  WOBBLE: () => "too tall and thin, bends sideways",
};

function weakPlace(id: string, { kind, position: { x, y, z }, percent_held, neck_height_mm = 0 }: Weakness): Finding {
  // Rounded down, so that a share just below 100 % does not read "100 %".
  const share = `${kind === "WOBBLE" ? "Stiffness" : "Held"} ${Math.floor(percent_held)} %`;
  const label = `${share} at ${shortNumber(z, 1)} mm: ${CAUSES[kind](neck_height_mm)}`;
  const place = { point: [x, y, z], radiusMm: WEAKNESS_RADIUS_MM, severity: "warning", label } as const;
  return { severity: "warning", text: label, modelIds: [id], places: [place] };
}
