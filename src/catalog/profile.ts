import { once } from "../core/once.ts";
import { fpsBase } from "./fps-base.ts";
import { checked, fpsValue, parseFps, unusable } from "./fps-document.ts";
import { fpsFields, valueAt } from "./fps-fields.ts";
import type { Exposures, Figure, Profile } from "./profile-types.ts";
import rules from "./profiles.json" with { type: "json" };
import type { CustomPrintSetting, Setting } from "./setting.ts";

export type * from "./profile-types.ts";

/** Figures by name, in groups. */
interface Figures {
  readonly [name: string]: Figures | Figure;
}

/**
 * profiles.json: figures for the settings whose fields are all among the values named. Later rules win, figure by
 * figure.
 */
interface Rule {
  readonly when: Readonly<Record<string, readonly unknown[]>>;
  readonly figures: Figures;
}

/**
 * The figures of a setting: those of the catalog, overridden by the setting's own `.fps` document. Fault INPUT_ERROR
 * where the document is unusable; the documents of settings that `settingFromFps` made are usable.
 */
export function profileOf(setting: Setting): Profile {
  const { custom } = setting;
  return custom ? customProfile(custom.document) : catalogProfile(setting);
}

function catalogProfile({ combination, printerType }: Setting): Profile {
  const subject: Readonly<Record<string, unknown>> = { ...combination, family: printerType.family };
  const fitting = (rules as unknown as Rule[]).filter(({ when }) =>
    Object.entries(when).every(([field, values]) => values.includes(subject[field])),
  );
  const figures = fitting.reduce<Figures>((merged, rule) => merge(merged, rule.figures), {});
  const profile = { family: printerType.family, ...valuesOf(figures) } as Profile;
  return profile.family === "resin" ? { ...profile, exposureMjPerCm2: fill(profile.exposureMjPerCm2) } : profile;
}

/** Where the data give no exposure of their own, that of the model holds. */
function fill(given: Partial<Exposures> & Pick<Exposures, "model" | "overhangs">): Exposures {
  const { model } = given;
  return { perimeter: model, supports: model, topSurface: model, ...given };
}

/** Documents never change, and may be large: each is worked through once. */
const customProfile = once((document: CustomPrintSetting["document"]): Profile => {
  const fps = parseFps(document);
  const base = fpsBase(fps);
  const profile = structuredClone(catalogProfile(base));
  for (const { category, key, path, schema } of fpsFields(base.printerType)) {
    const given = fpsValue(fps, category, key);
    if (given === undefined || valueAt(profile, path) === undefined) continue;
    const group = valueAt(profile, path.slice(0, -1)) as Record<string, unknown>;
    group[path.at(-1)!] = checked(schema, given, `${category}/${key}`);
  }
  if (profile.family === "resin" && profile.adaptive && profile.adaptive.minMm > profile.adaptive.maxMm) {
    throw unusable("its thinnest adaptive layer is thicker than its thickest");
  }
  return profile;
});

const isFigure = (node: Figures | Figure): node is Figure => typeof node.known === "boolean";

function merge(below: Figures, above: Figures): Figures {
  const merged: Record<string, Figures | Figure> = { ...below };
  for (const [name, node] of Object.entries(above)) {
    const old = merged[name];
    merged[name] = isFigure(node) || !old || isFigure(old) ? node : merge(old, node);
  }
  return merged;
}

const valuesOf = (figures: Figures): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(figures).map(([name, node]) => [name, isFigure(node) ? node.value : valuesOf(node)]),
  );
