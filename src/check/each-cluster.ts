import type { Watch } from "../core/watch.ts";
import type { CheckRequest } from "./body.ts";
import { type Cluster, clusterKey, clustersOf } from "./cluster.ts";

/** Looks through the clusters of a scene; of those that are equal only one, which `look` gets with the models of each. */
export function eachCluster(
  request: CheckRequest,
  reachMm: number,
  look: (cluster: Cluster, modelsOfEach: readonly (readonly number[])[], watch: Watch) => void,
  watch: Watch,
): void {
  const alike = [...Map.groupBy(clustersOf(request, reachMm), clusterKey).values()];
  alike.forEach((clusters, i) => {
    const part = watch.part(i / alike.length, (i + 1) / alike.length);
    part.report(0);
    look(
      clusters[0],
      clusters.map(({ models }) => models),
      part,
    );
  });
}
