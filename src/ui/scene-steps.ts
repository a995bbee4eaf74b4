import { counted } from "../core/quantities.ts";
import type { RunningRequest } from "../http/running-requests.ts";
import { bodyBox } from "../scene/placement.ts";
import { BESIDE_MM } from "../scene/beside-volume.ts";
import { type CheckKind, type KeptFinding, type KnownFindings, isAccepted } from "../scene/findings.ts";
import type { Model, Scene } from "../scene/project.ts";
import { QUICK_CHECKS } from "../feature/findings/check-scene.ts";
import type { PageStep, StepName } from "./work-replies.ts";
import { type RunningStep, runningStep } from "./running-step.ts";

/** What the steps of a scene depend on. */
export interface StepFacts {
  readonly scene: Scene;
  /** The models that are out of bounds. */
  readonly outside: readonly Model[];
  /** What earlier checks say; undefined if the scene was never checked. */
  readonly known: KnownFindings | undefined;
  /** All requests that run. */
  readonly running: Iterable<RunningRequest>;
}

type StepState = Pick<PageStep, "state" | "text" | "count">;

const todo = (text: string, count = 0): StepState => ({ state: "TODO", text, count });
const done = (text: string, count = 0): StepState => ({ state: "DONE", text, count });
const warning = (text: string, count: number): StepState => ({ state: "WARNING", text, count });
const error = (text: string, count: number): StepState => ({ state: "ERROR", text, count });

/**
 * The steps from parts to a print with their states, which all pages show alike: those of a resin or of a powder scene. Bounds and lost
 * supports are always known; what only checks find counts until a model of the finding changes. While a preparation runs that moves
 * the models at its end, overlaps do not count for the step Parts.
 */
export function sceneSteps(facts: StepFacts): PageStep[] {
  const running = runningStep(facts.scene, facts.running);
  const findings = currentFindings(facts);
  const check = checkState(facts, findings);
  const staying = running?.isPlacing ? findings.filter(({ kind }) => kind !== "INTERFERENCES") : findings;
  const isEmpty = facts.scene.models.length === 0;
  const support = supportState(facts, findings);
  const states: readonly (readonly [StepName, StepState])[] =
    facts.scene.setting.printerType.family === "resin"
      ? [
          ["PARTS", partsState(facts, staying)],
          ["ORIENT", orientState(facts.scene)],
          ["SUPPORT", support],
          [
            "LAYOUT",
            placeState(facts, findings, support.state === "TODO" ? todo("Waits for supports") : done("On the plate")),
          ],
        ]
      : [
          ["PARTS", partsState(facts, staying)],
          ["PACK", placeState(facts, findings, isEmpty ? todo("Waits for parts") : done("In the chamber"))],
          ["CAGE", cageState(facts.scene)],
        ];
  return [...states, ["CHECK", check] as const, ["PRINT", printState(facts, findings, check)] as const].map(
    ([step, state]) => ({ step, ...stateDuring(running, step, state) }),
  );
}

/** The state of a step while a request runs, which is `otherwise` if the request does not affect it. */
function stateDuring(running: RunningStep | undefined, step: StepName, otherwise: StepState): StepState {
  if (running?.step === step) return { state: "RUNNING", text: running.title, count: 0 };
  const text = running?.waiting.get(step);
  return text === undefined ? otherwise : { state: "WAITING", text, count: 0 };
}

/** Findings that hold in the present state of the scene and that nobody accepted. */
const currentFindings = ({ scene, known }: StepFacts): readonly KeptFinding[] =>
  (known?.findings ?? []).filter((finding) => !finding.isOld && !isAccepted(scene, finding));

/** Models of findings of a kind. */
const modelsOf = (findings: readonly KeptFinding[], kind: CheckKind, severity?: KeptFinding["severity"]): Set<string> =>
  new Set(
    findings
      .filter((one) => one.kind === kind && (severity === undefined || one.severity === severity))
      .flatMap(({ modelIds }) => modelIds),
  );

/** Whether the present state of these models was checked for a kind. */
const isChecked = ({ known }: StepFacts, kind: CheckKind, models: readonly Model[]): boolean => {
  const checked = known?.checks.find((one) => one.kind === kind);
  if (!checked) return false;
  const old = new Set(checked.oldModelIds);
  return models.every(({ id }) => !old.has(id));
};

function partsState(facts: StepFacts, findings: readonly KeptFinding[]): StepState {
  const { models } = facts.scene;
  if (models.length === 0) return todo("Drop a part");
  const open = modelsOf(findings, "MANIFOLDNESS", "ERROR").size;
  if (open > 0) return error(`${open} not closed`, open);
  const overlapping = modelsOf(findings, "INTERFERENCES", "ERROR").size;
  if (overlapping > 0) return error(`${overlapping} overlap`, overlapping);
  const parts = counted(models.length, "part");
  return done(isChecked(facts, "MANIFOLDNESS", models) ? `${parts}, all closed` : parts, models.length);
}

/** Nobody records what turned a part: one that lies as in its file and has supports was turned, or needed no turn. */
function orientState({ models }: Scene): StepState {
  const turned = models.filter(({ pose: { orientation } }) => orientation.x !== 0 || orientation.y !== 0).length;
  const isReady = models.length > 0 && models.every(({ supports }) => supports);
  if (turned === 0) return isReady ? done("As in the files") : todo("As in the files");
  if (turned === models.length) return done("Turned", turned);
  const text = `${turned} of ${models.length} turned`;
  return isReady ? done(text, turned) : todo(text, turned);
}

function supportState(facts: StepFacts, findings: readonly KeptFinding[]): StepState {
  const { models } = facts.scene;
  const lost = models.filter(({ lostSupports }) => lostSupports).length;
  if (lost > 0) return error(lost === 1 ? "1 lost its supports" : `${lost} lost their supports`, lost);
  const supported = models.flatMap(({ supports }) => supports ?? []);
  const bare = models.filter(({ supports }) => !supports);
  const needy = new Set([...modelsOf(findings, "MINIMA"), ...modelsOf(findings, "SUPPORTEDNESS")]);
  const needNone = isChecked(facts, "MINIMA", bare) && bare.every(({ id }) => !needy.has(id));
  if (models.length === 0 || (bare.length > 0 && !needNone))
    return todo(supported.length === 0 ? "None yet" : `${supported.length} of ${models.length}`, supported.length);
  const points = supported.reduce((sum, { touchpoints }) => sum + touchpoints.length, 0);
  const unreached = supported.reduce((sum, { faults }) => sum + (faults?.unreached.length ?? 0), 0);
  if (unreached > 0) return warning(`${unreached} not reached`, unreached);
  const unheld = supported.filter(({ faults }) => (faults?.unheld.length ?? 0) > 0).length;
  if (unheld > 0) return warning(unheld === 1 ? "1 part held too weakly" : `${unheld} parts held too weakly`, unheld);
  if (points === 0) return done("None needed");
  return done(`${counted(points, "point")}${supported.every(({ faults }) => faults) ? ", all reached" : ""}`, points);
}

/** The state of the step that places models: `otherwise` if all are inside and none overlap. */
function placeState({ scene, outside }: StepFacts, findings: readonly KeptFinding[], otherwise: StepState): StepState {
  const overlapping = modelsOf(findings, "INTERFERENCES", "ERROR").size;
  if (overlapping > 0) return error(`${overlapping} overlap`, overlapping);
  const besideMm = scene.setting.printerType.volume.dimensionsMm[0] / 2 + BESIDE_MM - ROUNDING_MM;
  const beside = outside.filter((model) => bodyBox(model).min[0] >= besideMm).length;
  if (beside < outside.length) return error(`${outside.length - beside} outside`, outside.length - beside);
  if (beside > 0) return warning(`${beside} beside the ${isResin(scene) ? "plate" : "chamber"}`, beside);
  return otherwise;
}

/** Positions have rounding. */
const ROUNDING_MM = 0.001;

const isResin = ({ setting }: Scene): boolean => setting.printerType.family === "resin";

const cageState = ({ cages }: Scene): StepState =>
  done(cages.length === 0 ? "No cage" : counted(cages.length, "cage"), cages.length);

function checkState(facts: StepFacts, findings: readonly KeptFinding[]): StepState {
  const { scene, known } = facts;
  const errors = findings.filter(({ severity }) => severity === "ERROR").length;
  if (errors > 0) return error(`${errors} must be solved`, errors);
  const isWhole = QUICK_CHECKS.every((kind) => known?.checks.some((one) => one.kind === kind));
  if (scene.models.length === 0 || !known || !isWhole) return todo("Not checked yet");
  if (!QUICK_CHECKS.every((kind) => isChecked(facts, kind, scene.models)))
    return todo(`Changed since ${timeOf(known.checkedMs)}`);
  if (findings.length > 0) return warning(`${findings.length} to look at`, findings.length);
  const accepted = known.findings.filter((finding) => !finding.isOld && isAccepted(scene, finding)).length;
  if (accepted > 0) return done(`${accepted} accepted, none open`, accepted);
  return done(`${known.checks.length} passed`, known.checks.length);
}

/** Hours and minutes in the time zone of the server, as a person would write them. */
function timeOf(ms: number): string {
  const date = new Date(ms);
  return [date.getHours(), date.getMinutes()].map((part) => String(part).padStart(2, "0")).join(":");
}

/** Red also while the check is old, if what it would find is known without it. */
function printState({ scene, outside }: StepFacts, findings: readonly KeptFinding[], check: StepState): StepState {
  if (scene.models.length === 0) return todo("Print…");
  const lost = scene.models.filter(({ lostSupports }) => lostSupports);
  const bad = new Set([
    ...[...outside, ...lost].map(({ id }) => id),
    ...findings.filter(({ severity }) => severity === "ERROR").flatMap(({ modelIds }) => modelIds),
  ]);
  if (bad.size > 0) return error("Print…", bad.size);
  if (check.state === "WARNING") return warning(`Print… · ${check.count}`, check.count);
  return { state: check.state, text: "Print…", count: 0 };
}
