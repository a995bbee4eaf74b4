import * as v from "valibot";
import { excerpt, inputError, notFound } from "../../core/api-error.ts";
import { CHECK_KINDS, type Finding, type Fix, SIZE_UNITS, isAccepted } from "../../scene/findings.ts";
import type { AcceptedFinding, Scene } from "../../scene/project.ts";
import { wireMm } from "../../scene/wire-numbers.ts";
import { changesScene, readsScene } from "../../api/endpoint.ts";
import { field, object, strictObject } from "../../api/field.ts";
import { coordinateMm, count, ids, sceneId, warningsReply } from "../../api/schema.ts";
import { type CheckedScene, QUICK_CHECKS, checkScene } from "./check-scene.ts";
import { triedFixes } from "./tried-fixes.ts";

/** Ways to remove a finding. */
const fixesReply = v.array(
  object({
    title: field(v.string(), "What the fix does, as text for people."),
    requests: field(
      v.array(
        object({
          path: field(v.string(), "Path of the endpoint."),
          method: field(v.optional(v.literal("DELETE")), "The method, if it is not POST."),
          body: field(v.record(v.string(), v.unknown()), "The complete body of the request."),
        }),
      ),
      "The requests to send with POST, unless they name another method, one after the other.",
    ),
  }),
);

const findingReply = object({
  id: field(
    v.string(),
    "Id of 16 hexadecimal digits: the same at every check while the mesh and the tilt of its models and its first place on them stay the same.",
  ),
  kind: field(v.picklist(CHECK_KINDS), "The check that found it."),
  severity: field(
    v.picklist(["WARNING", "ERROR"]),
    "ERROR: the print would fail, or is refused. WARNING: it may fail, or need work afterwards.",
  ),
  model_ids: field(ids, "Ids of the models at which it was found: one, the copies of one, or those that overlap."),
  count: field(count, "Number of places, such as cups or points that no support reaches, at all of the models."),
  size: field(v.number(), "Size in size_unit: the sum over the models, or the largest for mm and PERCENT."),
  size_unit: field(v.picklist(SIZE_UNITS), "Unit of size."),
  text: field(v.string(), "What was found, as text for people."),
  accepted: field(
    v.boolean(),
    "Whether scene/check/accept has accepted it. It counts again once it has more places, or is larger by more than 10 %.",
  ),
  fixes: field(fixesReply, "Ways to remove it, the best first. scene/check/try-fixes may know others."),
});

/** The findings of a check in a reply. */
export const checkedReply = {
  status: field(
    v.picklist(["OK", "WARNING", "ERROR"]),
    "The worst severity among the findings that are not accepted; OK if there are none.",
  ),
  findings: field(v.array(findingReply), "What was found, most severe and largest first."),
};

export const checkedOnWire = (scene: Scene, { status, findings }: Pick<CheckedScene, "status" | "findings">) => ({
  status,
  findings: findings.map((finding) => findingOnWire(scene, finding)),
});

export const findingOnWire = (scene: Scene, finding: Finding): v.InferInput<typeof findingReply> => ({
  id: finding.id,
  kind: finding.kind,
  severity: finding.severity,
  model_ids: [...finding.modelIds],
  count: finding.count,
  size: wireMm(finding.size),
  size_unit: finding.sizeUnit,
  text: finding.text,
  accepted: isAccepted(scene, finding),
  fixes: fixesOnWire(finding.fixes),
});

const fixesOnWire = (fixes: readonly Fix[]): v.InferInput<typeof fixesReply> =>
  fixes.map(({ title, requests }) => ({ title, requests: [...requests] }));

export const checkWholeScene = readsScene(
  {
    method: "POST",
    path: "/v1/scene/check/",
    summary:
      "An addition to the interface. Checks whether a scene can be printed, and lists what it found with remedies: the sum of the checks of single kinds, for people who decide. Results at models are kept by their content, so that a check after an edit examines only the changed models. In powder scenes, supports, cups and overhangs are not checked, since powder carries the parts and runs out.",
    async: true,
    body: v.pipe(
      strictObject({
        scene_id: sceneId,
        checks: field(
          v.optional(v.pipe(v.array(v.picklist(CHECK_KINDS)), v.nonEmpty()), [...QUICK_CHECKS]),
          "The kinds to check; all but THIN_FEATURES, which may take minutes, if absent. SUPPORTS are supports that an edit removed, and faults of the present ones.",
        ),
        threshold_mm: field(
          v.optional(v.pipe(coordinateMm, v.gtValue(0))),
          "Thickness below which walls count as thin, in mm. Required with THIN_FEATURES.",
        ),
        collision_offset_mm: field(
          v.optional(v.pipe(coordinateMm, v.minValue(0)), 0),
          "Distance below which models count as overlapping, in mm.",
        ),
      }),
      v.forward(
        v.partialCheck(
          [["checks"], ["threshold_mm"]],
          ({ checks, threshold_mm }) => threshold_mm !== undefined || !checks.includes("THIN_FEATURES"),
          "is required with THIN_FEATURES",
        ),
        ["threshold_mm"],
      ),
    ),
    reply: object(checkedReply),
  },
  async (scene, { checks, threshold_mm: thresholdMm, collision_offset_mm: collisionOffsetMm }, context) =>
    checkedOnWire(scene, await checkScene(scene, { checks, thresholdMm, collisionOffsetMm }, context)),
);

export const tryFixes = readsScene(
  {
    method: "POST",
    path: "/v1/scene/check/try-fixes/",
    errors: ["NOT_FOUND"],
    summary:
      "An addition to the interface. Fixes of a finding that are offered only where a trial shows that they help, which takes seconds: turning parts that trap resin, and a smaller spacing for parts that did not fit. Changes nothing.",
    async: true,
    body: strictObject({
      scene_id: sceneId,
      finding_id: field(v.string(), "Id of a finding of scene/check that holds in the present state of the scene."),
    }),
    reply: object({ fixes: field(fixesReply, "Fixes that help, in addition to those of the finding.") }),
  },
  async (scene, { finding_id }, context) => {
    const finding = knownFinding(
      scene,
      finding_id,
      context.keptFindings.of(scene)?.findings.filter(({ isOld }) => !isOld),
    );
    return { fixes: fixesOnWire(await triedFixes(scene, finding, context)) };
  },
);

/** Accepted findings that a scene keeps: the last ones. */
const MAX_ACCEPTED = 2000;

export const acceptFindings = changesScene(
  {
    method: "POST",
    path: "/v1/scene/check/accept/",
    summary:
      "An addition to the interface. Accepts findings of the last checks of the scene, or takes that back. An accepted finding stays in the list and does not count for the status, until its mesh, its tilt, or its size changes. scene/save keeps it. A model out of the build volume cannot be accepted, since scene/print refuses it.",
    body: strictObject({
      scene_id: sceneId,
      finding_ids: field(v.pipe(v.array(v.string()), v.nonEmpty()), "Ids of findings of scene/check."),
      accepted: field(v.optional(v.boolean(), true), "Whether they are accepted from now on; false takes that back."),
    }),
    reply: object({
      accepted_finding_ids: field(v.array(v.string()), "Ids of all findings of the scene that are accepted now."),
      warnings: warningsReply,
    }),
  },
  (scene, { finding_ids, accepted }, context) => {
    const findings = context.keptFindings.of(scene)?.findings;
    const named = [...new Set(finding_ids)].map((id) => acceptable(knownFinding(scene, id, findings)));
    const ids = new Set(finding_ids);
    const others = (scene.acceptedFindings ?? []).filter(({ id }) => !ids.has(id));
    const added = accepted ? named.map(({ id, each }): AcceptedFinding => ({ id, ...each })) : [];
    const acceptedFindings = [...others, ...added].slice(-MAX_ACCEPTED);
    return [{ ...scene, acceptedFindings }, { accepted_finding_ids: acceptedFindings.map(({ id }) => id) }];
  },
);

/** The finding with an id. Throws NOT_FOUND if no check has found it. */
function knownFinding(scene: Scene, id: string, findings: readonly Finding[] = []): Finding {
  const finding = findings.find((one) => one.id === id);
  if (finding) return finding;
  throw notFound(`No check of scene ${scene.id} has found ${excerpt(id)}: check it with /v1/scene/check/.`);
}

/** The finding, if a person may accept it. Throws INPUT_ERROR. */
function acceptable(finding: Finding): Finding {
  if (finding.kind !== "IN_BOUNDS") return finding;
  throw inputError(
    `The finding ${finding.id} cannot be accepted, because scene/print refuses it: ${finding.text}. Move the model inside, scale it down, or delete it.`,
  );
}
