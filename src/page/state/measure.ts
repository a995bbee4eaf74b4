import { computed, signal } from "@preact/signals";
import { distance } from "../../geometry/vector.ts";
import { measureBetween } from "../measure/measure.ts";
import {
  FEATURE_NAMES,
  type MeasuredValue,
  lengthOfFeature,
  valuesOfFeature,
  valuesOfMeasure,
} from "../measure/measured-values.ts";
import { placedFeature } from "../measure/placed-feature.ts";
import type { MeasurePick, ShownMeasure } from "../view/view.ts";
import { scaleBy } from "./edit.ts";
import { notify } from "./notices.ts";
import { scene } from "./project.ts";
import { chooseTool, tool } from "./view-state.ts";

/** The clicked features, at most two, in the coordinates of their meshes: they move with their parts. */
const picks = signal<readonly MeasurePick[]>([]);

/** What is measured, in words and numbers. */
export interface Measured {
  readonly title: string;
  /** The most important one first. */
  readonly values: readonly MeasuredValue[];
  /** A length of a single part, which scaling the part can change. */
  readonly resizable: { readonly modelId: string; readonly lengthMm: number } | undefined;
}

/** The clicked features that are still there, in scene coordinates. */
const placed = computed(() =>
  picks.value.flatMap(({ modelId, mesh, feature }) => {
    const model = scene.value?.models.find((one) => one.id === modelId && one.mesh === mesh);
    return model ? [{ modelId, feature: placedFeature(feature, model.matrix) }] : [];
  }),
);

const between = computed(() => {
  const [a, b] = placed.value;
  return a && b && measureBetween(a.feature, b.feature);
});

/** Undefined if nothing is measured, or another tool is used. */
export const measured = computed((): Measured | undefined => {
  const [a, b] = placed.value;
  if (!a || tool.value !== "measure") return undefined;
  const title = [a, ...(b ? [b] : [])]
    .map(({ feature }) => FEATURE_NAMES[feature.kind])
    .join(" to ")
    .toLowerCase();
  const values = between.value ? valuesOfMeasure(between.value) : valuesOfFeature(a.feature);
  const line = between.value?.line;
  const lengthMm = b ? line && distance(...line) : lengthOfFeature(a.feature);
  const isOnePart = !b || a.modelId === b.modelId;
  return {
    title: title.charAt(0).toUpperCase() + title.slice(1),
    values,
    resizable: isOnePart && lengthMm !== undefined && lengthMm > 0 ? { modelId: a.modelId, lengthMm } : undefined,
  };
});

/** What the view draws. */
export const shownMeasure = computed((): ShownMeasure | undefined => {
  const { values = [] } = measured.value ?? {};
  if (!measured.value) return undefined;
  const [a] = placed.value;
  // The coordinates of a place are too long for a label.
  const isPlace = placed.value.length === 1 && (a?.feature.kind === "corner" || a?.feature.kind === "place");
  return {
    features: placed.value.map(({ feature }) => feature),
    line: between.value?.line,
    label: isPlace ? undefined : values[0]?.value,
  };
});

/** Adds a clicked feature; a third one begins anew, one that is clicked again is taken back, and a click on nothing clears all. */
export function addMeasurePick(pick: MeasurePick | undefined): void {
  const present = picks.value.slice(0, placed.value.length);
  if (!pick) picks.value = [];
  else if (present.some((one) => JSON.stringify(one) === JSON.stringify(pick))) {
    picks.value = present.filter((one) => JSON.stringify(one) !== JSON.stringify(pick));
  } else picks.value = present.length === 1 ? [...present, pick] : [pick];
}

/** Forgets what is measured; if nothing is, ends the tool. */
export function leaveMeasure(): void {
  if (picks.value.length > 0) picks.value = [];
  else chooseTool("select");
}

/** What is measured, one value a line. */
const measureText = ({ title, values }: Measured): string =>
  [title, ...values.map(({ name, value }) => `${name}: ${value}`)].join("\n");

export async function copyMeasure(): Promise<void> {
  const { value } = measured;
  if (!value) return;
  try {
    await navigator.clipboard.writeText(measureText(value));
    notify({ severity: "success", text: "What is measured is copied as text." });
  } catch {
    notify({ severity: "warning", text: "This browser does not let the page copy. Select the values, and copy them." });
  }
}

/** Scales the part so that the measured length becomes this one, mm. */
export async function makeMeasured(lengthMm: number): Promise<void> {
  const resizable = measured.value?.resizable;
  if (resizable && lengthMm > 0) await scaleBy([resizable.modelId], lengthMm / resizable.lengthMm);
}
