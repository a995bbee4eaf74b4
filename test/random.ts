import { spawnSync } from "node:child_process";
import { randomInt } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";

// `bun run test:random` runs every test that draws at random with a fresh seed, which it prints. `PRINTWRIGHT_TEST_SEED=… bun run
// test:random` draws the same again. Arguments select the test files, as for `bun test`.

const seed = process.env.PRINTWRIGHT_TEST_SEED ?? String(randomInt(1, 2 ** 31));
const chosen = process.argv.slice(2);
const drawing = readdirSync(import.meta.dirname, { recursive: true, encoding: "utf8" })
  .filter((file) => file.endsWith(".test.ts"))
  .map((file) => join(import.meta.dirname, file))
  .filter((path) => /fixture\/(property|random)\.ts"/.test(readFileSync(path, "utf8")))
  .filter((path) => chosen.length === 0 || chosen.some((part) => path.includes(part)));

console.log(`Seed ${seed}: PRINTWRIGHT_TEST_SEED=${seed} bun run test:random draws the same again.`);
const { status } = spawnSync(process.execPath, ["test", "--parallel", "--only-failures", ...drawing], {
  env: { ...process.env, PRINTWRIGHT_TEST_SEED: seed },
  stdio: "inherit",
});
console.log(`Seed ${seed}`);
process.exitCode = status ?? 1;
