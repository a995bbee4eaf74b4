import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { generatedDocuments } from "../docs.ts";

const contentOf = (path: string): string => readFileSync(new URL(`../${path}`, import.meta.url), "utf8");

for (const [path, text] of generatedDocuments()) {
  test(`${path} says what the program's data say`, () => {
    assert.ok(contentOf(path) === text, `${path} is out of date: renew it with \`bun run docs\`.`);
  });
}

interface PrinterData {
  readonly machine_type: string;
  readonly maker: string;
  readonly product_name: string;
  readonly display: { readonly pixels: readonly number[] };
  readonly job: { readonly format: string; readonly extension: string; readonly converted_from?: string };
  readonly sources: { readonly doubts?: string };
}

const printers: readonly PrinterData[] = JSON.parse(contentOf("src/catalog/open-printers.json")).printers;

/** Rows of the tables of a document, as their cells. */
const rowsOf = (text: string): string[][] =>
  text.split("\n").flatMap((line) => (line.startsWith("| ") ? [line.slice(2, -2).split(" | ")] : []));

test("docs/machines.md has each printer once, under its maker, with its pixels, its files and its doubts", () => {
  const sections = new Map(
    contentOf("docs/machines.md")
      .split("\n## ")
      .map((section) => [section.slice(0, section.indexOf("\n")), rowsOf(section)]),
  );
  const rows = [...sections.values()].flat();
  for (const { machine_type, maker, product_name, display, job, sources } of printers) {
    assert.equal(rows.filter(([, id]) => id === `\`${machine_type}\``).length, 1, machine_type);
    const row = sections.get(maker)?.find(([name]) => name === product_name) ?? [];
    assert.equal(row[2], display.pixels.join(" × "), machine_type);
    const made = job.converted_from === undefined ? `(\`${job.format}\`)` : `made of \`${job.converted_from}\``;
    assert.ok(row[4]?.startsWith(`\`${job.extension}\``) && row[4].includes(made), `${machine_type}: ${row[4]}`);
    assert.ok(row[6]?.includes(sources.doubts ?? ""), machine_type);
  }
});

test("the README counts each printer once, and each is by the extension of its files", () => {
  const [, table = ""] = contentOf("README.md").split("<!-- printers: by `bun run docs` -->");
  const rows = rowsOf(table.split("<!-- end of printers -->")[0] ?? "").slice(2);
  assert.ok(table.trimStart().startsWith(`${printers.length} resin printers of `));
  assert.equal(
    rows.reduce((sum, [, , count]) => sum + Number(count), 0),
    printers.length,
  );
  for (const { maker, job } of printers) {
    assert.ok(
      rows.some(([, files, , makers]) => files?.includes(`\`${job.extension}\``) && makers?.includes(maker)),
      `${maker} ${job.extension}`,
    );
  }
});
