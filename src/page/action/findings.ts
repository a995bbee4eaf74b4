import type { Check, ModelFinding, Severity } from "../../feature/page-row.ts";
import type { PagePlace, PlacesRequest } from "../../ui/replies.ts";
import type { Marker } from "../view/view.ts";

/** A finding of a check. */
export interface Finding extends ModelFinding {
  /** Places of the finding, the most important first. If empty, the view shows the models instead. */
  readonly places: readonly Marker[];
}

/** Maximum number of findings of a check that the page shows. */
export const MAX_SHOWN_FINDINGS = 50;

const SEVERITIES: readonly Severity[] = ["error", "warning", "info"];

/** Extracts the findings from the reply of a check, the most severe first. */
export function findingsOf({ findings }: Check, reply: unknown): readonly Finding[] {
  return findings(reply as never)
    .map((one): Finding => {
      const { severity, places = [] } = one;
      return { ...one, places: places.map((place) => ({ ...place, severity })) };
    })
    .sort((a, b) => SEVERITIES.indexOf(a.severity) - SEVERITIES.indexOf(b.severity));
}

/** Makes the body of the request for the places of these findings, of a check that was run with `request`; undefined if there are none. */
export function placesRequest(
  path: string,
  { places }: Check,
  { model_ids: _models, ...request }: { readonly scene_id: string; readonly model_ids?: readonly string[] },
  findings: readonly Finding[],
): PlacesRequest | undefined {
  if (!places || findings.length === 0) return undefined;
  const found = findings.slice(0, MAX_SHOWN_FINDINGS).map(({ modelIds }) => modelIds);
  return { check: path, scene_id: request.scene_id, request, found };
}

/** Adds places to the findings of a check. Places without a finding (below its threshold) are left out. */
export function withPlaces(
  { places: words }: Check,
  findings: readonly Finding[],
  places: readonly PagePlace[],
): Finding[] {
  if (!words) return [...findings];
  const { label, severity: severityOf, isListed = false, isBelow = false } = words;
  const byModels = Map.groupBy(places, ({ model_ids }) => model_ids.join(" "));
  return findings.map((finding) => {
    const { severity, text, modelIds } = finding;
    const own = (byModels.get(modelIds.join(" ")) ?? []).filter(
      ({ kind = "" }) => (severityOf?.(kind) ?? severity) === severity,
    );
    const markers = own.map(({ kind = "", point, radius_mm, dots, dot_mm, size }): Marker => ({
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
