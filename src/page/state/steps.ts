import { computed } from "@preact/signals";
import type { Group } from "../../feature/page-row.ts";
import { STEPS, stepStates } from "../action/steps.ts";
import { openStep } from "./follow-address.ts";
import { family, scene } from "./project.ts";

/** Value of the address if the user has closed all steps. */
const NONE = "none";

/** The open step; undefined: none. The first one, until the user has chosen. */
export const shownStep = computed((): Group | undefined =>
  STEPS[family.value].find((step) => step === (openStep.value ?? "parts")),
);

/** Opens a step and closes the others, or closes it. */
export const toggleStep = (step: Group): void => void (openStep.value = shownStep.value === step ? NONE : step);

/** The states of all steps of the shown scene. */
export const steps = computed(() => stepStates(scene.value ?? { models: [], cages: [] }));
