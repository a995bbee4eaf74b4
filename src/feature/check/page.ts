import type { DefectKind, VolumeSide } from "../../check/finding-place.ts";
import { counted, shortNumber } from "../../core/quantities.ts";
import { type Action, type FeaturePage, type FindingText, perModel } from "../page-row.ts";
import { holdCheck } from "./hold-page.ts";
import { thinFeaturesCheck } from "./thin-features-page.ts";

const manifoldness: Action = {
  path: "/v1/scene/model/validate/manifoldness/",
  group: "check",
  title: "Closed meshes",
  check: {
    findings: perModel((defects: Defects) => [
      !defects.is_manifold && { severity: "error", text: `Not a closed mesh: ${defectsOf(defects).join(", ")}` },
      defects.self_intersecting && { severity: "warning", text: "The surface intersects itself" },
    ]),
    places: {
      label: (size, kind) => DEFECTS[kind as DefectKind](Math.round(size)),
      severity: (kind) => (kind === "CROSSING" ? "warning" : "error"),
    },
  },
};

export interface Defects {
  readonly is_manifold: boolean;
  readonly open_edge_count: number;
  readonly non_manifold_edge_count: number;
  readonly inverted_body_count: number;
  readonly self_intersecting: boolean;
}

/** The kinds of defects of a mesh that is not closed, with their numbers. */
export function defectsOf(found: Defects): readonly string[] {
  const { open_edge_count, non_manifold_edge_count, inverted_body_count } = found;
  const defects = [
    open_edge_count > 0 && counted(open_edge_count, "open edge"),
    non_manifold_edge_count > 0 && counted(non_manifold_edge_count, "non-manifold edge"),
    inverted_body_count > 0 && counted(inverted_body_count, "inverted body", "inverted bodies"),
  ].filter((one) => one !== false);
  return defects.length > 0 ? defects : ["inverted or duplicate facets"];
}

const DEFECTS: Readonly<Record<DefectKind, (count: number) => string>> = {
  EDGES: (count) => counted(count, "faulty edge"),
  TURNED: (count) => counted(count, "inverted facet"),
  DUPLICATE: (count) => counted(count, "duplicate facet"),
  INVERTED: () => "Body inside out",
  CROSSING: () => "Self-intersection",
};

const inBounds: Action = {
  path: "/v1/scene/model/validate/in-bounds/",
  group: "check",
  title: "Inside the build volume",
  check: {
    findings: perModel(({ in_bounds }: { readonly in_bounds: boolean }) => [
      !in_bounds && { severity: "error", text: "Not completely inside the build volume" },
    ]),
    places: { label: (mm, kind) => beyondSide(mm, kind as VolumeSide), isListed: true },
  },
};

const SIDES: Readonly<Record<VolumeSide, string>> = {
  LEFT: "past the left side",
  RIGHT: "past the right side",
  FRONT: "past the front",
  BACK: "past the back",
  PLATFORM: "below the platform",
  TOP: "above the top",
  CORNER: "past a rounded corner",
};

/** How far something reaches beyond a side of the build volume: "0.8 mm past the left side". */
export const beyondSide = (mm: number, side: VolumeSide): string =>
  `${mm < 0.01 ? "less than 0.01 mm" : `${shortNumber(mm, mm < 1 ? 2 : 1)} mm`} ${SIDES[side]}`;

const interferences: Action = {
  path: "/v1/scene/model/validate/interferences/",
  group: "check",
  title: "Overlaps",
  check: {
    findings: (reply: { readonly interferences: readonly (readonly [string, string])[] }) =>
      reply.interferences.map((modelIds) => ({ severity: "error", text: "Overlap, or are too close", modelIds })),
    places: { label: () => "Overlap" },
  },
};

const cups: Action = {
  path: "/v1/scene/model/validate/cups/",
  group: "check",
  title: "Cups",
  wholeScene: true,
  check: {
    findings: perModel(({ cup_count }: { readonly cup_count: number }) =>
      warningIf(
        cup_count > 0,
        cup_count === 1 ? "1 cup that traps resin" : `${counted(cup_count, "cup")} that trap resin`,
      ),
    ),
    places: { label: (mm3) => `Cup of ${volume(mm3)}` },
  },
};

const volume = (mm3: number): string =>
  mm3 < 1000 ? `${shortNumber(mm3, 1)} mm³` : `${shortNumber(mm3 / 1000, 1)} ml`;

const minima: Action = {
  path: "/v1/scene/model/validate/minima/",
  group: "check",
  title: "Unsupported minima",
  wholeScene: true,
  check: {
    findings: perModel(({ minima_count }: { readonly minima_count: number }) =>
      warningIf(
        minima_count > 0,
        minima_count === 1
          ? "1 place that begins in mid-air"
          : `${counted(minima_count, "place")} that begin in mid-air`,
      ),
    ),
    places: { label: () => "Begins in mid-air", isBelow: true },
  },
};

/** Unsupported share of the overhangs, percent, up to which there is no finding: it comes from rounding on slopes. */
export const NEGLIGIBLE_PERCENT = 0.5;

const supportedness: Action = {
  path: "/v1/scene/model/validate/supportedness/",
  group: "check",
  title: "Supportedness",
  wholeScene: true,
  check: {
    findings: perModel(({ percent_unsupported: percent }: { readonly percent_unsupported: number }) =>
      warningIf(percent > NEGLIGIBLE_PERCENT, `${shortNumber(percent, 1)} % of the overhangs are unsupported`),
    ),
    places: { label: (mm2) => `${shortNumber(mm2, 1)} mm² unsupported`, isBelow: true },
  },
};

const warningIf = (isFound: boolean, text: string): FindingText[] => (isFound ? [{ severity: "warning", text }] : []);

export const checkPage: FeaturePage = {
  actions: [manifoldness, inBounds, interferences, cups, minima, supportedness, holdCheck, thinFeaturesCheck],
};
