import type { PagePlace, PlaceKind } from "../../ui/replies.ts";
import type { Marker } from "../view/view.ts";
import { counted, shortNumber } from "../widget/quantities.ts";
import type { Finding } from "./findings.ts";

/** Maximum number of findings of a check that the page shows. */
export const MOST_SHOWN = 50;

/** How places of findings are fetched and shown, for checks whose answers in `/v1/` do not contain them. */
interface PlacesOfCheck {
  readonly check: string;
  readonly label: (size: number, kind: PlaceKind | undefined) => string;
  /** Severity of the finding to which a place belongs, if a check reports several findings per model. */
  readonly severity?: (kind: PlaceKind | undefined) => Finding["severity"];
  /** Whether the labels of all places are listed in the text of the finding. */
  readonly isListed?: boolean;
  /** Whether the places are on the lower side of the part. */
  readonly isBelow?: boolean;
}

const CHECKS: Readonly<Record<string, PlacesOfCheck>> = {
  "/v1/scene/model/validate/manifoldness/": {
    check: "manifoldness",
    label: (size, kind) => DEFECTS[kind ?? ""](Math.round(size)),
    severity: (kind) => (kind === "CROSSING" ? "warning" : "error"),
  },
  "/v1/scene/model/validate/in-bounds/": {
    check: "in_bounds",
    label: (mm, kind) => `${beyond(mm)} ${SIDES[kind ?? ""]}`,
    isListed: true,
  },
  "/v1/scene/model/validate/interferences/": { check: "interferences", label: () => "Overlap" },
  "/v1/scene/model/validate/cups/": { check: "cups", label: (mm3) => `Cup of ${volume(mm3)}` },
  "/v1/scene/model/validate/minima/": { check: "minima", label: () => "Begins in mid-air", isBelow: true },
  "/v1/scene/model/validate/supportedness/": {
    check: "supportedness",
    label: (mm2) => `${shortNumber(mm2, 1)} mm² unsupported`,
    isBelow: true,
  },
};

const DEFECTS: Readonly<Record<string, (count: number) => string>> = {
  EDGES: (count) => counted(count, "faulty edge"),
  TURNED: (count) => counted(count, "inverted facet"),
  DUPLICATE: (count) => counted(count, "duplicate facet"),
  INVERTED: () => "Body inside out",
  CROSSING: () => "Self-intersection",
};

const SIDES: Readonly<Record<string, string>> = {
  LEFT: "past the left side",
  RIGHT: "past the right side",
  FRONT: "past the front",
  BACK: "past the back",
  PLATFORM: "below the platform",
  TOP: "above the top",
  CORNER: "past a rounded corner",
};

const beyond = (mm: number): string => (mm < 0.01 ? "less than 0.01 mm" : `${shortNumber(mm, mm < 1 ? 2 : 1)} mm`);

const volume = (mm3: number): string =>
  mm3 < 1000 ? `${shortNumber(mm3, 1)} mm³` : `${shortNumber(mm3 / 1000, 1)} ml`;

/** Fields of a check's body that also apply to the request for places. */
export interface CheckBody {
  readonly scene_id?: string;
  readonly collision_offset_mm?: number;
}

/** Makes the body of the request for the places of these findings; undefined if there are none. */
export function placesRequest(
  path: string,
  { scene_id, collision_offset_mm }: CheckBody,
  findings: readonly Finding[],
): object | undefined {
  const check = CHECKS[path];
  const wanted = findings.map(({ modelIds }) => modelIds);
  if (!check || wanted.length === 0) return undefined;
  const common = { check: check.check, scene_id };
  const shown = wanted.slice(0, MOST_SHOWN);
  if (check.check === "interferences") return { ...common, collision_offset_mm, pairs: shown };
  return PER_MODEL.has(check.check) ? { ...common, model_ids: [...new Set(shown.flat())] } : common;
}

/** Checks whose request for places lists the models. */
const PER_MODEL: ReadonlySet<string> = new Set(["manifoldness", "in_bounds"]);

/** Adds places to the findings of a check. Places without a finding (below its threshold) are left out. */
export function withPlaces(path: string, findings: readonly Finding[], places: readonly PagePlace[]): Finding[] {
  const { label, severity: severityOf, isListed = false, isBelow = false } = CHECKS[path];
  const byModels = Map.groupBy(places, ({ model_ids }) => model_ids.join(" "));
  return findings.map((finding) => {
    const { severity, text, modelIds } = finding;
    const own = (byModels.get(modelIds.join(" ")) ?? []).filter(
      ({ kind }) => (severityOf?.(kind) ?? severity) === severity,
    );
    const markers = own.map(({ kind, point, radius_mm, dots, dot_mm, size }): Marker => ({
      point,
      radiusMm: radius_mm,
      severity,
      label: label(size, kind),
      isBelow,
      dots,
      dotMm: dot_mm,
    }));
    const labels = isListed ? markers.map((marker) => marker.label) : [];
    return { ...finding, text: [text, labels.join(", ")].filter(Boolean).join(": "), places: markers };
  });
}
