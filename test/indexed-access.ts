import { spawnSync } from "node:child_process";
import { join } from "node:path";
import process from "node:process";
import { fileURLToPath } from "node:url";

// `bun run check` runs this. It checks types with `noUncheckedIndexedAccess`, of `src/` (tsconfig.indexed.json) and of the page. The
// compiler also checks imported files, so errors in the kernels below are left out: their loops over typed arrays would need a check
// at each element.

const KERNELS =
  "geometry mesh repair text codec wasm format slice job hold solid support orient check layout pack plan render calibrate".split(
    " ",
  );

const root = fileURLToPath(new URL("..", import.meta.url));
const compiler = join(root, "node_modules/typescript/bin/tsc");
const leftOut = new RegExp(`^src/(${KERNELS.join("|")})/`);

function check(project: string): boolean {
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    [compiler, "--noEmit", "-p", project, "--noUncheckedIndexedAccess", "--pretty", "false"],
    { cwd: root, encoding: "utf8", maxBuffer: 2 ** 26 },
  );
  // Lines that continue an error are indented.
  const errors = stdout.split("\n").filter((line) => /^\S.*error TS/.test(line) && !leftOut.test(line));
  for (const error of errors) console.error(error);
  // The compiler ends with status 0, or with errors in modules that are left out.
  const isChecked = status === 0 || stdout.includes("error TS");
  if (!isChecked) console.error(`The compiler did not run: ${stdout}${stderr}`);
  return isChecked && errors.length === 0;
}

const results = ["tsconfig.indexed.json", "src/page"].map(check);
process.exitCode = results.every(Boolean) ? 0 : 1;
