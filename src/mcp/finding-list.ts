import * as v from "valibot";
import { type Endpoint, type FoundPlace, readsScene } from "../api/endpoint.ts";
import { ENDPOINTS } from "../feature/endpoints.ts";
import { sceneId, uuid } from "../api/schema.ts";
import { runStepwise } from "../core/steps.ts";
import { upperBound } from "../geometry/binary-search.ts";
import { add } from "../geometry/vector.ts";
import { layerBoundariesOf } from "../scene/layers.ts";
import { listed, toTenth } from "./answer.ts";
import { inToolWords } from "./tool-words.ts";
import type { ToolCall } from "./workspace.ts";

/** A finding as scene/check returns it. */
interface WireFinding {
  readonly id: string;
  readonly kind: string;
  readonly severity: "WARNING" | "ERROR";
  readonly model_ids: readonly string[];
  readonly count: number;
  readonly size: number;
  readonly size_unit: string;
  readonly text: string;
  readonly fixes: readonly { readonly title: string }[];
}

/** Findings in an answer: the worst. */
const MAX_FINDINGS = 10;
/** Findings whose worst place is looked up. */
const MAX_PLACED = 5;
/** Handles of parts at a finding. */
const MAX_PARTS = 8;

/** Findings as answers of tools have them, in lines and as data, with the places of the first ones where these are known. */
export function listFindings(call: ToolCall, findings: readonly WireFinding[], places: readonly WorstPlace[] = []) {
  const shown = findings.slice(0, MAX_FINDINGS);
  const data = shown.map((finding, i) => findingOf(call, finding, places[i]));
  const rest = findings.length - shown.length;
  return {
    lines: [...listed(data, lineOf, MAX_FINDINGS), ...(rest > 0 ? [`- and ${rest} lesser findings`] : [])],
    data: { finding_count: findings.length, findings: data },
  };
}

/** Where the largest part of a finding is; undefined where the check does not know. */
type WorstPlace = { readonly at: readonly number[]; readonly layer: number } | undefined;

type Found = ReturnType<typeof findingOf>;

const findingOf = (
  call: ToolCall,
  { id, kind, severity, model_ids, count, size, size_unit, text, fixes }: WireFinding,
  place: WorstPlace,
) => ({
  finding: id,
  kind,
  severity,
  parts: call.partsOf(model_ids.slice(0, MAX_PARTS)),
  part_count: model_ids.length,
  count,
  size,
  size_unit,
  text: inToolWords(text, call.workspace),
  ...(place && { worst_at_mm: place.at, worst_in_layer: place.layer }),
  fixes: fixes.map(({ title }) => inToolWords(title, call.workspace)),
});

function lineOf({
  finding,
  severity,
  kind,
  parts,
  part_count,
  text,
  worst_at_mm,
  worst_in_layer,
  fixes,
}: Found): string {
  const more = part_count > parts.length ? ` and ${part_count - parts.length} more` : "";
  const place = worst_at_mm ? `; worst at ${worst_at_mm.join(", ")}, layer ${worst_in_layer}` : "";
  const remedies = fixes.map((title, i) => `fix ${i}: ${title}`).join("; ");
  return `${severity} ${kind} ${finding} at ${parts.join(", ")}${more}: ${text}${place}${remedies && `; ${remedies}`}`;
}

interface CheckWithPlaces extends Endpoint {
  readonly body: v.GenericSchema;
  readonly places: NonNullable<Endpoint["places"]>;
}

/** The check of each kind of finding whose places are known. */
const CHECKS = new Map(
  ENDPOINTS.filter((one): one is CheckWithPlaces => one.places !== undefined).map((check) => [
    check.path.split("/").at(-2)!.replaceAll("-", "_").toUpperCase(),
    check,
  ]),
);

/** Looks up the places of findings of one check. It runs like an endpoint, so that the results of the check are reused. */
const findPlaces = readsScene(
  {
    method: "POST",
    path: "/mcp/places/",
    summary: "Where a check finds something.",
    body: v.object({ scene_id: sceneId, kind: v.string(), found: v.array(v.array(uuid)) }),
    reply: v.custom<readonly FoundPlace[]>(() => true),
  },
  async (scene, { kind, found }, context) => {
    const check = CHECKS.get(kind);
    return check ? check.places(scene, v.parse(check.body, { scene_id: scene.id }), found, context) : [];
  },
);

/** The places of the largest parts of the first findings. */
export async function worstPlaces(
  call: ToolCall,
  plate: string,
  findings: readonly WireFinding[],
): Promise<WorstPlace[]> {
  const first = findings.slice(0, MAX_PLACED);
  const scene_id = call.sceneId(plate);
  const found = new Map<string, readonly FoundPlace[]>();
  for (const [kind, ofKind] of Map.groupBy(first, (finding) => finding.kind)) {
    if (!CHECKS.has(kind)) continue;
    const body = { scene_id, kind, found: ofKind.map(({ model_ids }) => model_ids.slice(0, 2)) };
    found.set(kind, await call.run(findPlaces, { body, query: undefined }));
  }
  const boundariesMm = await runStepwise(layerBoundariesOf(call.scene(plate)));
  return first.map(({ kind, model_ids }) => {
    const at = new Set(model_ids);
    const places = found.get(kind)?.filter(({ modelIds }) => modelIds.every((id) => at.has(id))) ?? [];
    const worst = largest(places);
    if (!worst) return undefined;
    const [x, y, z] = add(worst.place.point, worst.byMm);
    return { at: [x, y, z].map(toTenth), layer: Math.max(0, upperBound(boundariesMm, z) - 1) };
  });
}

const largest = (places: readonly FoundPlace[]): FoundPlace | undefined =>
  places.reduce<FoundPlace | undefined>(
    (worst, one) => (worst === undefined || one.place.size > worst.place.size ? one : worst),
    undefined,
  );
