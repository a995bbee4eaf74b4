import { PREPARE_STAGES } from "../feature/prepare/prepare-scene.ts";
import type { RunningRequest } from "../http/running-requests.ts";
import type { Scene } from "../scene/project.ts";
import type { StepName } from "./work-replies.ts";

/** What a request does with the steps of a scene. */
export interface RunningStep {
  /** The step that it works on; undefined if it has not begun. */
  readonly step: StepName | undefined;
  /** In words. */
  readonly title: string;
  /** Other steps whose states the end of the request replaces, in words what they wait for. */
  readonly waiting: ReadonlyMap<StepName, string>;
  /** Whether the end of the request moves models apart, so that present overlaps say nothing. */
  readonly isPlacing: boolean;
}

/** The steps of requests by the ends of their paths. */
const STEP_OF_PATH: readonly (readonly [RegExp, StepName])[] = [
  [/\/(auto-orient|orient)\/$/, "ORIENT"],
  [/\/(auto-support|regenerate-supports|supports\/[a-z]+)\/$/, "SUPPORT"],
  [/\/(auto-layout|fill-build-platform)\/$/, "LAYOUT"],
  [/\/(auto-pack|fill-build-chamber)\/$/, "PACK"],
  [/\/cage\/$/, "CAGE"],
  [/\/(check|validate\/[a-z-]+)\/$/, "CHECK"],
  [/\/scene\/print\/$/, "PRINT"],
  [/\/(import|repair|split-bodies|hollow|drill|label|dental-hollow|cut|mirror|stretch|vent)\/$/, "PARTS"],
];

/** The steps of the stages of `scene/prepare`. */
const STEP_OF_STAGE: Readonly<Record<string, StepName>> = {
  [PREPARE_STAGES.orient]: "ORIENT",
  [PREPARE_STAGES.support]: "SUPPORT",
  [PREPARE_STAGES.layout]: "LAYOUT",
  [PREPARE_STAGES.pack]: "PACK",
  [PREPARE_STAGES.check]: "CHECK",
};

const PREPARE = "/v1/scene/prepare/";

/** What the oldest operation on the steps of a scene does; undefined if none runs. */
export function runningStep(scene: Scene, running: Iterable<RunningRequest>): RunningStep | undefined {
  for (const { isOperation, sceneIds, path, title: name, stage, stageTitles } of running) {
    if (!isOperation || !sceneIds.includes(scene.id)) continue;
    const present = stage();
    const step = (present && STEP_OF_STAGE[present.title]) ?? STEP_OF_PATH.find(([pattern]) => pattern.test(path))?.[1];
    const title = present?.title ?? name;
    if (path === PREPARE) return { step, title, ...afterPreparation(step, stageTitles()) };
    if (step) return { step, title, waiting: new Map(), isPlacing: false };
  }
  return undefined;
}

/**
 * A preparation changes the scene at its end: until then its earlier steps are finished, and not yet to be seen. Steps that are left out
 * keep their states, as all do before its turn in the scene.
 */
function afterPreparation(
  present: StepName | undefined,
  titles: readonly string[],
): Pick<RunningStep, "waiting" | "isPlacing"> {
  const steps = titles.flatMap((title) => STEP_OF_STAGE[title] ?? []);
  const begun = steps.findIndex((step) => step === present);
  const others = steps.map((step, i): [StepName, string] => [step, i < begun ? "Finished" : "Waits"]);
  return {
    waiting: new Map([...others.filter((_, i) => i !== begun), ["PRINT", "Print…"]]),
    isPlacing: steps.some((step) => step === "LAYOUT" || step === "PACK"),
  };
}
