import { existsSync, readFileSync, rmSync } from "node:fs";
import { availableParallelism } from "node:os";
import { join } from "node:path";
import { strFromU8, unzipSync } from "fflate";
import { compiledExecutable } from "../fixture/printwright.ts";
import { type Row, median, mib, ms, ratio, withFolder } from "./measure.ts";
import { MODEL_FILES, subdividedFile } from "./models.ts";
import { PEER_OUTPUT, peerArguments } from "./peer-slicer.ts";

const RUNS = 3;

/** The display of an SL1S, for the peer: the same grid as in our job. */
const SL1S = {
  "bed-shape": "0x0,128x0,128x81,0x81",
  "display-width": 128,
  "display-height": 81,
  "display-pixels-x": 2560,
  "display-pixels-y": 1620,
  "max-print-height": 150,
  center: "64,40.5",
  loglevel: 0,
};

/** Parts, and whether they get supports. At this scale each fits into the volume with its supports. */
const JOBS = [
  { what: "1.5k triangles", file: MODEL_FILES["65004"], supports: false },
  { what: "36k triangles", file: MODEL_FILES["908460"], supports: false },
  { what: "36k triangles with supports", file: MODEL_FILES["908460"], supports: true },
  { what: "577k triangles", file: subdividedFile(), supports: false },
];
const SCALE = ["--scale", "0.8"];

/** The cost of a command: wall time, processor time of all its threads, and peak of resident memory. */
interface Cost {
  readonly ms: number;
  readonly processorMs: number;
  readonly peakBytes: number;
}

/** Numbers of cores on which both slicers are measured: those of these that the machine has, and all of its cores. */
const CORES = [...new Set([1, 2, 4, availableParallelism()])].filter((cores) => cores <= availableParallelism());

/** Commands without a server: their start, and parts from their files to jobs. Compared with the command of the peer slicer. */
export const benchCommands = (): Promise<Row[]> =>
  withFolder(async (folder) => {
    const starts = Array.from({ length: RUNS }, () => costOf([compiledExecutable(), "printers"], folder).ms);
    const rows: Row[] = [{ what: "start and end of a command", ours: ms(median(starts)) }];
    for (const job of JOBS) for (const cores of CORES) rows.push(besidePeer(job, cores, folder));
    return rows;
  });

/** One part on some cores. The runs of the two slicers alternate, so that other work on the machine slows both down. */
function besidePeer({ what, file, supports }: (typeof JOBS)[number], cores: number, folder: string): Row {
  const job = join(folder, "job.sl1s");
  const display = Object.entries(SL1S).flatMap(([name, value]) => [`--${name}`, String(value)]);
  const peerSupports = supports ? ["--supports-enable", "--pad-enable"] : ["--no-supports-enable", "--no-pad-enable"];
  const options = [...SCALE, ...peerSupports, "--no-hollowing-enable", ...display];
  const words = [...SCALE, ...(supports ? ["--support"] : [])];
  const command = [compiledExecutable(), "slice", file, "--printer", "PRUSA-SL1S", ...words, "-o", job];
  const [mine, peers]: [Cost[], Cost[]] = [[], []];
  rmSync(PEER_OUTPUT, { force: true });
  for (let run = 0; run < RUNS; run++) {
    mine.push(costOf(onCores(cores, command), folder));
    if (Bun.which("prusa-slicer") === null) continue;
    peers.push(costOf(onCores(cores, ["prusa-slicer", ...peerArguments({ name: what, file }, options)]), folder));
  }
  return {
    what: `printwright slice of ${what}, ${layersOf(job)} layers, cores: ${cores}`,
    ours: textOf(mine),
    beside: existsSync(PEER_OUTPUT)
      ? `the peer takes ${textOf(peers)} for ${layersOf(PEER_OUTPUT)} layers (${timesOf(peers, mine)} the time)`
      : "the peer slicer is not installed",
    aim: "≥ 5× faster",
  };
}

/** A command that runs on the first cores only (Linux); as it is if those are all. */
const onCores = (cores: number, command: readonly string[]): readonly string[] =>
  cores === availableParallelism() ? command : ["taskset", "--cpu-list", `0-${cores - 1}`, ...command];

/** Runs a command to its end. If it fails, throws with its error output. */
function costOf(command: readonly string[], cwd: string): Cost {
  const began = performance.now();
  const { exitCode, stderr, resourceUsage } = Bun.spawnSync([...command], { cwd, stdout: "ignore", stderr: "pipe" });
  if (exitCode !== 0) throw new Error(`${command[0]} ends with status ${exitCode}: ${stderr}`);
  const { cpuTime, maxRSS } = resourceUsage;
  return { ms: performance.now() - began, processorMs: Number(cpuTime.total) / 1000, peakBytes: maxRSS };
}

const middle = (costs: readonly Cost[], figure: keyof Cost): number => median(costs.map((cost) => cost[figure]));

const textOf = (costs: readonly Cost[]): string =>
  `${ms(middle(costs, "ms"))} (${ms(middle(costs, "processorMs"))} of processors, ${mib(middle(costs, "peakBytes"))})`;

const timesOf = (peers: readonly Cost[], ours: readonly Cost[]): string =>
  `${ratio(middle(peers, "ms"), middle(ours, "ms"))} and ${ratio(middle(peers, "processorMs"), middle(ours, "processorMs"))}`;

/** The number of layers of an SL1 job. */
const layersOf = (job: string): string =>
  /^numFast = (\d+)$/m.exec(strFromU8(unzipSync(readFileSync(job), { filter: isConfig })["config.ini"]))![1];

const isConfig = ({ name }: { name: string }): boolean => name === "config.ini";
