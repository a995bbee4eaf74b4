import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { unwatched } from "../../src/core/watch.ts";
import { extensionOf, readerFor } from "../../src/format/readers.ts";
import { canonicalMesh } from "../../src/mesh/canonical.ts";
import type { Mesh, Surface } from "../../src/mesh/mesh.ts";
import { repair } from "../../src/mesh/repair/repair.ts";
import { faultsOf, survey } from "../../src/mesh/survey.ts";
import { randomFrom, surfaceOfStl } from "../fixture/altered.ts";
import { MUTATIONS } from "../fixture/broken.ts";
import { startPrintwright } from "../fixture/printwright.ts";
import { binaryStl } from "../fixture/stl-file.ts";
import { mib, ms, peakBytes, ratio, type Row, timed } from "./measure.ts";
import { subdividedFile } from "./subdivided.ts";

const path = (name: string): string => fileURLToPath(new URL(name, import.meta.url));
const BROKEN_FILES = [
  "gen-65004-holes12.stl",
  "gen-472042-flip30.stl",
  "mf-Offset1-x0.04.stl",
  "mf-openscad-nonmanifold-crash.obj",
];
const OPTIONS = { chordalToleranceMm: 0.01, angleToleranceDeg: 5 };
/** Of the facets of the timed models. */
const MISSING = 0.01;

const QUIET = { stdio: "ignore" } as const;

/** What mends an STL file into another; false where it is not installed. */
type Peer = (file: string, output: string) => boolean;

const admesh: Peer = (file, output) => !spawnSync("admesh", [`--write-binary-stl=${output}`, file], QUIET).error;
const peerSlicer: Peer = (file, output) =>
  !spawnSync("prusa-slicer", ["--export-stl", "--repair", "--output", output, file], QUIET).error;

/** How many of the broken meshes of the tests become closed manifolds, and what large ones take, beside two peers. */
export async function benchRepairing(): Promise<Row[]> {
  const folder = mkdtempSync(join(tmpdir(), "printwright-bench-"));
  try {
    return [...(await counts(folder)), ...(await times(folder))];
  } finally {
    rmSync(folder, { recursive: true });
  }
}

async function counts(folder: string): Promise<Row[]> {
  const read = async (name: string): Promise<Surface> => {
    const reader = await readerFor(extensionOf(name))!;
    const { parts } = await reader.read(path(`../fixture/corpus/${name}`), OPTIONS, unwatched);
    return parts[0]!.surface;
  };
  const surfaces = [...(await Promise.all(BROKEN_FILES.map(read))), ...MUTATIONS.map(({ broken }) => broken)];
  const file = join(folder, "broken.stl");
  const output = join(folder, "mended.stl");
  const mendedBy = (peer: Peer): number | undefined => {
    let made = 0;
    for (const surface of surfaces) {
      writeFileSync(file, binaryStl(surface));
      rmSync(output, { force: true });
      if (!peer(file, output)) return undefined;
      if (existsSync(output) && isClosed(surfaceOfStl(readFileSync(output)))) made++;
    }
    return made;
  };
  const ours = surfaces.filter((one) => repair(asMesh(one), unwatched).isSound).length;
  const told = (count: number | undefined): string => (count === undefined ? "is not installed" : `makes ${count}`);
  return [
    {
      what: `closed manifolds of ${surfaces.length} broken meshes`,
      ours: `${ours}`,
      beside: `admesh ${told(mendedBy(admesh))}, the peer slicer ${told(mendedBy(peerSlicer))}`,
      aim: "≥ 95 %, more than the peers",
    },
  ];
}

const asMesh = (surface: Surface): Mesh => canonicalMesh(surface, 1, unwatched);
const isClosed = (surface: Surface): boolean =>
  surface.triangles.length > 0 && faultsOf(survey(asMesh(surface), unwatched)).length === 0;

async function times(folder: string): Promise<Row[]> {
  const large = path("../../assets/demo/functional-part.stl");
  const rows: Row[] = [];
  for (const [name, whole] of [
    ["36k facets", large],
    ["577k facets", await subdividedFile(large)],
  ] as const) {
    const clean = asMesh(surfaceOfStl(readFileSync(whole)));
    const file = join(folder, "holes.stl");
    writeFileSync(file, binaryStl(withoutSome(clean)));
    const printwright = await startPrintwright();
    const scene_id = (await printwright.call("GET", "/v1/scene/list/")).body.scenes[0].id;
    await printwright.post("/v1/scene/model/import/", { scene_id, file, repair_behavior: "IGNORE" });
    const took = await timed(() => printwright.post("/v1/scene/model/repair/", { scene_id }));
    const peak = peakBytes(printwright.pid);
    await printwright.stop();
    const admeshTook = await timed(() => admesh(file, join(folder, "admesh.stl")));
    const slicerTook = await timed(() => peerSlicer(file, join(folder, "slicer.stl")));
    rows.push({
      what: `repair of ${name} with 1 % missing`,
      ours: `${ms(took)}, ${((1000 * took) / (clean.triangles.length / 3)).toFixed(1)} µs a facet, peak ${mib(peak)}`,
      beside: `admesh takes ${ms(admeshTook)} (${ratio(admeshTook, took)}), the peer slicer ${ms(slicerTook)} (${ratio(slicerTook, took)})`,
    });
  }
  return rows;
}

/** Without some facets, spread evenly. */
function withoutSome({ vertices, triangles }: Surface): Surface {
  const random = randomFrom(1);
  const isKept = Array.from({ length: triangles.length / 3 }, () => random() >= MISSING);
  return { vertices, triangles: triangles.filter((_, corner) => isKept[Math.floor(corner / 3)]) };
}
