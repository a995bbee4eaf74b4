import { fileURLToPath } from "node:url";
import { unwatched } from "../../src/core/watch.ts";
import { facetTree } from "../../src/mesh/bvh/facet-tree.ts";
import { outerSurface } from "../../src/check/thin/outer-surface.ts";
import { stlReader } from "../../src/format/stl.ts";
import { READ_OPTIONS } from "../fixture/read-model.ts";
import { meshOf } from "../fixture/slices.ts";
import { thinOf, thinVolumeOf } from "../fixture/thin-parts.ts";
import { mib, ms, peakBytes, ratio, type Row, timed } from "./measure.ts";
import { subdividedFile } from "./subdivided.ts";

const path = (name: string): string => fileURLToPath(new URL(name, import.meta.url));

const MIDDLE = path("../fixture/corpus/thingi-520644.stl");
const LARGE = path("../../assets/demo/functional-part.stl");

/** No peer looks for thin features on the command line: time is told in times of what stands before any of it, the facets' tree. */
export async function benchThinning(): Promise<Row[]> {
  const rows: Row[] = [];
  const cases = [
    ["520644", MIDDLE, [1, 2]],
    ["908460", LARGE, [1, 2, 4]],
    ["577k facets", await subdividedFile(LARGE), [2]],
  ] as const;
  for (const [name, file, thresholds] of cases) {
    const { parts } = await stlReader.read(file, READ_OPTIONS, unwatched);
    const mesh = meshOf(parts[0].surface);
    const floor = await timed(() => facetTree(outerSurface(mesh, unwatched), unwatched));
    for (const thresholdMm of thresholds) {
      let told = "";
      const took = await timed(() => {
        const found = thinOf(mesh, thresholdMm);
        told = `${found.status}, ${found.regions.length} regions of ${thinVolumeOf(found).toFixed(1)} mm³`;
      });
      rows.push({
        what: `thin features below ${thresholdMm} mm of ${name}, ${mesh.triangles.length / 3} facets`,
        ours: `${ms(took)}, ${told}, peak memory of the process so far ${mib(peakBytes(process.pid))}`,
        beside: `${ratio(took, floor)} of a sound surface and its tree`,
      });
    }
  }
  return rows;
}
