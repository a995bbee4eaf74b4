import type { SlabbedBody, Slabs } from "../mesh/slabs.ts";
import { bodiesOf, type Model } from "./model.ts";
import { bodyBox } from "./stand.ts";

/** Each body once: copies at one height count as so many of it. */
export function slabbedBodiesOf(models: readonly Model[]): SlabbedBody[] {
  const distinct = new Map<Slabs, Map<string, SlabbedBody>>();
  for (const body of models.flatMap(bodiesOf)) {
    const { slabs } = body.outline;
    const { min, max } = bodyBox(body);
    const places = distinct.get(slabs) ?? new Map<string, SlabbedBody>();
    const place = `${min[2]} ${max[2]}`;
    const count = (places.get(place)?.count ?? 0) + 1;
    distinct.set(slabs, places.set(place, { slabs, bottomMm: min[2], topMm: max[2], scale: body.pose.scale, count }));
  }
  return [...distinct.values()].flatMap((places) => [...places.values()]);
}
