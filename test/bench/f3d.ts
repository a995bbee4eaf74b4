import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { median, timesOf } from "./measure.ts";

export const SIZE_PX = 820;

/** Milliseconds that f3d takes to read a model and draw it on a virtual display; undefined where it is not installed. */
export async function f3dMs(model: string): Promise<number | undefined> {
  if (spawnSync("xvfb-run", ["-a", "f3d", "--version"]).status !== 0) return undefined;
  const folder = mkdtempSync(join(tmpdir(), "printwright-f3d-"));
  const output = join(folder, "picture.png");
  const args = ["-a", "f3d", model, `--output=${output}`, `--resolution=${SIZE_PX},${SIZE_PX}`, "--up=+Z"];
  const times = await timesOf(3, () => spawnSync("xvfb-run", args));
  rmSync(folder, { recursive: true });
  return median(times);
}
