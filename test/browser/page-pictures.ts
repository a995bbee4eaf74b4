import assert from "node:assert/strict";
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { encodePng } from "../../src/codec/png.ts";
import { noProgress } from "../../src/core/progress.ts";
import type { Pixels } from "../fixture/read-png.ts";
import { goldenCopy, pictureDifference, withAlpha } from "../fixture/golden-picture.ts";
import { readPng } from "../fixture/read-png.ts";
import type { PageDriver } from "./page-driver.ts";

/** Tolerance for different rounding on other machines. */
export const TOLERANCE = { mean: 0.5, share: 0.002 };
const MOST_TRIES = 20;
const BETWEEN_TRIES_MS = 250;
/** Folder for pictures that differ from the golden ones, so that they can be inspected and replace them. */
const SEEN_HERE = fileURLToPath(new URL("../../dist/pictures/", import.meta.url));

/** A rectangle of the page, CSS pixels. */
export interface Clip {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** Path of the golden picture with this name. */
export const goldenFile = (name: string): string =>
  fileURLToPath(new URL(`../fixture/golden/${name}.png`, import.meta.url));

/**
 * Compares the view, or another rectangle of the page, with the golden picture with this name, until they are alike: some of it is
 * drawn late on a busy machine.
 */
export async function assertPictured(driver: PageDriver, name: string, clip: Clip | "view"): Promise<void> {
  const golden = existsSync(goldenFile(name)) ? readPng(goldenFile(name)) : undefined;
  let seen = "";
  let last: Pixels | undefined;
  for (let tries = 0; tries < MOST_TRIES; tries++) {
    const picture = await pictureOf(driver, clip);
    const isSameSize = golden?.width === picture.width && golden.height === picture.height;
    const difference = golden && isSameSize ? pictureDifference(golden, picture) : undefined;
    if (difference && difference.mean <= TOLERANCE.mean && difference.share <= TOLERANCE.share) return;
    seen = `${name} looks otherwise (${JSON.stringify(difference)}): see it in ${SEEN_HERE}`;
    const path = join(SEEN_HERE, `${name}.png`);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, Buffer.concat(encodePng(withAlpha(picture), noProgress)));
    // A new picture is that of a page that has come to rest.
    if (!golden && last && pictureDifference(last, picture).mean === 0) break;
    last = picture;
    await setTimeout(BETWEEN_TRIES_MS);
  }
  assert.fail(seen);
}

async function pictureOf(driver: PageDriver, clip: Clip | "view") {
  return goldenCopy(await driver.picture(clip === "view" ? undefined : clip));
}
