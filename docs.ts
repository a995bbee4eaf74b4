import { readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { apiDocument } from "./src/api/api-document.ts";
import { EVENT_STREAM } from "./src/api/event-stream-path.ts";
import { openApi } from "./src/api/openapi.ts";
import { printerTypes } from "./src/catalog/catalog.ts";
import machines from "./src/catalog/machines.json" with { type: "json" };
import { openPrinters } from "./src/catalog/open-printers.ts";
import type { JobKind, PrinterType } from "./src/catalog/setting.ts";
import { ENDPOINTS } from "./src/feature/endpoints.ts";
import type { JobReader } from "./src/job/job-reader.ts";
import { JOB_READERS, READER_OF_KIND } from "./src/job/job-readers.ts";
import { JOB_WRITERS, type JobFormat } from "./src/job/job-writers.ts";
import { protocolsFor } from "./src/printer/printer-protocols.ts";

// `bun run docs` writes what documents say of the interface, the printers and the formats of jobs, from the data of the program.

/** Text of each document that is generated, or has generated parts, by its path from the root of the project. */
export function generatedDocuments(): ReadonlyMap<string, string> {
  return new Map([
    ["docs/api.md", `${apiDocument(openApi(ENDPOINTS, EVENT_STREAM))}\n`],
    ["docs/machines.md", machinesDocument()],
    [
      "docs/formats.md",
      withParts("docs/formats.md", { "formats written": writtenFormats(), "formats read": readFormats() }),
    ],
    ["README.md", withParts("README.md", { printers: printersOfFormats() })],
  ]);
}

const root = import.meta.dirname;

/** A document of this project with new text between its marks, which are comments with the name of each part. */
function withParts(path: string, parts: Readonly<Record<string, string>>): string {
  return Object.entries(parts).reduce(
    (text, [name, part]) => {
      const [begin, end] = [`<!-- ${name}: by \`bun run docs\` -->\n`, `<!-- end of ${name} -->\n`];
      const [before, rest = "", ...more] = text.split(begin);
      const [, after, ...others] = rest.split(end);
      if (after === undefined || more.length + others.length > 0)
        throw new Error(`${path} lacks the marks of "${name}".`);
      return `${before}${begin}\n${part}\n${end}${after}`;
    },
    readFileSync(join(root, path), "utf8"),
  );
}

const code = (text: string): string => `\`${text}\``;

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const lines = [head, head.map(() => "---"), ...rows];
  return lines.map((cells) => `| ${cells.join(" | ")} |\n`).join("");
}

const compare = new Intl.Collator("en", { numeric: true }).compare;
const sorted = (texts: Iterable<string>): string[] => [...new Set(texts)].sort(compare);

/** "Elegoo 2, Phrozen": makers with the number of their printers, if that is not 1. */
function makersOf(types: readonly PrinterType[]): string {
  const makers = Map.groupBy(types, ({ maker }) => maker);
  return sorted(makers.keys())
    .map((maker) => [maker, makers.get(maker)?.length ?? 0] as const)
    .map(([maker, count]) => (count === 1 ? maker : `${maker} ${count}`))
    .join(", ");
}

const OPEN_TYPES = printerTypes().filter(({ job }) => job !== "form");
/** Their jobs are written here, without a program of the user. */
const WRITTEN = OPEN_TYPES.filter(({ jobConvertedFrom }) => jobConvertedFrom === undefined);
const CONVERTED = OPEN_TYPES.filter(({ jobConvertedFrom }) => jobConvertedFrom !== undefined);

const extensionsOf = (types: readonly PrinterType[]): string =>
  sorted(types.map(({ jobExtension }) => jobExtension))
    .map(code)
    .join(", ");

const FORMATS = Object.keys(JOB_WRITERS) as JobFormat[];
const formatsOf = (reader: JobReader): JobFormat[] => FORMATS.filter((format) => READER_OF_KIND[format] === reader);
const readBy = (reader: JobReader): PrinterType[] => WRITTEN.filter(({ job }) => READER_OF_KIND[job] === reader);

function printersOfFormats(): string {
  const rows = JOB_READERS.filter((reader) => readBy(reader).length > 0)
    .toSorted((one, other) => compare(one.name, other.name))
    .map((reader) => [
      reader.name,
      extensionsOf(readBy(reader)),
      String(readBy(reader).length),
      makersOf(readBy(reader)),
    ]);
  const makers = new Set(OPEN_TYPES.map(({ maker }) => maker));
  return `${OPEN_TYPES.length} resin printers of ${makers.size} makers are known; [docs/machines.md](docs/machines.md) lists each of them with its panel and its files:

${table(
  ["job files", "extensions", "printers", "of"],
  [
    ...rows,
    [
      "encrypted ones, by a program of yours (`--job-converter`)",
      extensionsOf(CONVERTED),
      String(CONVERTED.length),
      makersOf(CONVERTED),
    ],
  ],
)}`;
}

function writtenFormats(): string {
  const rows = FORMATS.map((format) => {
    const types = WRITTEN.filter(({ job }) => job === (format satisfies JobKind));
    const extensions = types.length > 0 ? extensionsOf(types) : "";
    return [
      code(format),
      READER_OF_KIND[format].name,
      extensions,
      String(JOB_WRITERS[format].greyLevels),
      makersOf(types),
    ];
  });
  return table(["`job.format`", "job files", "extensions", "grey levels", "printers"], rows);
}

function readFormats(): string {
  const rows = JOB_READERS.map((reader) => [
    reader.name,
    reader.versions?.join(", ") ?? "",
    formatsOf(reader).length === 0 ? "only read" : formatsOf(reader).map(code).join(", "),
  ]);
  return table(["job files", "versions that are read", "written as"], rows);
}

function machinesDocument(): string {
  const makers = Map.groupBy(printerTypes(), ({ maker }) => maker);
  const sections = sorted(makers.keys()).map((maker) => {
    const types = (makers.get(maker) ?? []).toSorted((one, other) => compare(one.label, other.label));
    return `## ${maker}\n\n${table(
      ["printer", "`--printer`", "pixels", "panel and height in mm", "job files", "network", "doubtful"],
      types.map(machineRow),
    )}`;
  });
  return `# Machines

<!-- This document is made by \`bun run docs\` from src/catalog/: change the data. -->

The printers that jobs can be prepared for, as \`printwright printers\` lists them. \`--printer\` takes the id or the name. Job files have the given
extension and, in brackets, the \`job.format\` of [own-printers.md](own-printers.md), where a printer that is not in this list is described; what the formats
can state is in [formats.md](formats.md). A network column without an entry stands for a USB stick, or another medium or share
([printers.md](printers.md#folders-usb-sticks-and-shares)). "Doubtful" are figures that one source alone has, or that sources contradict: make the first job a
small part with letters.

${sections.join("\n")}`;
}

function machineRow(type: PrinterType): string[] {
  const { pixels } = type.raster;
  return [
    type.label,
    code(type.machineType),
    pixels.join(" × "),
    type.volume.dimensionsMm.map((mm) => Number(mm.toFixed(3))).join(" × "),
    jobFilesOf(type),
    protocolsFor(type)
      .map((protocol) => code(`${protocol}://`))
      .join(", "),
    doubtsOf(type).join("; ").replaceAll("|", "\\|"),
  ];
}

function jobFilesOf({ job, jobExtension, jobConvertedFrom }: PrinterType): string {
  if (job === "form") return "models with supports";
  if (jobConvertedFrom === undefined) return `${code(jobExtension)} (${code(job)})`;
  return `${code(jobExtension)}, made of ${code(jobConvertedFrom)} by \`--job-converter\``;
}

/** What the sources of a printer's figures leave open. */
function doubtsOf({ label, machineType, job }: PrinterType): string[] {
  if (job === "form") {
    const isKnown = machines.printerTypes.find((type) => type.label === label)?.pixelUm.known;
    return isKnown ? [] : ["pixels: working value"];
  }
  const { doubts, ...sources } = openPrinters().find((printer) => printer.machine_type === machineType)?.sources ?? {};
  const isOpen = (source: string): boolean => /^working values|not measured/.test(source);
  return [
    ...(doubts === undefined ? [] : [doubts]),
    ...Object.entries(sources)
      .filter(([, source]) => isOpen(source))
      .map(([field, source]) => `${field}: ${source}`),
  ];
}

if (import.meta.main) {
  for (const [path, text] of generatedDocuments()) {
    writeFileSync(join(root, `${path}.new`), text);
    renameSync(join(root, `${path}.new`), join(root, path));
  }
}
