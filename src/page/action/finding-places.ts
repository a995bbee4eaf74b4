import type { PagePlace } from "../../ui/replies.ts";
import type { Marker } from "../view/view.ts";
import { counted, shortNumber } from "../widget/quantities.ts";
import type { Finding } from "./findings.ts";

/** What the page shows of the findings of a check. */
export const MOST_SHOWN = 50;

/** How the places of a check are asked for and shown, for checks whose answers in `/v1/` have none. */
interface PlaceKind {
  readonly check: string;
  readonly label: (size: number) => string;
  /** Of the findings that have them, where a check tells of others too. */
  readonly severity?: Finding["severity"];
  /** Whether they are under the part. */
  readonly isBelow?: boolean;
}

const KINDS: Readonly<Record<string, PlaceKind>> = {
  "/v1/scene/model/validate/manifoldness/": {
    check: "manifoldness",
    label: (edges) => counted(Math.round(edges), "faulty edge"),
    severity: "error",
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

const volume = (mm3: number): string =>
  mm3 < 1000 ? `${shortNumber(mm3, 1)} mm³` : `${shortNumber(mm3 / 1000, 1)} ml`;

/** What the body of a check says of where it looks. */
export interface CheckBody {
  readonly scene_id?: string;
  readonly collision_offset_mm?: number;
}

/** The body of the request for the places of these findings; undefined where there is nothing to ask for. */
export function placesRequest(
  path: string,
  { scene_id, collision_offset_mm }: CheckBody,
  findings: readonly Finding[],
): object | undefined {
  const kind = KINDS[path];
  const wanted = findings.filter((finding) => kind && hasPlaces(kind, finding)).map(({ modelIds }) => modelIds);
  if (!kind || wanted.length === 0) return undefined;
  const common = { check: kind.check, scene_id };
  const shown = wanted.slice(0, MOST_SHOWN);
  if (kind.check === "interferences") return { ...common, collision_offset_mm, pairs: shown };
  return kind.check === "manifoldness" ? { ...common, model_ids: shown.flat() } : common;
}

const hasPlaces = (kind: PlaceKind, { severity }: Finding): boolean =>
  kind.severity === undefined || kind.severity === severity;

/** The findings of a check with their places. Places of what is too little to be a finding are left out. */
export function withPlaces(path: string, findings: readonly Finding[], places: readonly PagePlace[]): Finding[] {
  const kind = KINDS[path];
  const { label, isBelow = false } = kind;
  const byModels = Map.groupBy(places, ({ model_ids }) => model_ids.join(" "));
  return findings.map((finding) => {
    const own = hasPlaces(kind, finding) ? (byModels.get(finding.modelIds.join(" ")) ?? []) : [];
    const { severity } = finding;
    return {
      ...finding,
      places: own.map(({ point, radius_mm, dots, dot_mm, size }): Marker => ({
        point,
        radiusMm: radius_mm,
        severity,
        label: label(size),
        isBelow,
        dots,
        dotMm: dot_mm,
      })),
    };
  });
}
