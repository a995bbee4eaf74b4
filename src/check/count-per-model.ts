import type { Watch } from "../core/watch.ts";
import type { CheckRequest } from "./body.ts";
import { type Cluster, clusterKey, clustersOf } from "./cluster.ts";

/** The models of a cluster at which something was found, one entry for each find. */
export type Find = (cluster: Cluster, watch: Watch) => readonly number[];

/** How often something is found at each model of a scene. Equal clusters are looked through once. */
export function countPerModel(request: CheckRequest, reachMm: number, find: Find, watch: Watch): number[] {
  const counts = Array.from({ length: request.modelCount }, () => 0);
  const alike = [...Map.groupBy(clustersOf(request, reachMm), clusterKey).values()];
  alike.forEach((clusters, i) => {
    const part = watch.part(i / alike.length, (i + 1) / alike.length);
    part.report(0);
    const found = find(clusters[0], part);
    for (const { models } of clusters) for (const model of found) counts[models[model]]++;
  });
  return counts;
}
