import { VERSION } from "../../../version.ts";
import { fadedLayers, type JobFacts, type JobTotals, layerCount, meanThicknessMm } from "../job-facts.ts";

/** `config.ini`: what the printer needs to know. Keys and units are those of PrusaSlicer's SL1 archives. */
export function jobIni(facts: JobFacts, { printTimeS, materialMl }: JobTotals, model: string, jobDir: string) {
  const { exposure } = facts;
  return {
    action: "print",
    expTime: exposure?.normalS ?? 0,
    expTimeFirst: exposure?.firstS ?? 0,
    expUserProfile: 0,
    fileCreationTimestamp: timestamp(facts.created),
    hollow: 0,
    jobDir,
    layerHeight: meanThicknessMm(facts),
    materialName: facts.material.label,
    numFade: fadedLayers(facts),
    // The machine tilts its vat slowly where a layer is large; it finds out by itself.
    numFast: layerCount(facts),
    numSlow: 0,
    printProfile: facts.printSetting,
    printTime: printTimeS,
    printerModel: model,
    printerProfile: facts.printer.label,
    printerVariant: "default",
    prusaSlicerVersion: `Printwright ${VERSION}`,
    usedMaterial: materialMl,
  };
}

/** As `2026-11-21 at 01:19:55 UTC`. */
const timestamp = (date: Date): string => date.toISOString().replace(/T(.{8}).*/, " at $1 UTC");
