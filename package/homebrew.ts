import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Download } from "./downloads.ts";
import { HEADLINE, type Release, type Target } from "./release.ts";

/** Homebrew's blocks for a system and its processor. */
const BLOCKS: Partial<Record<Target, readonly [system: string, processor: string]>> = {
  "darwin-arm64": ["macos", "arm"],
  "darwin-x64": ["macos", "intel"],
  "linux-arm64": ["linux", "arm"],
  "linux-x64": ["linux", "intel"],
};

export const HOMEBREW_TARGETS = Object.keys(BLOCKS) as Target[];

/** Writes the formula of a tap, and returns its path. */
export function writeHomebrew(release: Release, downloads: readonly Download[]): string {
  const folder = join(release.folder, "homebrew", "Formula");
  mkdirSync(folder, { recursive: true });
  const path = join(folder, "printwright.rb");
  writeFileSync(path, formulaOf(release, downloads));
  return path;
}

function formulaOf({ version, licence, publisher }: Release, downloads: readonly Download[]): string {
  const bySystem = Map.groupBy(downloads, ({ target }) => BLOCKS[target]?.[0] ?? target);
  const systems = [...bySystem].map(
    ([system, ofSystem]) => `  on_${system} do
${ofSystem
  .map(
    ({ target, url, sha256 }) => `    on_${BLOCKS[target]?.[1]} do
      url "${url}"
      sha256 "${sha256}"
    end`,
  )
  .join("\n")}
  end
`,
  );
  return `class Printwright < Formula
  desc "${HEADLINE}"
  homepage "${publisher.homepage}"
  version "${version}"
  license "${licence}"

${systems.join("\n")}
  def install
    bin.install "printwright"
    man1.install Dir["man/man1/*"]
    doc.install "LICENSE", "licences.txt"
    # A build on Linux cannot sign for macOS, which starts no file without a signature.
    system "codesign", "--force", "--sign", "-", bin/"printwright" if OS.mac?
    generate_completions_from_executable(bin/"printwright", "completion")
  end

  test do
    assert_equal version.to_s, shell_output("#{bin}/printwright version").strip
    assert_match "PRUSA-SL1S", shell_output("#{bin}/printwright printers --search SL1S")
  end
end
`;
}
