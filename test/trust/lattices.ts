import process from "node:process";
import { fileURLToPath } from "node:url";
import { Worker, isMainThread, parentPort, workerData } from "node:worker_threads";
import { noProgress } from "../../src/core/progress.ts";
import { IDENTITY_POSE } from "../../src/geometry/pose.ts";
import { IDENTITY_TRANSFORM } from "../../src/geometry/transform.ts";
import type { StrutLattice } from "../../src/mesh/mesh.ts";
import { rasteriseChunk } from "../../src/slice/rasterise-chunk.ts";
import { type Stack, prepareStack } from "../../src/slice/stack.ts";
import { trialOptions } from "./options.ts";

// `bun run test:lattices [--struts N] [--threads N] [--every N]` draws all layers of a body-centred lattice of so many struts, which fills a plate of 218.88 × 122.88 mm,
// 11520 × 5120 pixels, in layers of 50 µm. It says what that takes: time, processor time and memory.
// With `every`, only one of so many chunks of layers is drawn.

const PLATE = { pixels: [11_520, 5120], pixelMm: [0.019, 0.024], mirrorX: false, portrait: false } as const;
const LAYER_MM = 0.05;
const CELL_MM = 1.65;
const RADIUS_MM = 0.12;
const STRUTS_PER_CELL = 8;

/** A body-centred lattice on a plate, as many layers of cells as the struts need. Its corners and middles of cells are vertices. */
function plateLattice(struts: number): StrutLattice {
  const [columns, rows] = [0, 1].map((axis) => Math.floor((PLATE.pixels[axis] * PLATE.pixelMm[axis] - 1) / CELL_MM));
  const cells = Math.ceil(struts / STRUTS_PER_CELL);
  const floors = Math.ceil(cells / (columns * rows));
  const corners = (columns + 1) * (rows + 1) * (floors + 1);
  const vertices = new Float32Array(new SharedArrayBuffer(12 * (corners + columns * rows * floors)));
  const ends = new Uint32Array(new SharedArrayBuffer(8 * STRUTS_PER_CELL * cells));
  const cornerAt = (x: number, y: number, z: number): number => (z * (rows + 1) + y) * (columns + 1) + x;
  for (let z = 0; z <= floors; z++)
    for (let y = 0; y <= rows; y++)
      for (let x = 0; x <= columns; x++) vertices.set([x * CELL_MM, y * CELL_MM, z * CELL_MM], 3 * cornerAt(x, y, z));
  for (let cell = 0; cell < cells; cell++) {
    const x = cell % columns;
    const y = Math.floor(cell / columns) % rows;
    const z = Math.floor(cell / (columns * rows));
    const middle = corners + cell;
    vertices.set([(x + 0.5) * CELL_MM, (y + 0.5) * CELL_MM, (z + 0.5) * CELL_MM], 3 * middle);
    for (let i = 0; i < STRUTS_PER_CELL; i++) {
      const corner = cornerAt(x + (i & 1), y + ((i >> 1) & 1), z + (i >> 2));
      ends.set([middle, corner], 2 * (STRUTS_PER_CELL * cell + i));
    }
  }
  const one = { radii: Float32Array.of(RADIUS_MM), caps: Uint8Array.of(0), transform: IDENTITY_TRANSFORM };
  return { vertices, struts: ends, ...one, balls: new Uint32Array(), ballRadii: new Float32Array() };
}

interface Drawn {
  readonly areaMm2: number;
  readonly runs: number;
}

function drawChunks(stack: Stack, first: number, step: number): Drawn {
  const drawn = { areaMm2: 0, runs: 0 };
  for (let chunk = first; chunk < stack.chunkCount; chunk += step) {
    for (const { areaMm2, runs } of rasteriseChunk(stack, chunk)) {
      drawn.areaMm2 += areaMm2;
      drawn.runs += runs.rowStarts[runs.height];
    }
  }
  return drawn;
}

async function trial(): Promise<void> {
  const { struts, threads, every } = trialOptions("test:lattices", { struts: 1_000_000, threads: 2, every: 1 });
  const lattice = plateLattice(struts);
  let topMm = 0;
  for (let at = 2; at < lattice.vertices.length; at += 3) topMm = Math.max(topMm, lattice.vertices[at]);
  const sizeMm = [0, 1].map((axis) => PLATE.pixels[axis] * PLATE.pixelMm[axis] - 1);
  const box = { min: [0, 0, 0], max: [sizeMm[0], sizeMm[1], topMm] } as const;
  const heightMm = topMm + 2 * RADIUS_MM;
  const began = performance.now();
  const stack = prepareStack(
    {
      placed: [],
      lattices: [{ lattice, mesh: { box }, pose: { ...IDENTITY_POSE, position: [0, 0, heightMm / 2] } }],
      boundariesMm: Float64Array.from({ length: Math.ceil(heightMm / LAYER_MM) + 1 }, (_, k) => k * LAYER_MM),
      grid: PLATE,
    },
    noProgress,
  );
  const preparedS = (performance.now() - began) / 1000;
  const drawn = await Promise.all(
    Array.from({ length: threads }, (_, first) => {
      const worker = new Worker(fileURLToPath(import.meta.url), {
        workerData: { stack, first: first * every, step: threads * every },
      });
      return new Promise<Drawn>((resolve, reject) => void worker.once("message", resolve).once("error", reject));
    }),
  );
  const seconds = (performance.now() - began) / 1000;
  const { user, system } = process.cpuUsage();
  const volume = drawn.reduce((sum, { areaMm2 }) => sum + areaMm2, 0) * LAYER_MM;
  const runs = drawn.reduce((sum, one) => sum + one.runs, 0);
  const peakMb = process.resourceUsage().maxRSS / 1024;
  process.stdout.write(
    `${struts} struts, ${stack.boundariesMm.length - 1} layers, ${threads} threads, every ${every}th chunk: ${seconds.toFixed(1)} s (index ${preparedS.toFixed(1)} s), ` +
      `${((user + system) / 1e6).toFixed(1)} s of processors, peak ${peakMb.toFixed(0)} MB; ${runs} runs, ${(volume / 1000).toFixed(1)} ml.\n`,
  );
}

if (isMainThread) await trial();
else {
  const { stack, first, step } = workerData as { stack: Stack; first: number; step: number };
  parentPort!.postMessage(drawChunks(stack, first, step));
}
