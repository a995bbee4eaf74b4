import { memoize } from "../core/memoize.ts";
import { baseSetting, fpsValue, parseFps, parseValue, unusableFileError } from "./fps-document.ts";
import { fpsFields, getAtPath } from "./fps-fields.ts";
import type { CycleTimes, Exposures, Figure, Profile, ResinProfile } from "./profile-types.ts";
import rules from "./profiles.json" with { type: "json" };
import type { CustomPrintSetting, PlatformLift, PrinterType, Setting } from "./setting.ts";

/** Figures by name, in groups. */
interface Figures {
  readonly [name: string]: Figures | Figure;
}

/** A rule of profiles.json: figures for the settings whose fields all have one of the values. Later rules override earlier ones. */
interface Rule {
  readonly when: Readonly<Record<string, readonly unknown[]>>;
  readonly figures: Figures;
}

/**
 * The profile of a setting: the figures of the catalog, overridden by the `.fps` document of a custom setting. Throws INPUT_ERROR if the
 * document is unusable; the documents of settings from `settingFromFps` are usable.
 */
export function profileOf(setting: Setting): Profile {
  const { custom } = setting;
  return custom ? customProfile(custom.document) : catalogProfile(setting);
}

/** Memoized, since every description of a scene needs it. */
const catalogProfile = memoize(({ combination, printerType }: Setting): Profile => {
  const subject: Readonly<Record<string, unknown>> = {
    ...combination,
    family: printerType.family,
    job: printerType.job,
    isOpen: printerType.job !== "form",
  };
  // `as unknown as`: the inferred type of a JSON import is a union of all its objects.
  const fitting = (rules as unknown as Rule[]).filter(({ when }) =>
    Object.entries(when).every(([field, values]) => values.includes(subject[field])),
  );
  const figures = fitting.reduce<Figures>((merged, rule) => mergeFigures(merged, rule.figures), {});
  const profile = { family: printerType.family, ...figureValues(figures) } as Profile;
  return profile.family === "powder" ? profile : withMotions(profile, printerType);
});

/** The profile with the exposures that the data lack, and the motions and times of the machine. */
function withMotions(profile: ResinProfile, { lift, firstLift }: PrinterType): ResinProfile {
  const exposureMjPerCm2 = withDefaultExposures(profile.exposureMjPerCm2);
  if (lift === undefined) return { ...profile, exposureMjPerCm2 };
  const times = { ...profile.timeS, ...timesOfLift(lift) };
  const first = firstLift && { firstLift, firstTimeS: timesOfLift({ ...lift, ...firstLift }) };
  return { ...profile, exposureMjPerCm2, timeS: times, lift, ...first };
}

export const timesOfLift = (lift: PlatformLift): Partial<CycleTimes> & Pick<CycleTimes, "separation" | "travel"> => {
  const { lift2Mm = 0, lift2MmPerMin = lift.liftMmPerMin, retract2Mm = 0 } = lift;
  const { retract2MmPerMin = lift.retractMmPerMin } = lift;
  const fastMm = lift.liftMm + lift2Mm - retract2Mm;
  return {
    separation: 60 * (lift.liftMm / lift.liftMmPerMin + lift2Mm / lift2MmPerMin),
    travel: 60 * (fastMm / lift.retractMmPerMin + retract2Mm / retract2MmPerMin),
    ...(lift.waitAfterCureS !== undefined && { postExposureWait: lift.waitAfterCureS }),
    ...(lift.waitAfterLiftS !== undefined && { openWait: lift.waitAfterLiftS }),
    ...(lift.waitBeforeCureS !== undefined && { wait: lift.waitBeforeCureS }),
  };
};

/** Exposures that the data lack are that of the model. */
function withDefaultExposures(given: Partial<Exposures> & Pick<Exposures, "model" | "overhangs">): Exposures {
  const { model } = given;
  return { perimeter: model, supports: model, topSurface: model, ...given };
}

/** Memoized, since documents may be large; they are immutable. */
const customProfile = memoize((document: CustomPrintSetting["document"]): Profile => {
  const fps = parseFps(document);
  const base = baseSetting(fps);
  const profile = structuredClone(catalogProfile(base));
  for (const { category, key, path, schema } of fpsFields(base.printerType)) {
    const given = fpsValue(fps, category, key);
    const name = path.at(-1);
    if (given === undefined || name === undefined || getAtPath(profile, path) === undefined) continue;
    const group = getAtPath(profile, path.slice(0, -1)) as Record<string, unknown>;
    group[name] = parseValue(schema, given, `${category}/${key}`);
  }
  if (profile.family === "resin" && profile.adaptive && profile.adaptive.minMm > profile.adaptive.maxMm) {
    throw unusableFileError("its thinnest adaptive layer is thicker than its thickest");
  }
  return profile;
});

const isFigure = (node: Figures | Figure): node is Figure => typeof node.known === "boolean";

function mergeFigures(base: Figures, overrides: Figures): Figures {
  const merged: Record<string, Figures | Figure> = { ...base };
  for (const [name, node] of Object.entries(overrides)) {
    const old = merged[name];
    merged[name] = isFigure(node) || !old || isFigure(old) ? node : mergeFigures(old, node);
  }
  return merged;
}

const figureValues = (figures: Figures): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(figures).map(([name, node]) => [name, isFigure(node) ? node.value : figureValues(node)]),
  );
