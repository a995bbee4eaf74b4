import { createHash } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { gunzipSync } from "node:zlib";
import { lazy } from "../core/memoize.ts";

/** A file of the page, made by `build.ts`. */
interface PageFile {
  /** The file, compressed: the executable has no other copy. */
  readonly encoded: Readonly<Record<"br" | "gzip", Uint8Array<ArrayBuffer>>>;
  readonly type: string;
  /** First hexadecimal digits of the SHA-256 hash of the file as gzip. */
  readonly hash: string;
}

/** The file for a client that accepts no compression. */
export const unpackPageFile = ({ encoded }: PageFile): Uint8Array<ArrayBuffer> =>
  new Uint8Array(gunzipSync(encoded.gzip));

const TYPES = { "page.js": "text/javascript; charset=utf-8", "page.css": "text/css; charset=utf-8" } as const;
export type PageFileName = keyof typeof TYPES;
export const PAGE_FILES = Object.keys(TYPES) as readonly PageFileName[];

/** Folders of the files: next to the modules in the executable; `dist/page` (made by `bun run page`) when run from sources. */
const FOLDERS = ["assets", "../../dist/page"];

function readPageFile(name: string): Uint8Array<ArrayBuffer> | undefined {
  const urls = FOLDERS.map((folder) => new URL(`${folder}/${name}`, import.meta.url));
  const url = urls.find((one) => existsSync(one));
  return url && new Uint8Array(readFileSync(url));
}

/** Returns a script or style sheet of the page; undefined if the page was not built. */
export const pageFile = (name: PageFileName): PageFile | undefined => FILES[name]();

const FILES = Object.fromEntries(
  PAGE_FILES.map((name) => [
    name,
    lazy((): PageFile | undefined => {
      const [br, gzip] = [readPageFile(`${name}.br`), readPageFile(`${name}.gz`)];
      if (!br || !gzip) return undefined;
      const hash = createHash("sha256").update(gzip).digest("hex").slice(0, HASH_DIGITS);
      return { encoded: { br, gzip }, type: TYPES[name], hash };
    }),
  ]),
) as Record<PageFileName, () => PageFile | undefined>;

const HASH_DIGITS = 16;

/** HTML of the page. Its links contain the hashes of the files, so that browsers may cache these forever. Undefined if the page was not built. */
export const pageDocument = lazy((): string | undefined => {
  const bytes = readPageFile("page.html");
  if (!bytes) return undefined;
  return PAGE_FILES.reduce(
    (html, name) => html.replaceAll(`/ui/${name}"`, `/ui/${name}?${pageFile(name)?.hash}"`),
    new TextDecoder().decode(bytes),
  );
});
