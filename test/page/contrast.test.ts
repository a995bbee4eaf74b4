import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";

const css = readFileSync(new URL("../../src/page/style/colours.css", import.meta.url), "utf8");
const declarations = css.matchAll(/--([\w-]+): light-dark\((#\w{6}), (#\w{6})\)/g);
const COLOURS = Object.fromEntries([...declarations].map(([, name, light, dark]) => [name, [light, dark]]));

/** Relative luminance of a colour (WCAG 2.2). */
function luminance(colour: string): number {
  const [r, g, b] = [1, 3, 5].map((at) => {
    const share = Number.parseInt(colour.slice(at, at + 2), 16) / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

function contrast(a: string, b: string): number {
  const [dark, light] = [luminance(a), luminance(b)].sort((x, y) => x - y);
  return (light + 0.05) / (dark + 0.05);
}

type Pairs = readonly [front: string, grounds: readonly string[]][];

/** Pairs of text and background colours: contrast of at least 4.5 (WCAG 1.4.3). */
const TEXTS: Pairs = [
  ["text", ["page", "panel", "raised", "hover", "chosen"]],
  ["muted", ["page", "panel", "raised", "hover"]],
  ["accent", ["panel", "raised", "chosen"]],
  ["on-accent", ["accent", "accent-hover"]],
  ["error", ["panel", "raised"]],
  ["warning", ["panel", "raised"]],
  ["success", ["panel", "raised", "chosen"]],
  ["on-light", ["success", "warning-light", "error"]],
];

/** Borders of fields, and focus rings: contrast of at least 3 (WCAG 1.4.11). */
const EDGES: Pairs = [
  ["edge", ["panel", "raised"]],
  ["accent", ["panel", "raised", "hover", "page"]],
];

for (const [i, mode] of ["light", "dark"].entries()) {
  test(`colours have the contrast of WCAG AA, ${mode}`, () => {
    const tooClose = (pairs: Pairs, least: number): string[] =>
      pairs.flatMap(([front, grounds]) =>
        grounds
          .map((ground): [string, number] => [ground, contrast(COLOURS[front][i], COLOURS[ground][i])])
          .filter(([, ratio]) => ratio < least)
          .map(([ground, ratio]) => `${front} on ${ground}: ${ratio.toFixed(2)}`),
      );
    assert.deepEqual([...tooClose(TEXTS, 4.5), ...tooClose(EDGES, 3)], []);
  });
}
