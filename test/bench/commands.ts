import { spawnSync } from "node:child_process";
import { readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { strFromU8, unzipSync } from "fflate";
import { compiledExecutable } from "../fixture/printwright.ts";
import { type Row, median, ms, ratio, timed, withFolder } from "./measure.ts";
import { MODEL_FILES } from "./models.ts";
import { PEER_OUTPUT, peerArguments } from "./peer-slicer.ts";

const RUNS = 3;

/** The display of an SL1S, for the peer: the same grid as our job has. */
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

/** The part and its supports fit into the volume so. */
const SCALE = ["--scale", "0.8"];

/** Commands without a server: their start, and a part with supports from its file to the job, beside the peer slicer's command. */
export const benchCommands = (): Promise<Row[]> =>
  withFolder(async (folder) => {
    const run = (...args: string[]): void => {
      const { status, stderr } = spawnSync(compiledExecutable(), args, { cwd: folder, encoding: "utf8" });
      if (status !== 0) throw new Error(stderr);
    };
    const startTimes: number[] = [];
    const ours: number[] = [];
    const peer: number[] = [];
    const job = join(folder, "job.sl1s");
    const model = { name: "908460", file: MODEL_FILES["908460"] };
    const options = Object.entries(SL1S).flatMap(([name, value]) => [`--${name}`, String(value)]);
    for (let i = 0; i < RUNS; i++) {
      startTimes.push(await timed(() => run("printers")));
      ours.push(
        await timed(() => run("slice", model.file, "--printer", "PRUSA-SL1S", ...SCALE, "--support", "-o", job)),
      );
      const args = peerArguments(model, ["--supports-enable", "--pad-enable", ...SCALE, ...options]);
      if (spawnSync("prusa-slicer", ["--help"]).error) continue;
      rmSync(PEER_OUTPUT, { force: true });
      peer.push(await timed(() => spawnSync("prusa-slicer", args)));
    }
    const took = median(ours);
    const peerTook = median(peer);
    return [
      { what: "start and end of a command", ours: ms(median(startTimes)) },
      {
        what: `printwright slice of 36k triangles with supports, ${layersOf(job)} layers`,
        ours: ms(took),
        beside:
          peer.length > 0
            ? `the peer takes ${ms(peerTook)} for ${layersOf(PEER_OUTPUT)} layers (${ratio(peerTook, took)})`
            : "the peer slicer is not installed",
        aim: "≥ 5× faster",
      },
    ];
  });

/** The number of layers of an SL1 job. */
const layersOf = (job: string): string =>
  /^numFast = (\d+)$/m.exec(strFromU8(unzipSync(readFileSync(job), { filter: isConfig })["config.ini"]))![1];

const isConfig = ({ name }: { name: string }): boolean => name === "config.ini";
