import { type Signal, signal } from "@preact/signals";
import type { PageBody } from "../../ui/replies.ts";
import { fetchMesh } from "../view/mesh-store.ts";
import { paletteOf } from "../view/palette.ts";
import { THUMBNAIL, drawThumbnail } from "../view/thumbnail.ts";

/** Meshes with more triangles are drawn from their simplified form. */
const MAX_TRIANGLES = 5000;
/** Pictures that are kept, of 31 KB each. */
const MAX_KEPT = 400;
/** Meshes that are fetched at the same time, so that the view gets its own first. */
const MAX_FETCHED = 2;

/** Address of the picture, which contains it. */
type Thumbnail = Signal<string | undefined>;

/** By mesh and orientation, the most recently used last. */
const known = new Map<string, Thumbnail>();
let waiting: readonly (() => Promise<void>)[] = [];
let running = 0;

/**
 * The picture of a part, by its mesh and orientation. It is drawn once, while the page has nothing else to do; undefined until then, and
 * if the mesh cannot be fetched.
 */
export function thumbnailOf({ mesh, matrix }: PageBody): Thumbnail {
  const turn = matrix.filter((_, i) => i < 12 && i % 4 !== 3);
  // Only the direction counts: pictures are filled whatever the scale is.
  const longest = Math.max(...turn.map(Math.abs));
  const key = `${mesh} ${turn.map((entry) => (entry / longest).toFixed(3)).join(" ")}`;
  const old = known.get(key);
  const thumbnail: Thumbnail = old ?? signal(undefined);
  known.delete(key);
  known.set(key, thumbnail);
  if (old) return old;
  const [oldest] = known.keys();
  if (known.size > MAX_KEPT && oldest !== undefined) known.delete(oldest);
  waiting = [...waiting, () => draw(mesh, matrix, thumbnail)];
  next();
  return thumbnail;
}

function next(): void {
  const [first, ...others] = waiting;
  if (!first || running >= MAX_FETCHED) return;
  waiting = others;
  running++;
  void first().finally(() => {
    running--;
    next();
  });
}

async function draw(hash: string, matrix: PageBody["matrix"], thumbnail: Thumbnail): Promise<void> {
  await idle();
  try {
    const mesh = await fetchMesh(`/ui/mesh/${encodeURIComponent(hash)}/?max_triangles=${MAX_TRIANGLES}`);
    await idle();
    const { width, height } = THUMBNAIL;
    const canvas = Object.assign(document.createElement("canvas"), { width, height });
    const pixels = drawThumbnail(mesh, matrix, paletteOf(false).part);
    canvas.getContext("2d")?.putImageData(new ImageData(pixels, width, height), 0, 0);
    thumbnail.value = canvas.toDataURL();
  } catch {
    // The list shows an icon instead.
  }
}

/** Resolves when the browser has nothing else to do. */
const idle = (): Promise<void> =>
  new Promise((resolve) => {
    if ("requestIdleCallback" in globalThis) requestIdleCallback(() => resolve(), { timeout: 2000 });
    else setTimeout(resolve, 50);
  });
