import { createHash } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { lazy } from "../core/memoize.ts";

/** A file of the page, as `build.ts` makes it. */
interface PageFile {
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** The same, compressed. */
  readonly encoded: Readonly<Record<"br" | "gzip", Uint8Array<ArrayBuffer> | undefined>>;
  readonly type: string;
  /** Of its content, in hexadecimal. */
  readonly hash: string;
}

const TYPES = { "page.js": "text/javascript; charset=utf-8", "page.css": "text/css; charset=utf-8" } as const;
export type PageFileName = keyof typeof TYPES;
export const PAGE_FILES = Object.keys(TYPES) as readonly PageFileName[];

/** The files are beside the modules of the executable; from sources they are in `dist/page`, once `bun run page` has made them. */
const FOLDERS = ["assets", "../../dist/page"];

function readPageFile(name: string): Uint8Array<ArrayBuffer> | undefined {
  const urls = FOLDERS.map((folder) => new URL(`${folder}/${name}`, import.meta.url));
  const url = urls.find((one) => existsSync(one));
  return url && new Uint8Array(readFileSync(url));
}

/** A script or style of the page. Undefined where the page was not built. */
export const pageFile = (name: PageFileName): PageFile | undefined => FILES[name]();

const FILES = Object.fromEntries(
  PAGE_FILES.map((name) => [
    name,
    lazy((): PageFile | undefined => {
      const bytes = readPageFile(name);
      if (!bytes) return undefined;
      const hash = createHash("sha256").update(bytes).digest("hex").slice(0, HASH_DIGITS);
      const encoded = { br: readPageFile(`${name}.br`), gzip: readPageFile(`${name}.gz`) };
      return { bytes, encoded, type: TYPES[name], hash };
    }),
  ]),
) as Record<PageFileName, () => PageFile | undefined>;

const HASH_DIGITS = 16;

/** The document, which names its files with their hashes, so that they can be cached for good. Undefined where the page was not built. */
export const pageDocument = lazy((): string | undefined => {
  const bytes = readPageFile("page.html");
  if (!bytes) return undefined;
  return PAGE_FILES.reduce(
    (html, name) => html.replaceAll(`/ui/${name}"`, `/ui/${name}?${pageFile(name)?.hash}"`),
    new TextDecoder().decode(bytes),
  );
});
