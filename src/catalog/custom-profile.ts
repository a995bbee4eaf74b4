import { secondsOf } from "./exposures.ts";
import { type FpsDocument, fpsValue, parseValue, unusableFileError } from "./fps-document.ts";
import { type Field, fpsFields, getAtPath } from "./fps-fields.ts";
import { motionTimesOf } from "./lift-times.ts";
import type { Profile, ResinProfile } from "./profile-types.ts";
import type { PrinterType } from "./setting.ts";

/**
 * The profile with the values of an `.fps` document in place of its own. Times that follow from values of the document, such as those of a
 * lift, follow them, unless the document has them as well. Throws INPUT_ERROR for a value that is out of range.
 */
export function withDocument(base: Profile, fps: FpsDocument, printerType: PrinterType): Profile {
  const fields = fpsFields(printerType);
  const first = withFields(
    base,
    fps,
    fields.filter(({ source }) => source !== undefined),
  );
  const followed = first.profile.family === "resin" ? followingTimes(first.profile, first.given) : first.profile;
  const { profile } = withFields(
    followed,
    fps,
    fields.filter(({ source }) => source === undefined),
  );
  if (profile.family === "resin" && profile.adaptive && profile.adaptive.minMm > profile.adaptive.maxMm) {
    throw unusableFileError("its thinnest adaptive layer is thicker than its thickest");
  }
  return profile;
}

/** The profile with the values that the document has for these fields, and the fields that it has. */
function withFields(base: Profile, fps: FpsDocument, fields: readonly Field[]): { profile: Profile; given: Field[] } {
  const profile = structuredClone(base);
  const given = fields.filter(({ category, key, owner, path, schema }) => {
    const value = fpsValue(fps, category, key);
    if (value === undefined || getAtPath(profile, owner) === undefined) return false;
    setAtPath(profile, path, parseValue(schema, value, `${category}/${key}`));
    return true;
  });
  return { profile, given };
}

/** Sets the value at a path, whose groups are made where they are missing. */
function setAtPath(profile: Profile, path: readonly string[], value: unknown): void {
  const groups = path.slice(0, -1);
  const group = groups.reduce(
    (outer, name) => (outer[name] ??= {}) as Record<string, unknown>,
    profile as unknown as Record<string, unknown>,
  );
  group[path.at(-1)!] = value;
}

/** The profile with the exposures that follow from given energies, and the times that follow from given lifts. */
function followingTimes(profile: ResinProfile, given: readonly Field[]): ResinProfile {
  const has = (wanted: Field["source"]): boolean => given.some(({ source }) => source === wanted);
  const exposed = profile.exposureS && has("ENERGY") ? { ...profile, exposureS: secondsOf(profile) } : profile;
  const { lift } = profile;
  if (!lift || !has("LIFT")) return exposed;
  const firstLift = profile.firstLift && { ...lift, ...profile.firstLift };
  return {
    ...exposed,
    timeS: { ...profile.timeS, ...motionTimesOf(lift) },
    ...(firstLift && { firstTimeS: { ...profile.firstTimeS, ...motionTimesOf(firstLift) } }),
  };
}
