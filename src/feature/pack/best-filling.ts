import { boxVolume } from "../../geometry/box.ts";
import type { FillRequest, FilledChamber } from "../../pack/fill-chamber.ts";

/** Makes one filling, on this thread or another one: number `index` of `count`. */
export type FillOnce = (
  request: FillRequest,
  share: { readonly index: number; readonly count: number },
) => Promise<FilledChamber>;

type WholeRequest = Omit<FillRequest, "isBoxedFirst">;

/**
 * The filling of a chamber with the most copies of the sources. If a new packing has no room for the sources but their current places are
 * valid, they keep these.
 */
export async function bestFilling(request: WholeRequest, fillOnce: FillOnce): Promise<FilledChamber> {
  const filling = await fillInRows(request, fillOnce);
  if (!filling.couldStay) return filling;
  const sources = request.sources.map((source) => ({ ...source, moves: false }));
  return fillInRows({ ...request, sources }, fillOnce);
}

const areAllPlaced = ({ sources }: FilledChamber): boolean => sources.every(({ pose }) => pose);

const copiesIn = ({ sources }: FilledChamber): number => sources.reduce((sum, { copies }) => sum + copies.length, 0);

/**
 * A part is large if at most this number of its boxes has the volume of the chamber: a row of large parts that is not aligned with the
 * next row wastes much space.
 */
const FEW_BOXES = 150;

/**
 * Packs in two ways at the same time if the parts are large and the chamber is rounded: in the whole chamber, and first within its
 * inner box, where rows are aligned and more parts may fit.
 */
async function fillInRows(request: WholeRequest, fillOnce: FillOnce): Promise<FilledChamber> {
  const { sources, region } = request;
  const boxMm3 = Math.min(...sources.map(({ mesh, pose }) => boxVolume(mesh.box) * pose.scale ** 3));
  const areFew = boxVolume(region) <= FEW_BOXES * boxMm3;
  const isBoxTried = region.filletRadiusMm > 0 && areFew;
  const count = isBoxTried ? 2 : 1;
  const [whole, boxed] = await Promise.all([
    fillOnce({ ...request, isBoxedFirst: false }, { index: 0, count }),
    isBoxTried ? fillOnce({ ...request, isBoxedFirst: true }, { index: 1, count }) : undefined,
  ]);
  if (!boxed || !areAllPlaced(boxed)) return whole;
  return copiesIn(boxed) > copiesIn(whole) || !areAllPlaced(whole) ? boxed : whole;
}
