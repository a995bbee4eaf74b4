import { counted } from "../../core/quantities.ts";
import type { PageFinding, PageModel, PageOverlaps, PageScene } from "../../ui/replies.ts";

/** A finding as the page shows it. */
export interface ShownFinding extends PageFinding {
  /** Why it matters. */
  readonly why: string;
  /** Whether its parts may go to a new scene, since there is no room for them here. */
  readonly isWithoutRoom: boolean;
  /** Whether a check of the server has found it, and knows its id. */
  readonly isOfCheck: boolean;
  /** Points that the page knows without asking, mm. */
  readonly points: readonly PageOverlaps["overlaps"][number]["point"][];
}

/** What the page knows of the shown scene. */
export interface FindingFacts {
  readonly scene: Pick<PageScene, "id" | "models" | "findings"> & {
    readonly volume: Pick<PageScene["volume"], "family">;
  };
  readonly overlaps: PageOverlaps["overlaps"];
  /** Ids of models that stand beside the volume, because an arrangement had no room for them. */
  readonly besideIds: ReadonlySet<string>;
}

/** Most findings that are shown at a time. */
export const MAX_SHOWN_FINDINGS = 12;

/** Why findings of a kind matter. */
const REASONS: Readonly<Record<string, string>> = {
  IN_BOUNDS: "the printer cannot reach it",
  INTERFERENCES: "they would print as one piece",
  MANIFOLDNESS: "its layers may be wrong",
  CUPS: "suction can tear the part off or leave it thin",
  MINIMA: "what begins in mid-air stays at the film",
  SUPPORTEDNESS: "overhangs may sag or stay at the film",
  SUPPORTS: "the part may come off",
  THIN_FEATURES: "thin walls may break or be missing",
};

/**
 * The findings of a scene, the most severe first. Bounds, overlaps and lost supports of the present state are always known: they replace
 * what an earlier check said about these.
 */
export function shownFindings(facts: FindingFacts): readonly ShownFinding[] {
  const known = (facts.scene.findings?.findings ?? []).filter((finding) => isStillTold(finding, facts));
  const all = [...known.map((finding) => shownOfCheck(finding, facts)), ...liveFindings(facts, known)];
  return all.toSorted((a, b) => rank(a) - rank(b));
}

const rank = ({ accepted, severity }: PageFinding): number => (accepted ? 2 : severity === "ERROR" ? 0 : 1);

const shown = (finding: PageFinding, more: Partial<ShownFinding>): ShownFinding => ({
  ...finding,
  why: REASONS[finding.kind] ?? "",
  isWithoutRoom: false,
  isOfCheck: false,
  points: [],
  ...more,
});

/** A finding of a check. Parts without room move to a new scene by a request of the page, which lays them out there and shows them. */
function shownOfCheck(finding: PageFinding, { besideIds }: FindingFacts): ShownFinding {
  const { kind, model_ids, fixes } = finding;
  const isWithoutRoom = kind === "IN_BOUNDS" && model_ids.length > 0 && model_ids.every((id) => besideIds.has(id));
  const others = fixes.filter(({ requests }) => requests[0]?.path !== "/v1/scene/model/move-to-scene/");
  return shown(finding, { isOfCheck: true, isWithoutRoom, fixes: isWithoutRoom ? others : fixes });
}

/** Whether a finding of a check is shown. */
function isStillTold({ kind, is_old, model_ids, severity }: PageFinding, { scene }: FindingFacts): boolean {
  if (kind === "IN_BOUNDS" || kind === "INTERFERENCES") return !is_old;
  if (kind !== "SUPPORTS" || severity === "WARNING") return true;
  // Lost supports that were made again.
  const lost = new Set(scene.models.filter(({ lost_supports }) => lost_supports).map(({ id }) => id));
  return !is_old && model_ids.some((id) => lost.has(id));
}

/** Findings that need no check, unless a check has told them. */
function liveFindings(facts: FindingFacts, known: readonly PageFinding[]): ShownFinding[] {
  const { scene, besideIds } = facts;
  const told = (kind: string): Set<string> =>
    new Set(known.filter((one) => one.kind === kind && one.severity === "ERROR").flatMap(({ model_ids }) => model_ids));
  const outside = scene.models.filter(({ in_bounds }) => !in_bounds);
  const [toldOutside, toldLost] = [told("IN_BOUNDS"), told("SUPPORTS")];
  const untold = outside.filter(({ id }) => !toldOutside.has(id));
  const beside = untold.filter(({ id }) => besideIds.has(id));
  const reaching = untold.filter(({ id }) => !besideIds.has(id));
  const lost = scene.models.filter(({ id, lost_supports }) => lost_supports !== null && !toldLost.has(id));
  return [
    ...overlapFindings(facts, known),
    ...liveFinding("IN_BOUNDS", reaching, (count) => does(count, "reach", "out of the build volume"), [
      { title: "Move inside", requests: [layoutRequest(scene, reaching)] },
    ]),
    ...liveFinding(
      "IN_BOUNDS",
      beside,
      (count) => `${counted(count, "part")} ${count === 1 ? "does" : "do"} not fit`,
      [],
      {
        why: "there is no room for it between the others",
        isWithoutRoom: true,
      },
    ),
    ...liveFinding(
      "SUPPORTS",
      lost,
      (count) => `${counted(count, "part")} lost ${count === 1 ? "its" : "their"} supports`,
      [{ title: "Support again", requests: [request(scene, "auto-support", lost)] }],
    ),
  ];
}

const does = (count: number, verb: string, rest: string): string =>
  `${counted(count, "part")} ${verb}${count === 1 ? "es" : ""} ${rest}`;

function overlapFindings({ scene, overlaps }: FindingFacts, known: readonly PageFinding[]): ShownFinding[] {
  const byId = new Map(scene.models.map((model) => [model.id, model]));
  const told = known.filter(({ kind }) => kind === "INTERFERENCES").map(({ model_ids }) => new Set(model_ids));
  return overlaps.flatMap(({ model_ids, point }) => {
    const pair = model_ids.flatMap((id) => byId.get(id) ?? []);
    if (pair.length < 2 || told.some((ids) => model_ids.every((id) => ids.has(id)))) return [];
    const [smaller] = pair.toSorted((a, b) => a.volume_ml - b.volume_ml);
    const names = pair.map(({ name }) => name).join(" and ");
    const fixes = [{ title: "Move apart", requests: [layoutRequest(scene, smaller ? [smaller] : [])] }];
    return liveFinding("INTERFERENCES", pair, () => `${names} overlap`, fixes, { points: [point] });
  });
}

/** A finding at models, or none if there are no models. */
function liveFinding(
  kind: string,
  models: readonly PageModel[],
  text: (count: number) => string,
  fixes: PageFinding["fixes"],
  more: Partial<ShownFinding> = {},
): ShownFinding[] {
  const ids = models.map(({ id }) => id);
  if (ids.length === 0) return [];
  const finding: PageFinding = {
    id: [kind, ...ids].join(" "),
    kind,
    severity: "ERROR",
    model_ids: ids,
    count: ids.length,
    size: ids.length,
    size_unit: "COUNT",
    text: text(ids.length),
    accepted: false,
    fixes,
    is_old: false,
  };
  return [shown(finding, more)];
}

type Request = PageFinding["fixes"][number]["requests"][number];

const request = (
  { id }: { readonly id: string },
  name: string,
  models: readonly PageModel[],
  fields = {},
): Request => ({
  path: `/v1/scene/model/${name}/`,
  body: { scene_id: id, model_ids: models.map((model) => model.id), ...fields },
});

const layoutRequest = (scene: FindingFacts["scene"], models: readonly PageModel[]): Request =>
  scene.volume.family === "powder"
    ? request(scene, "auto-pack", models)
    : request(scene, "auto-layout", models, { lock_rotation: true });
