import { type Region, type Ring, signedArea } from "./region.ts";
import { united } from "./united.ts";

/** What any of the rings goes around, without openings. */
export async function filled(rings: readonly Ring[]): Promise<Region> {
  const outer = (await united(rings)).filter((ring) => signedArea(ring) > 0);
  // What lay in an opening is in what fills it.
  return await united(outer);
}
