import { computed } from "@preact/signals";
import { type ShownFinding, shownFindings } from "../action/shown-findings.ts";
import { overlaps } from "./overlaps.ts";
import { details, isPreparing, scene, steps } from "./project.ts";

/** Distance (mm) from the volume, at +x, of models for which an arrangement has no room; a little less, because of rounding. */
const BESIDE_MM = 9.9;

const besideIds = computed((): ReadonlySet<string> => {
  const leastX = (scene.value?.volume.dimensions_mm[0] ?? 0) / 2 + BESIDE_MM;
  const models = [...details.value.values()];
  return new Set(models.filter(({ bounding_box }) => bounding_box.min_corner.x >= leastX).map(({ id }) => id));
});

/** All findings of the shown scene that are known, accepted and old ones as well. */
export const sceneFindings = computed((): readonly ShownFinding[] =>
  scene.value ? shownFindings({ scene: scene.value, overlaps: overlaps.value, besideIds: besideIds.value }) : [],
);

/** Findings of the present state that nobody has accepted. */
export const openFindings = computed(() => sceneFindings.value.filter(({ accepted, is_old }) => !accepted && !is_old));

/** What the colour of the button Print says: not or not completely checked, fine, to look at, must be solved. */
export type Light = "none" | "ok" | "warning" | "error";

const LIGHTS = {
  TODO: "none",
  DONE: "ok",
  WARNING: "warning",
  ERROR: "error",
  RUNNING: "none",
  WAITING: "none",
} as const;

export const light = computed((): Light => {
  if (isPreparing.value) return "none";
  if (openFindings.value.some(({ severity }) => severity === "ERROR")) return "error";
  const stateOf = (name: string) => steps.value.find(({ step }) => step === name)?.state;
  const print = stateOf("PRINT");
  // While a job is sent, its scene is as good as the checks say.
  return LIGHTS[(print === "RUNNING" ? stateOf("CHECK") : print) ?? "TODO"];
});

/** Whether something of the shown scene is not checked in its present state. Thin walls are checked only on request. */
export const isUnchecked = computed((): boolean => {
  const { findings, models } = scene.value ?? { findings: null, models: [] };
  if (models.length === 0) return false;
  if (findings === null || light.value === "none") return true;
  return findings.checks.some(({ kind, old_model_ids }) => kind !== "THIN_FEATURES" && old_model_ids.length > 0);
});
