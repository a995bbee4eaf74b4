import { profileOf } from "../catalog/profile.ts";
import type { Setting } from "../catalog/setting.ts";
import type { SupportSettings } from "../support/settings.ts";

/** The supports that a print setting asks for; undefined where powder carries the parts. */
export function supportSettingsOf(setting: Setting): SupportSettings | undefined {
  const profile = profileOf(setting);
  if (profile.family === "powder") return undefined;
  const { supports, selfSupportingAngleDeg, bridgingDistanceMm } = profile;
  return { ...supports, selfSupportingAngleDeg, bridgingDistanceMm };
}
