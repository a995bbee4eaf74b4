import { boxVolume } from "../../geometry/box.ts";
import type { FillRequest, FilledChamber } from "../../pack/fill-chamber.ts";

/** Makes one filling, on this thread or another one; `index` of `count`. */
export type FillOnce = (
  request: FillRequest,
  share: { readonly index: number; readonly count: number },
) => Promise<FilledChamber>;

type WholeRequest = Omit<FillRequest, "isBoxedFirst">;

/**
 * The filling of a chamber with the most copies of the sources. Where the sources find no place, but have valid ones already, they stay
 * there.
 */
export async function bestFilling(request: WholeRequest, fillOnce: FillOnce): Promise<FilledChamber> {
  const filling = await fillInRows(request, fillOnce);
  if (!filling.couldStay) return filling;
  const sources = request.sources.map((source) => ({ ...source, moves: false }));
  return fillInRows({ ...request, sources }, fillOnce);
}

const areAllPlaced = ({ sources }: FilledChamber): boolean => sources.every(({ pose }) => pose);

const copiesIn = ({ sources }: FilledChamber): number => sources.reduce((sum, { copies }) => sum + copies.length, 0);

/** Parts of which so many boxes have the volume of the chamber are large in it: a row that is not aligned with the next one wastes much. */
const FEW_BOXES = 150;

/** Large parts are placed within the box of a rounded chamber first too, at the same time: their rows are aligned there, and more of them may fit. */
async function fillInRows(request: WholeRequest, fillOnce: FillOnce): Promise<FilledChamber> {
  const { sources, region } = request;
  const boxMm3 = Math.min(...sources.map(({ mesh, pose }) => boxVolume(mesh.box) * pose.scale ** 3));
  const areFew = boxVolume(region) <= FEW_BOXES * boxMm3;
  const ways = region.filletRadiusMm > 0 && areFew ? [false, true] : [false];
  const [whole, boxed] = await Promise.all(
    ways.map((isBoxedFirst, index) => fillOnce({ ...request, isBoxedFirst }, { index, count: ways.length })),
  );
  if (!boxed || !areAllPlaced(boxed)) return whole;
  return copiesIn(boxed) > copiesIn(whole) || !areAllPlaced(whole) ? boxed : whole;
}
