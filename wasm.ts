import { createHash } from "node:crypto";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";

// Compiles kernels in AssemblyScript after one was changed: `bun run wasm`. Of `X.as.ts` beside an `X.ts` it makes `X.wasm.ts`.

/** Fetched when it is asked for: nothing else needs it, and it is large. */
const COMPILER = "assemblyscript@0.28.20";

function compiled(path: string): Buffer {
  const folder = mkdtempSync(join(tmpdir(), "printwright-wasm-"));
  const output = join(folder, "kernel.wasm");
  const options = ["-O3", "--runtime", "stub", "--noAssert", "--importMemory", "--outFile", output];
  try {
    const { exitCode } = Bun.spawnSync([process.execPath, "x", "--package", COMPILER, "asc", path, ...options], {
      stdio: ["ignore", "inherit", "inherit"],
    });
    if (exitCode !== 0) throw new Error(`The compiler ended with status ${exitCode}.`);
    return readFileSync(output);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** What all AssemblyScript in a folder is known by: a test compares it with that of what was compiled. */
export function sourceHash(folder: string): string {
  const hash = createHash("sha256");
  const parts = readdirSync(folder).filter((file) => file.endsWith(".as.ts"));
  for (const part of parts.toSorted()) hash.update(readFileSync(join(folder, part)));
  return hash.digest("hex");
}

function makeModule(path: string): void {
  const lines = compiled(path)
    .toString("base64")
    .match(/.{1,110}/g)!;
  writeFileSync(
    path.replace(/\.as\.ts$/, ".wasm.ts"),
    [
      `// Made by \`bun run wasm\` of sources with the SHA-256 ${sourceHash(dirname(path))}.`,
      "",
      "export const WASM =",
      `${lines.map((line) => `  "${line}"`).join(" +\n")};`,
      "",
    ].join("\n"),
  );
}

if (import.meta.main) {
  const source = join(import.meta.dir, "src");
  for (const file of readdirSync(source, { recursive: true, encoding: "utf8" })) {
    if (file.endsWith(".as.ts") && existsSync(join(source, file.replace(/\.as\.ts$/, ".ts"))))
      makeModule(join(source, file));
  }
}
