import { memoize } from "../core/memoize.ts";
import { withDocument } from "./custom-profile.ts";
import { secondsOf, withDefaultExposures } from "./exposures.ts";
import { baseSetting, parseFps } from "./fps-document.ts";
import { timesOfLift } from "./lift-times.ts";
import { resinFiguresOf } from "./open-printers.ts";
import type { Figure, Profile, ResinProfile } from "./profile-types.ts";
import rules from "./profiles.json" with { type: "json" };
import { withResin } from "./resin-profile.ts";
import type { CustomPrintSetting, LayerThickness, PrinterType, Setting } from "./setting.ts";

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
    // A job that a program makes of another one says nothing about the machine.
    job: printerType.jobConvertedFrom === undefined ? printerType.job : undefined,
    isOpen: printerType.job !== "form",
  };
  // `as unknown as`: the inferred type of a JSON import is a union of all its objects.
  const fitting = (rules as unknown as Rule[]).filter(({ when }) =>
    Object.entries(when).every(([field, values]) => values.includes(subject[field])),
  );
  const figures = fitting.reduce<Figures>((merged, rule) => mergeFigures(merged, rule.figures), {});
  const profile = { family: printerType.family, ...figureValues(figures) } as Profile;
  if (profile.family === "powder") return profile;
  const machine = withMotions(profile, combination.layerThicknessMm, printerType);
  const ofResin = resinFiguresOf(combination);
  return ofResin ? withResin(machine, ofResin) : machine;
});

/** The profile with the exposures that the data lack, and the exposures, motions and times of the machine. */
function withMotions(profile: ResinProfile, thickness: LayerThickness, printerType: PrinterType): ResinProfile {
  const { lift, firstLift, job } = printerType;
  const exposureMjPerCm2 = withDefaultExposures(profile, thickness);
  const exposed = { ...profile, exposureMjPerCm2 };
  const timed = job === "form" ? exposed : { ...exposed, exposureS: secondsOf(exposed) };
  if (lift === undefined) return timed;
  const times = { ...profile.timeS, ...timesOfLift(lift) };
  const first = firstLift && { firstLift, firstTimeS: timesOfLift({ ...lift, ...firstLift }) };
  return { ...timed, timeS: times, lift, ...first };
}

/** Memoized, since documents may be large; they are immutable. */
const customProfile = memoize((document: CustomPrintSetting["document"]): Profile => {
  const fps = parseFps(document);
  const base = baseSetting(fps);
  return withDocument(catalogProfile(base), fps, base.printerType);
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
