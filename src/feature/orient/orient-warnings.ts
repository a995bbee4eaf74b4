import { paired } from "../../core/paired.ts";
import { printerTypes } from "../../catalog/catalog.ts";
import type { PrinterType, Setting } from "../../catalog/setting.ts";
import type { Misfit } from "../../orient/misfit.ts";
import type { OrientedModel } from "../../orient/orient-model.ts";
import { type Model, quotedName } from "../../scene/project.ts";

/** Warnings about the best orientation of a model: each has the problem and the way out. */
export const orientWarnings = (model: Model, { trappedMm3, misfit }: OrientedModel, setting: Setting): string[] => [
  ...(misfit ? [misfitWarning(model, misfit, setting)] : []),
  ...trappedWarning(model, trappedMm3),
];

/** The printer types of the same family that are larger along some axis: types with the same kind of job first, then by volume. */
export const otherPrinterTypes = ({ printerType }: Setting): PrinterType[] =>
  printerTypes()
    .filter(
      ({ family, label, volume }) =>
        family === printerType.family &&
        label !== printerType.label &&
        paired(volume.dimensionsMm, printerType.volume.dimensionsMm).some(([mm, ownMm]) => mm > ownMm),
    )
    .sort(
      (a, b) => Number(a.job !== printerType.job) - Number(b.job !== printerType.job) || volumeMm3(a) - volumeMm3(b),
    );

const volumeMm3 = ({ volume: { dimensionsMm } }: PrinterType): number =>
  dimensionsMm.reduce((product, mm) => product * mm, 1);

function misfitWarning(model: Model, { excessMm, fittingVolume }: Misfit, setting: Setting): string {
  const { label, volume } = setting.printerType;
  const larger = fittingVolume === undefined ? undefined : otherPrinterTypes(setting)[fittingVolume];
  const wayOut = larger
    ? `it fits ${larger.label}, of ${larger.volume.dimensionsMm.join(" × ")} mm: choose that printer, scale the model down, or cut it.`
    : "no printer of its family is large enough: scale the model down, or cut it.";
  return (
    `${quotedName(model)} does not fit ${label}, of ${volume.dimensionsMm.join(" × ")} mm, in any orientation` +
    `${model.lock === "FREE" ? "" : " that its lock allows"}. It is ${excessMm.toFixed(1)} mm too large in the best one; ${wayOut}`
  );
}

/** A smaller volume is a drop, mm³: it stays in corners of any part, and is washed out. */
const MIN_TRAPPED_MM3 = 50;

function trappedWarning(model: Model, trappedMm3: number): string[] {
  if (trappedMm3 < MIN_TRAPPED_MM3) return [];
  const volume = trappedMm3 < 1000 ? `${trappedMm3.toFixed(0)} mm³` : `${(trappedMm3 / 1000).toFixed(1)} ml`;
  return [
    `In its best pose ${quotedName(model)} still holds about ${volume} of resin, below its lowest opening: drill a drain hole ` +
      "there, or turn the model after the print until it is empty.",
  ];
}
