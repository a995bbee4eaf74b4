import { PREPARE_STAGES } from "../feature/prepare/prepare-scene.ts";
import type { RunningRequest } from "../http/running-requests.ts";
import type { Scene } from "../scene/project.ts";
import type { StepName } from "./work-replies.ts";

/** A step of a scene that a request works on, and what it does in words. */
export interface RunningStep {
  readonly step: StepName;
  readonly title: string;
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

/** The step that the oldest operation on a scene works on; undefined if none does. */
export function runningStep(scene: Scene, running: Iterable<RunningRequest>): RunningStep | undefined {
  for (const { isOperation, sceneIds, path, title, stage } of running) {
    if (!isOperation || !sceneIds.includes(scene.id)) continue;
    const present = stage();
    const step = present ? STEP_OF_STAGE[present.title] : STEP_OF_PATH.find(([pattern]) => pattern.test(path))?.[1];
    if (step) return { step, title: present?.title ?? title };
  }
  return undefined;
}
