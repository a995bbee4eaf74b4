import { entriesOf } from "../../catalog/catalog.ts";
import { profileOf } from "../../catalog/profile.ts";
import type { Setting } from "../../catalog/setting.ts";
import { JOB_WRITERS } from "../../job/job-writers.ts";
import type { JobWriter } from "../../job/job.ts";
import { jobLosses } from "../../job/losses.ts";
import { unusedOptics } from "./job-greys.ts";
import { jobExposureOf } from "./exposure-of-profile.ts";

/**
 * Warnings of what the user has set for a print that its job cannot state, as sentences. Values that the catalog has for the machine are no
 * loss: it has them itself.
 */
export function lossesOf(setting: Setting): string[] {
  const own = entriesOf(setting.printerType)[0];
  const usual = own ? lossesOfSetting(own) : [];
  return [...lossesOfSetting(setting).filter((loss) => !usual.includes(loss)), ...unusedOptics(setting.printerType)];
}

function lossesOfSetting(setting: Setting): string[] {
  const { job, jobExtension } = setting.printerType;
  const { carries, otherLosses }: JobWriter = JOB_WRITERS[job];
  const profile = profileOf(setting);
  if (carries === undefined || profile.family !== "resin") return [];
  // The losses do not depend on the layers.
  const exposure = jobExposureOf(profile, Float64Array.of(0, 1));
  return [...jobLosses(exposure, carries, jobExtension), ...(otherLosses?.(exposure) ?? [])];
}
