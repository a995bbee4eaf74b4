import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { sourceHash } from "../wasm.ts";

const src = fileURLToPath(new URL("../src/", import.meta.url));

const KERNELS = ["mesh", "format", "place", "render", "slice", "support", "check", "orient", "solid"];

/** Which rooms the files of a room may import from, beside their own. `types` may be imported as types alone. */
const RULES: Record<string, { values: string[]; types?: string[] }> = {
  core: { values: [] },
  mesh: { values: ["core"] },
  text: { values: ["core", "mesh"] },
  format: { values: ["core", "mesh"], types: ["support", "solid"] },
  place: { values: ["core", "mesh"] },
  render: { values: ["core", "mesh", "format"] },
  slice: { values: ["core", "mesh", "format"], types: ["catalog"] },
  support: { values: ["core", "mesh", "text", "slice", "place/volume.ts"], types: ["catalog"] },
  check: { values: ["core", "mesh", "slice", "support"], types: ["catalog"] },
  solid: { values: ["core", "mesh", "text", "slice"] },
  orient: { values: ["core", "mesh", "place/nearest-fit.ts", "place/volume.ts"], types: ["catalog"] },
  catalog: { values: ["core"] },
  printer: { values: ["core", "catalog"] },
  scene: { values: ["core", "mesh", "catalog", "place", "slice/layer-heights.ts"], types: ["support", "solid"] },
  worker: { values: ["core", ...KERNELS] },
  // Poses are values of the scene, print times are cheap arithmetic, jobs are put together as their layers come, and the
  // table of formats loads its readers where they are called: on worker threads.
  api: {
    values: [
      "core", "catalog", "scene", "printer", "worker", "mesh/pose.ts", "mesh/raw-place.ts", "format/readers.ts",
      "slice/time/print-time.ts", "slice/time/estimate-measures.ts", "slice/time/layer-exposure.ts",
      "slice/time/layer-measures.ts", "format/job/job-writers.ts",
    ],
    types: KERNELS,
  },
  http: { values: ["core", "scene", "api"], types: ["worker"] },
};

interface Import {
  readonly from: string;
  readonly to: string;
  readonly typeOnly: boolean;
}

const files = readdirSync(src, { recursive: true, encoding: "utf8" }).filter((file) => file.endsWith(".ts"));

function importsOf(file: string): Import[] {
  const text = readFileSync(join(src, file), "utf8");
  const statements = text.matchAll(/^(?:import|export)\s+(type\s)?[^;"']*?from\s+"(\.[^"]+)"|import\("(\.[^"]+)"\)/gm);
  return [...statements].map(([, type, path, lazy]) => ({
    from: file,
    to: relative(src, join(src, dirname(file), path ?? lazy!)).replaceAll("\\", "/"),
    typeOnly: type !== undefined,
  }));
}

const imports = files.flatMap(importsOf);
const roomOf = (file: string): string => (file.includes("/") ? file.slice(0, file.indexOf("/")) : "");

test("every room imports from the rooms of its row alone", () => {
  const broken = imports.filter(({ from, to, typeOnly }) => {
    const [room, target] = [roomOf(from), roomOf(to)];
    if (room === "" || room === target) return false;
    const rule = RULES[room];
    assert.ok(rule, `the room ${room} has no row in the table`);
    // package.json and the version drawn from it belong to nobody.
    if (to === "version.ts" || to.startsWith("..")) return false;
    return !(rule.values.includes(target) || rule.values.includes(to) || (typeOnly && rule.types?.includes(target)));
  });
  assert.deepEqual(broken.map(({ from, to }) => `${from} → ${to}`), []);
});

test("no file imports itself through others", () => {
  const values = Map.groupBy(imports.filter(({ typeOnly }) => !typeOnly), ({ from }) => from);
  const done = new Set<string>();
  const walk = (file: string, path: readonly string[]): void => {
    assert.ok(!path.includes(file), `a cycle: ${[...path, file].join(" → ")}`);
    if (done.has(file)) return;
    for (const { to } of values.get(file) ?? []) walk(to, [...path, file]);
    done.add(file);
  };
  for (const file of files) walk(file, []);
});

test("sources speak to the runtime through node: modules alone", () => {
  const foreign = files.filter((file) => /\b(Bun|Deno)\s*\.|from "bun/.test(readFileSync(join(src, file), "utf8")));
  assert.deepEqual(foreign, []);
});

test("kernels in AssemblyScript are compiled from the sources beside them: `bun run wasm` does it", () => {
  const kernels = files.filter((file) => file.endsWith(".wasm.ts"));
  assert.ok(kernels.length > 0);
  for (const kernel of kernels) {
    const hash = sourceHash(dirname(join(src, kernel)));
    assert.ok(readFileSync(join(src, kernel), "utf8").includes(hash), `${kernel} is not of its sources: run bun run wasm`);
  }
});
