import type { Hole } from "../../solid/drill/hole.ts";
import type { HollowRequest } from "../../solid/hollow/hollow-plan.ts";
import type { Share } from "../../worker/share.ts";
import type { HollowResult } from "../../worker/task/hollow-model.ts";
import type { Kit } from "../endpoint.ts";
import { ahead } from "../ahead.ts";

/** Hollows a solid on all threads and drills the holes into it. The result does not depend on their number. */
export async function hollowInSlabs(
  { request, number, of }: Share<HollowRequest>,
  holes: readonly Hole[],
  { compute }: Pick<Kit, "compute">,
): Promise<HollowResult> {
  const shareOf = <T>(part: T): Share<T> => ({ request: part, number, of });
  const plan = await compute("planHollow", shareOf(request));
  const slabs = plan.bounds.length - 1;
  await Array.fromAsync(ahead(slabs, (slab) => compute("fillCavity", shareOf({ plan, slab }))));
  await compute("composeCavity", shareOf(plan));
  const walls = await Array.fromAsync(ahead(slabs, (slab) => compute("wallCavity", shareOf({ plan, slab }))));
  return compute("hollowModel", shareOf({ plan, walls, holes }));
}
