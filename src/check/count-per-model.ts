import type { Watch } from "../core/watch.ts";
import type { CheckRequest } from "./body.ts";
import type { Cluster } from "./cluster.ts";
import { eachCluster } from "./each-cluster.ts";

/** The models of a cluster at which something was found, one entry for each find. */
export type Find = (cluster: Cluster, watch: Watch) => readonly number[];

/** How often something is found at each model of a scene. Equal clusters are looked through once. */
export function countPerModel(request: CheckRequest, reachMm: number, find: Find, watch: Watch): number[] {
  const counts = Array.from({ length: request.modelCount }, () => 0);
  const look = (cluster: Cluster, modelsOfEach: readonly (readonly number[])[], part: Watch): void => {
    const found = find(cluster, part);
    for (const models of modelsOfEach) for (const model of found) counts[models[model]]++;
  };
  eachCluster(request, reachMm, look, watch);
  return counts;
}
