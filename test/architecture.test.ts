import assert from "node:assert/strict";
import { readFileSync, readdirSync } from "node:fs";
import { dirname, join, relative, sep } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { sourceHash } from "../wasm.ts";

const src = fileURLToPath(new URL("../src/", import.meta.url));

/** A file is one concept, neither a fragment nor a collection: the median has at least this many lines, every file at most this many. */
const MIN_MEDIAN_LINES = 80;
const MAX_LINES = 350;
/** Most folders of a path below the root: `src/module/part/file.ts`. */
const MAX_FOLDERS = 3;

const KERNELS = [
  "geometry",
  "mesh",
  "repair",
  "text",
  "codec",
  "wasm",
  "format",
  "slice",
  "job",
  "hold",
  "solid",
  "support",
  "orient",
  "check",
  "layout",
  "pack",
  "render",
  "calibrate",
  "plan",
];

interface Row {
  /** Modules whose values and types the files of this module may import, in addition to its own. */
  readonly values: readonly string[];
  /** Modules that the files may import with `import type` only. */
  readonly types?: readonly string[];
}

/** Which modules the files of each module may import. Files of `src/` itself put the program together and import any. */
const TABLE: Record<string, Row> = {
  core: { values: [] },
  geometry: { values: ["core", "wasm"] },
  mesh: { values: ["core", "geometry"] },
  repair: { values: ["core", "geometry", "mesh"] },
  text: { values: ["core", "geometry"] },
  codec: { values: ["core", "wasm"] },
  wasm: { values: ["core"] },
  // catalog: the raft types of projects.
  format: { values: ["core", "geometry", "mesh", "codec", "wasm", "catalog"] },
  catalog: { values: ["core", "geometry"] },
  convert: { values: ["core", "format"] },
  slice: { values: ["core", "geometry", "mesh", "repair", "wasm"], types: ["catalog"] },
  job: { values: ["core", "geometry", "codec", "slice", "wasm"] },
  hold: { values: ["core", "geometry", "mesh", "repair", "slice"], types: ["catalog"] },
  // wasm, for the kernels in AssemblyScript.
  solid: { values: ["core", "geometry", "mesh", "repair", "text", "slice", "wasm"], types: ["catalog"] },
  support: { values: ["core", "geometry", "mesh", "repair", "text", "slice", "hold"], types: ["catalog"] },
  orient: { values: ["core", "geometry", "mesh", "repair", "text", "slice", "hold"], types: ["catalog"] },
  check: { values: ["core", "geometry", "mesh", "repair", "text", "slice", "hold"], types: ["catalog"] },
  layout: { values: ["core", "geometry", "mesh"] },
  pack: { values: ["core", "geometry", "mesh", "wasm"], types: ["slice"] },
  render: { values: ["core", "geometry", "mesh", "codec", "format", "wasm"] },
  calibrate: { values: ["core", "geometry", "codec", "text", "slice", "job"] },
  // wasm: the kernel that fills plates.
  plan: { values: ["core", "geometry", "layout", "wasm"] },
  scene: { values: ["core", "geometry", "mesh", "catalog", "layout", "slice"], types: KERNELS },
  printer: { values: ["core", "catalog"] },
  // wasm: the parts of its modules that threads share.
  worker: { values: ["core", "wasm"] },
  farm: { values: ["core", "printer", "api", "http", "command"] },
  // format: the extensions of model files, in preconditions. geometry: the locks of poses. check: places of findings.
  api: {
    values: ["core", "geometry", "catalog", "scene", "format"],
    types: ["worker", "printer", "convert", "check", "farm"],
  },
  // farm: the states of jobs, and what clients get of them.
  feature: { values: ["core", ...KERNELS, "catalog", "scene", "printer", "worker", "api", "farm"], types: ["convert"] },
  http: { values: ["core", "scene", "feature", "api"] },
  keep: { values: ["core", "scene", "feature", "api", "http"] },
  compat: { values: ["core", "geometry", "catalog", "scene", "printer", "feature", "api", "http"], types: ["mesh"] },
  // format, job, slice: limits of files, extensions of jobs, times of layers.
  ui: {
    values: [
      "core",
      "geometry",
      "mesh",
      "catalog",
      "scene",
      "feature",
      "api",
      "http",
      "format",
      "job",
      "keep",
      "slice",
    ],
    types: ["worker"],
  },
  command: { values: ["core", "catalog", "convert", "printer", "job", "feature", "api", "http", "farm", "mcp"] },
  mcp: { values: ["core", "geometry", "catalog", "scene", "feature", "api", "http", "command", "farm"] },
  // Code that runs in a browser: the test of the page's bundle names the files of these modules that it may load.
  page: { values: ["core", "geometry", "mesh", "render", "feature"], types: ["support", "api", "ui"] },
};

interface Import {
  readonly from: string;
  readonly to: string;
  readonly typeOnly: boolean;
  /** An `import()`, which loads its file when it is first needed. */
  readonly lazy: boolean;
}

const files = readdirSync(src, { recursive: true, encoding: "utf8" }).filter((file) => /\.tsx?$/.test(file));

function importsOf(file: string): Import[] {
  const text = readFileSync(join(src, file), "utf8");
  const statements = text.matchAll(/^(?:import|export)\s+(type\s)?[^;"']*?from\s+"(\.[^"]+)"|import\("(\.[^"]+)"\)/gm);
  return [...statements].map(([, type, path, lazyPath = ""]) => ({
    from: file,
    to: relative(src, join(src, dirname(file), path ?? lazyPath)).replaceAll("\\", "/"),
    typeOnly: type !== undefined,
    lazy: path === undefined,
  }));
}

const imports = files.flatMap(importsOf);

/** The module of a file, or "" for a file of `src/` itself. */
const moduleOf = (file: string): string => (file.includes("/") ? file.slice(0, file.indexOf("/")) : "");

test("every module imports only from the modules of its row", () => {
  const forbidden = imports.filter(({ from, to, typeOnly }) => {
    const [module, target] = [moduleOf(from), moduleOf(to)];
    // package.json is outside of src/.
    if (module === "" || module === target || to.startsWith("..")) return false;
    const row = TABLE[module];
    assert.ok(row, `the module ${module} has no row in the table`);
    return !(row.values.includes(target) || (typeOnly && row.types?.includes(target)));
  });
  assert.deepEqual(
    forbidden.map(({ from, to }) => `${from} → ${to}`),
    [],
  );
});

test("every row of the table is a module", () => {
  assert.deepEqual(Object.keys(TABLE).sort(), [...new Set(files.map(moduleOf))].filter(Boolean).sort());
});

test(`files have at most ${MAX_LINES} lines, half of them at least ${MIN_MEDIAN_LINES}`, () => {
  const written = files.filter((file) => !file.endsWith(".wasm.ts"));
  const lines = written.map((file) => readFileSync(join(src, file), "utf8").split("\n").length);
  assert.deepEqual(
    written.filter((_, i) => lines[i] > MAX_LINES),
    [],
  );
  const median = lines.sort((a, b) => a - b)[lines.length >> 1];
  assert.ok(median >= MIN_MEDIAN_LINES, `the median file has ${median} lines`);
});

test(`folders are at most ${MAX_FOLDERS} deep`, () => {
  const deep = files.filter((file) => dirname(join("src", file)).split(sep).length > MAX_FOLDERS);
  assert.deepEqual(deep, []);
});

test("there are no import cycles, not even of types", () => {
  const importsOf = Map.groupBy(imports, ({ from }) => from);
  const done = new Set<string>();
  const walk = (file: string, path: readonly string[]): void => {
    assert.ok(!path.includes(file), `a cycle: ${[...path, file].join(" → ")}`);
    if (done.has(file)) return;
    for (const { to } of importsOf.get(file) ?? []) walk(to, [...path, file]);
    done.add(file);
  };
  for (const file of files) walk(file, []);
});

/** The files that a file loads, itself included, without files that are imported on first use. */
function loadedWith(entry: string): readonly string[] {
  const loadedBy = Map.groupBy(
    imports.filter(({ typeOnly, lazy }) => !typeOnly && !lazy),
    ({ from }) => from,
  );
  const loaded = new Set<string>();
  const load = (file: string): void => {
    if (loaded.has(file)) return;
    loaded.add(file);
    for (const { to } of loadedBy.get(file) ?? []) load(to);
  };
  load(entry);
  return [...loaded];
}

test("the answering thread starts without kernels", () => {
  const kernels = new Set(["repair", "text", "hold", "solid", "support", "orient", "check", "pack", "render"]);
  const isKernel = (file: string): boolean => kernels.has(moduleOf(file)) || file.endsWith(".wasm.ts");
  assert.deepEqual(loadedWith("main.ts").filter(isKernel), []);
});

/**
 * Files that the page in a browser loads in addition to its own: rows of features, number formats, caches, arithmetic of poses and cameras, faces
 * of meshes.
 */
const IN_BROWSER =
  /^(page|geometry)\/|^feature\/(pages|page-row|[\w-]+\/([\w-]+-)?page)\.ts$|^core\/(quantities|memoize|must)\.ts$|^mesh\/(mesh|flood-face)\.ts$|^render\/camera\.ts$/;

test("the page loads no code of the server", () => {
  const loaded = loadedWith("page/main.tsx");
  assert.ok(loaded.includes("feature/check/page.ts"));
  assert.deepEqual(
    loaded.filter((file) => !IN_BROWSER.test(file)),
    [],
  );
  const withNode = loaded.filter((file) => readFileSync(join(src, file), "utf8").includes('from "node:'));
  assert.deepEqual(withNode, []);
});

/** No `node:` module has a function that collects garbage. */
const OF_RUNTIME = "worker/collect-garbage.ts";

test("sources use the runtime only through node: modules", () => {
  const others = files.filter((file) => file !== OF_RUNTIME);
  const foreign = others.filter((file) => /\b(Bun|Deno)\s*\.|from "bun/.test(readFileSync(join(src, file), "utf8")));
  assert.deepEqual(foreign, []);
});

test("kernels in AssemblyScript are compiled from their present sources (`bun run wasm` compiles them)", () => {
  const kernels = files.filter((file) => file.endsWith(".wasm.ts"));
  assert.ok(kernels.length > 0);
  for (const kernel of kernels) {
    const hash = sourceHash(dirname(join(src, kernel)));
    assert.ok(
      readFileSync(join(src, kernel), "utf8").includes(hash),
      `${kernel} is not of its sources: run bun run wasm`,
    );
  }
});
