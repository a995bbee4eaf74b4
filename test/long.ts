import { spawnSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";

// `bun run test:long` runs the trials on large real models (`test/long/`), and all trials of the tests that run only a part of their
// trials in the plain suite (`test/fixture/long.ts`). With `--all`, tests that take minutes also run all of their trials.

const files = readdirSync(import.meta.dirname, { recursive: true, encoding: "utf8" })
  .filter((file) => /\.(test|long)\.ts$/.test(file))
  .map((file) => join(import.meta.dirname, file))
  .filter((path) => path.endsWith(".long.ts") || /fixture\/long\.ts"/.test(readFileSync(path, "utf8")));
const { status } = spawnSync(process.execPath, ["test", "--parallel", "--timeout", "600000", ...files], {
  env: { ...process.env, PRINTWRIGHT_LONG_TESTS: process.argv.includes("--all") ? "all" : "1" },
  stdio: "inherit",
});
process.exitCode = status ?? 1;
