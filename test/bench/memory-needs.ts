import { spawnSync } from "node:child_process";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { supportSettingsOf } from "../../src/feature/support/endpoint.ts";
import { profileOf } from "../../src/catalog/profile.ts";
import { defaultSetting } from "../../src/catalog/resolve.ts";
import { prepareGroup } from "../../src/check/check-group.ts";
import { chunkCountOf } from "../../src/check/chunked-check.ts";
import { noProgress } from "../../src/core/progress.ts";
import { placeBox } from "../../src/geometry/box.ts";
import { IDENTITY_POSE, UPRIGHT, rotationMatrix } from "../../src/geometry/pose.ts";
import { canonicalMesh } from "../../src/mesh/canonical-mesh.ts";
import { outlineOf } from "../../src/mesh/outline.ts";
import { taskBytes } from "../../src/worker/task-memory.ts";
import { taskNamed } from "../../src/feature/tasks.ts";
import { type Row, mib, peakBeyondRest, ratio } from "./measure.ts";
import { bumpySphere } from "./models.ts";

const SMALL_FACETS = 10_000;
const LARGE_FACETS = 1_000_000;

/** Tasks whose memory grows with the facets of a mesh or the pixels of a picture, and the numbers of facets to measure them with. */
const TRIED: readonly (readonly [task: string, facets: number])[] = [
  ["repairMesh", LARGE_FACETS],
  ["countBodies", LARGE_FACETS],
  ["checkManifoldness", LARGE_FACETS],
  ["buildMeshTree", LARGE_FACETS],
  ["findDefectPlaces", LARGE_FACETS],
  ["findOutsidePlaces", LARGE_FACETS],
  ["computeOutlines", LARGE_FACETS],
  ["rescaleMeshes", LARGE_FACETS],
  ["computeSilhouette", LARGE_FACETS],
  ["prepareStack", LARGE_FACETS],
  ["clusterVertices", LARGE_FACETS],
  ["planHollow", LARGE_FACETS],
  ["orientModel", LARGE_FACETS],
  ["supportModel", LARGE_FACETS],
  ["checkHold", LARGE_FACETS],
  ["checkGroup", LARGE_FACETS],
  ["prepareGroup", LARGE_FACETS],
  ["examineChunk", LARGE_FACETS],
  ["labelMesh", LARGE_FACETS],
  ["packChamber", LARGE_FACETS],
  ["fillWithCopies", SMALL_FACETS],
  ["exportFile", LARGE_FACETS],
  ["closedModel", LARGE_FACETS],
  ["renderPicture", SMALL_FACETS],
];

/** The peaks of single tasks in fresh processes. Compared with their claims. */
export const benchMemoryNeeds = (): Promise<Row[]> =>
  Promise.resolve(
    TRIED.map(([task, facets]): Row => {
      const { stdout } = spawnSync(process.execPath, [fileURLToPath(import.meta.url), task, String(facets)], {
        encoding: "utf8",
      });
      const [taken, claimed] = stdout.split(" ").map(Number);
      const what = `memory of ${task} with ${facets} facets`;
      return {
        what,
        ours: mib(taken),
        beside: `${ratio(taken, claimed)} of its claim (${mib(claimed)})`,
        aim: "≤ 1.0×",
      };
    }),
  );

const CHAMBER = {
  obstacles: [],
  region: { min: [-82.5, -82.5, 0], max: [82.5, 82.5, 300], filletRadiusMm: 10 },
  spacingMm: 2,
  wallDistanceMm: 0,
};

function inputOf(task: string, facets: number): unknown {
  const setting = defaultSetting();
  const mesh = canonicalMesh(bumpySphere(facets), 1, noProgress);
  const pose = { ...IDENTITY_POSE, position: [0, 0, 40] as const };
  const one = (input: unknown): unknown => ({ input, index: 0, count: 1 });
  const { volume, raster } = setting.printerType;
  switch (task) {
    case "computeOutlines":
      return [{ mesh, orientation: { x: 10, y: 0, z: 0 } }];
    case "rescaleMeshes":
      return [{ mesh, factor: 2 }];
    case "computeSilhouette":
    case "findDefectPlaces":
      return one({ mesh, pose });
    case "findOutsidePlaces":
      return one({ bodies: [{ mesh, pose: { ...pose, scale: 20 } }], volume });
    case "prepareStack":
      return {
        placed: [{ mesh, pose }],
        boundariesMm: Float64Array.from({ length: 800 }, (_, i) => i / 10),
        grid: raster,
      };
    case "clusterVertices":
      return { mesh, maxTriangles: facets / 10 };
    case "planHollow":
      return one({ mesh, scale: 1, wallMm: 2, featureMm: 1, accuracy: 0.5 });
    case "orientModel":
      return one({ mesh, scale: 1, orientation: UPRIGHT, lock: "FREE", profile: profileOf(setting), volume });
    case "supportModel": {
      const outline = outlineOf(mesh, rotationMatrix(UPRIGHT));
      const settings = supportSettingsOf(setting);
      return one({ placed: { mesh, pose }, outline, settings, layerThicknessMm: 0.1, label: "" });
    }
    case "checkHold": {
      // Supports as large as the model. They have no touchpoints, so that the check searches for these.
      const supports = {
        placed: { mesh, pose: { ...pose, position: [0, 0, 0] } },
        touchpoints: [],
        touchpointSizeMm: 0.5,
      };
      return { placed: { mesh, pose }, bottomMm: 0, topMm: 80, layerThicknessMm: 0.1, supports };
    }
    case "checkGroup":
    case "prepareGroup":
    case "examineChunk": {
      const box = placeBox(outlineOf(mesh, rotationMatrix(UPRIGHT)).box, 1, pose.position);
      const bodies = [{ placed: { mesh, pose }, box, model: 0, isSupport: false }];
      const boundariesMm = Float64Array.from({ length: 800 }, (_, i) => i / 10);
      const group = { bodies, modelCount: 1, boundariesMm, gridBox: box };
      const request = { check: "SUPPORTEDNESS", group, selfSupportingAngleDeg: 45, bridgingDistanceMm: 5 } as const;
      if (task !== "examineChunk") return request;
      const stacks = prepareGroup(request, noProgress);
      return one({ request, stacks, chunk: Math.floor(chunkCountOf(stacks) / 2) });
    }
    case "labelMesh": {
      const placement = { position: [0, 0, 36], along: [1, 0, 0], normal: [0, 0, 1] };
      return one({ mesh, text: "AB", placement, fontSizeMm: 5, depthMm: 1, mode: "EMBOSS" });
    }
    case "packChamber": {
      // As many parts as a mesh has turns, so that the mesh is placed in several of them.
      const part = { mesh, pose: { ...pose, scale: 0.4 }, turns: "all" };
      return one({ ...CHAMBER, parts: Array.from({ length: 24 }, () => part) });
    }
    case "fillWithCopies": {
      const sources = [{ mesh, pose: { ...pose, scale: 0.4 }, turns: "all", moves: true }];
      return { ...CHAMBER, sources, maxCopies: 1000 };
    }
    case "closedModel":
      // Supports as large as the model.
      return one({ part: { mesh, pose }, supports: { mesh, pose: { ...pose, position: [3, 2, 20] } } });
    case "exportFile":
      return {
        file: join(tmpdir(), "printwright-bench", "memory-needs.3mf"),
        bodies: [{ name: "part", kind: "part", mesh, pose: { ...pose, orientation: { x: 10, y: 20, z: 30 } } }],
      };
    case "renderPicture":
      return {
        file: join(tmpdir(), "printwright-bench", "memory-needs.png"),
        scene: { volume, items: [{ mesh, pose, kind: "model" }] },
        framing: { viewType: "ZOOM_ON_MODELS", sizePx: 4096, cropped: false },
        direction: { yawDeg: 45, pitchDeg: 35 },
      };
    default:
      return one(mesh);
  }
}

/** Prints the peak memory of a task in bytes beyond the resident memory before it, and the bytes of its claim (Linux). */
async function measureTask(task: string, facets: number): Promise<void> {
  const input = inputOf(task, facets);
  const tried = taskNamed(task);
  const taken = await peakBeyondRest(() => tried.run(input as never, noProgress));
  console.log(taken, await taskBytes(tried, input as never));
}

const [task, facets] = process.argv.slice(2);
if (process.argv[1] === fileURLToPath(import.meta.url)) await measureTask(task, Number(facets));
