import * as v from "valibot";
import type { Setting } from "../../catalog/setting.ts";
import { operationFailed } from "../../core/fault.ts";
import { add, type BuildVolume, sizeOf, type Vec3 } from "../../core/geometry.ts";
import { remembered } from "../../core/remembered.ts";
import { stanceKey } from "../../mesh/pose.ts";
import { internMesh } from "../../scene/intern-mesh.ts";
import { thicknessOf } from "../../scene/layers.ts";
import type { Model } from "../../scene/model.ts";
import { bodyBox, isInBounds, stand } from "../../scene/stand.ts";
import type { SupportSettings } from "../../support/settings.ts";
import type { SupportedModel, SupportRequest } from "../../support/support-model.ts";
import type { Touchpoint } from "../../support/touchpoint.ts";
import type { Kit } from "../endpoint.ts";
import { idsOf } from "../ids-of.ts";
import { ids } from "../schema.ts";

export const supportedReply = v.object({ modified_model_ids: ids, warnings: v.array(v.string()) });

/** A model that shall have supports. */
export interface ToSupport {
  readonly model: Model;
  readonly settings: SupportSettings;
  /** Where to hold it, in the coordinates of its raw mesh; absent: wherever it needs to be held. */
  readonly touchpoints?: readonly Touchpoint[];
}

interface Supported {
  readonly models: readonly Model[];
  readonly answer: v.InferOutput<typeof supportedReply>;
}

/**
 * Builds the supports of models, on all threads. Models that differ in their place alone get the same, worked out once as
 * if they stood free; only where such supports would leave the build volume are they worked out for the place.
 */
export async function supportModels(all: readonly ToSupport[], setting: Setting, kit: Kit): Promise<Supported> {
  const { volume } = setting.printerType;
  for (const { model } of all) requireSize(model, volume);
  const standingFree = new Map<string, Promise<SupportedModel>>();
  const supportOne = async (one: ToSupport, i: number): Promise<{ model: Model; unreached: readonly Vec3[] }> => {
    const { model } = one;
    const compute = (request: SupportRequest): Promise<SupportedModel> =>
      kit.compute("supportModel", { request, number: i, of: all.length });
    const [x, y, z] = model.pose.position;
    const free = requestOf(one, [0, 0, z], setting);
    const found = shifted(await remembered(standingFree, keyOf(free), () => compute(free)), [x, y, 0]);
    const supported = withSupports(one, found, setting);
    const isConfined = !isInBounds(supported, setting) && isInBounds({ ...supported, supports: undefined }, setting);
    if (!isConfined) return { model: supported, unreached: found.unreached };
    const confined = await compute({ ...requestOf(one, model.pose.position, setting), room: { volume } });
    return { model: withSupports(one, confined, setting), unreached: confined.unreached };
  };
  const supported = await Promise.all(all.map(supportOne));
  const models = supported.map(({ model }) => model);
  const warnings = supported.flatMap(({ model, unreached }) => unreachedWarning(model, unreached));
  return { models, answer: { modified_model_ids: idsOf(models), warnings } };
}

/** Models this many times as large as the volume are not worked on: they could take any time, and cannot be printed. */
const MOST_TIMES_AS_LARGE = 2;

function requireSize(model: Model, { dimensionsMm }: BuildVolume): void {
  const size = sizeOf(bodyBox(model));
  if (size.every((mm, axis) => mm <= MOST_TIMES_AS_LARGE * dimensionsMm[axis]!)) return;
  throw operationFailed(
    `The model "${model.name}" measures ${size.map((mm) => mm.toFixed(0)).join(" × ")} mm and is far larger than the build ` +
      `volume of ${dimensionsMm.join(" × ")} mm: scale it down, or change its units. Nothing was changed.`,
  );
}

function requestOf({ model, settings, touchpoints }: ToSupport, position: Vec3, setting: Setting): SupportRequest {
  const { mesh, outline, pose, name } = model;
  const placed = { mesh, pose: { ...pose, position } };
  return { placed, outline, settings, layerThicknessMm: thinnestLayerMm(setting), label: name, touchpoints };
}

function thinnestLayerMm(setting: Setting): number {
  const thickness = thicknessOf(setting);
  return typeof thickness === "number" ? thickness : thickness.minMm;
}

/** Equal for models whose supports differ in their place alone. */
function keyOf({ placed: { mesh, pose }, settings, label, touchpoints }: SupportRequest): string {
  const said = settings.raftLabelEnabled ? label : "";
  return JSON.stringify([stanceKey(mesh.hash, pose), settings, said, touchpoints]);
}

const shifted = ({ pose, supports, unreached }: SupportedModel, by: Vec3): SupportedModel => ({
  pose: { ...pose, position: add(pose.position, by) },
  supports: supports && {
    ...supports,
    pose: { ...supports.pose, position: add(supports.pose.position, by) },
  },
  unreached: unreached.map((place) => add(place, by)),
});

function withSupports({ model, settings }: ToSupport, { pose, supports }: SupportedModel, setting: Setting): Model {
  const [x, y] = model.pose.position;
  const standing = { ...model.pose, position: [x, y, pose.position[2]] as const };
  const kept = supports && { ...supports, mesh: internMesh(supports.mesh), settings };
  return stand({ ...model, pose: standing, supports: kept }, setting);
}

/** Places told in a warning; more would hide the count. */
const MOST_PLACES = 5;

/** What a client should know of touchpoints that nothing leads to. */
function unreachedWarning({ name, supports }: Model, unreached: readonly Vec3[]): string[] {
  if (unreached.length === 0) return [];
  const places = unreached.slice(0, MOST_PLACES).map((place) => `(${place.map((mm) => mm.toFixed(1)).join(", ")})`);
  const more = unreached.length > MOST_PLACES ? " and elsewhere" : "";
  const total = supports?.touchpoints.length ?? unreached.length;
  return [
    `${unreached.length} of ${total} touchpoints of "${name}" could not be reached, at ${places.join(", ")} mm${more}: ` +
      "orient the model differently, or allow internal supports.",
  ];
}
