import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";

// `bun run wasm` compiles the kernels written in AssemblyScript. An `X.as.ts` next to an `X.ts` is an entry: it becomes
// `X.wasm.ts`, which exports the WebAssembly module as base64 text. Run it after a change of any `*.as.ts`.

const OPTIONS = ["-O3", "--runtime", "stub", "--noAssert", "--importMemory", "--outFile", "kernel.wasm"];

/**
 * SHA-256 of all AssemblyScript files of a folder, and of those of other folders that these import. `X.wasm.ts` states this hash, and a
 * test compares the two.
 */
export function sourceHash(folder: string): string {
  const hash = createHash("sha256");
  const own = readdirSync(folder).filter((file) => file.endsWith(".as.ts"));
  // The loop visits what is added to the set meanwhile.
  const files = new Set(own.sort().map((file) => join(folder, file)));
  for (const file of files) {
    const text = readFileSync(file, "utf8");
    hash.update(text);
    for (const [, imported] of text.matchAll(/from "(\..*\.as)"/g)) files.add(join(dirname(file), `${imported}.ts`));
  }
  return hash.digest("hex");
}

if (import.meta.main) {
  const { default: compiler } = await import("assemblyscript/asc");
  const src = join(import.meta.dir, "src");
  for (const file of readdirSync(src, { recursive: true, encoding: "utf8" })) {
    const kernel = join(src, file).replace(/\.as\.ts$/, "");
    if (!file.endsWith(".as.ts") || !existsSync(`${kernel}.ts`)) continue;
    let base64 = "";
    const { error, stderr } = await compiler.main([join("src", file), "--baseDir", import.meta.dir, ...OPTIONS], {
      writeFile: (_name, bytes) => void (base64 = Buffer.from(bytes).toString("base64")),
    });
    if (error) throw new Error(`${file} does not compile: ${stderr}`);
    const lines = base64.match(/.{1,110}/g)!.map((line) => `  "${line}"`);
    writeFileSync(
      `${kernel}.wasm.ts`,
      `// Compiled by \`bun run wasm\` from sources with the SHA-256 ${sourceHash(dirname(kernel))}.\n\n` +
        `export const WASM =\n${lines.join(" +\n")};\n`,
    );
  }
}
