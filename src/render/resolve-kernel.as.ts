// AssemblyScript, compiled by `bun run wasm` to `resolve-kernel.wasm.ts`. `resolve-kernel.ts` allocates its memory and calls it.

import { b as floorB, g as floorG, opacity as floorOpacity, paint, paintNothing, r as floorR } from "./platform-colour.as";

export {
  cellMm,
  darkness,
  depthMm,
  filletMm,
  fromAbove,
  gridB,
  gridG,
  gridR,
  heavyOpacityX,
  heavyOpacityY,
  lineOpacityX,
  lineOpacityY,
  pixelXMm,
  pixelYMm,
  platformB,
  platformG,
  platformOpacity,
  platformR,
  shadowColumns,
  shadowRows,
  widthMm,
  xA,
  xB,
  xC,
  yA,
  yB,
  yC,
} from "./platform-colour.as";

/** Pixels of a row. */
export let width: i32;
/** The samples of a row: nearness, facet, and light as in `ShadedPoints` (4 bytes each). */
export let nearness: usize;
export let facets: usize;
export let lights: usize;

/** Whether there is a platform, and its nearness to the camera as a linear function of the screen, pixels. */
export let hasPlatform: i32;
export let floorX: f64;
export let floorY: f64;
export let floorStart: f64;
/** A facet less than this nearer or farther than the platform counts as on its visible side, pixels. */
export let slack: f64;

/** Linear light of the tints (three numbers of 8 bytes each), and sRGB bytes by linear light. */
export let tints: usize;
export let srgb: usize;

/** The row of the picture: four bytes for each pixel, its nearness (4 bytes), and whether it shows the upper side of the platform (1 byte). */
export let rgba: usize;
export let pixelNearness: usize;
export let isFloor: usize;

const SAMPLES: i32 = 4;
const NO_FACET: i32 = -1;
const LIGHT_STEPS: f64 = 4095;

// Fields of a light, as in `shade.ts`.
const LIGHT_ONE: f64 = 16383;
const LIT_SHIFT: i32 = 16;
const SHINE_SHIFT: i32 = 3;
const SHINE_MASK: i32 = (1 << (LIT_SHIFT - SHINE_SHIFT)) - 1;
const TINT_MASK: i32 = (1 << SHINE_SHIFT) - 1;

/** Distance of a sample from the left side of its pixel, as in `rasterise.ts`. */
// @ts-ignore: a decorator of AssemblyScript.
@inline
function sampleX(sample: i32): f64 {
  return sample === 0 ? 0.375 : sample === 1 ? 0.875 : sample === 2 ? 0.125 : 0.625;
}
/** The sample whose surface goes to the G-buffer. */
const SHADOWED_SAMPLE: i32 = 1;

// @ts-ignore: a decorator of AssemblyScript.
@inline
function litOf(light: i32): i32 {
  return light >> LIT_SHIFT;
}
// @ts-ignore: a decorator of AssemblyScript.
@inline
function shineOf(light: i32): i32 {
  return (light >> SHINE_SHIFT) & SHINE_MASK;
}
// @ts-ignore: a decorator of AssemblyScript.
@inline
function tintOf(light: i32): i32 {
  return light & TINT_MASK;
}
// @ts-ignore: a decorator of AssemblyScript.
@inline
function tint(kind: i32, channel: i32): f64 {
  return load<f64>(tints + ((3 * kind + channel) << 3));
}
// @ts-ignore: a decorator of AssemblyScript.
@inline
function near(sample: i32): f64 {
  return <f64>load<f32>(nearness + (sample << 2));
}
// @ts-ignore: a decorator of AssemblyScript.
@inline
function lightAt(sample: i32): i32 {
  return load<i32>(lights + (sample << 2));
}
// @ts-ignore: a decorator of AssemblyScript.
@inline
function isSky(sample: i32): bool {
  return load<i32>(facets + (sample << 2)) === NO_FACET;
}

/** The sum of the light of the samples of the present pixel. */
let r: f64;
let g: f64;
let b: f64;

/** Computes the pixels of row y as the means of their samples, behind the platform or in front of it. */
export function resolveRow(y: i32, skyR: f64, skyG: f64, skyB: f64): void {
  const isFromAbove = slack > 0;
  const floorReach = (abs(floorX) + abs(floorY)) / 2 - slack;
  const floorToShadowed =
    floorX * (sampleX(SHADOWED_SAMPLE) - 0.5) + floorY * ((<f64>SHADOWED_SAMPLE + 0.5) / <f64>SAMPLES - 0.5);
  for (let column = 0; column < width; column++) {
    const first = column * SAMPLES;
    const floorMiddle = floorX * (<f64>column + 0.5) + floorY * (<f64>y + 0.5) + floorStart;
    r = 0;
    g = 0;
    b = 0;
    paintNothing();
    if (isOneKind(first, floorMiddle + floorReach)) addOneKind(first);
    else {
      if (hasPlatform) paint(<f64>column + 0.5, <f64>y + 0.5);
      if (isSky(first) && isSky(first + 1) && isSky(first + 2) && isSky(first + 3)) {
        r = <f64>SAMPLES * (skyR + floorOpacity * (floorR - skyR));
        g = <f64>SAMPLES * (skyG + floorOpacity * (floorG - skyG));
        b = <f64>SAMPLES * (skyB + floorOpacity * (floorB - skyB));
      } else {
        for (let sample = 0; sample < SAMPLES; sample++) addSample(column, y, sample, skyR, skyG, skyB);
      }
    }
    const pixel = rgba + (column << 2);
    store<u8>(pixel, srgbByte(r / <f64>SAMPLES));
    store<u8>(pixel, srgbByte(g / <f64>SAMPLES), 1);
    store<u8>(pixel, srgbByte(b / <f64>SAMPLES), 2);
    store<u8>(pixel, 255, 3);
    const body = near(first + SHADOWED_SAMPLE);
    const floorNear = floorMiddle + floorToShadowed;
    const showsFloor = isFromAbove && floorOpacity > 0 && floorNear > body + slack;
    store<f32>(pixelNearness + (column << 2), <f32>(showsFloor ? floorNear : body));
    store<u8>(isFloor + column, showsFloor ? 1 : 0);
  }
}

/** Whether all samples of a pixel show one kind of body, and nothing of the platform, as in most pixels of most pictures. */
function isOneKind(first: i32, nearestFloor: f64): bool {
  if (
    !(
      near(first) > nearestFloor &&
      near(first + 1) > nearestFloor &&
      near(first + 2) > nearestFloor &&
      near(first + 3) > nearestFloor
    )
  )
    return false;
  const kind = tintOf(lightAt(first));
  return (
    tintOf(lightAt(first + 1)) === kind && tintOf(lightAt(first + 2)) === kind && tintOf(lightAt(first + 3)) === kind
  );
}

function addOneKind(first: i32): void {
  const l = lightAt(first);
  const m = lightAt(first + 1);
  const n = lightAt(first + 2);
  const o = lightAt(first + 3);
  const kind = tintOf(l);
  const lit = <f64>(litOf(l) + litOf(m) + litOf(n) + litOf(o)) / LIGHT_ONE;
  const shine = <f64>(shineOf(l) + shineOf(m) + shineOf(n) + shineOf(o)) / LIGHT_ONE;
  r = lit * tint(kind, 0) + shine;
  g = lit * tint(kind, 1) + shine;
  b = lit * tint(kind, 2) + shine;
}

function addSample(column: i32, y: i32, sample: i32, skyR: f64, skyG: f64, skyB: f64): void {
  const at = column * SAMPLES + sample;
  const sky = isSky(at);
  const light = lightAt(at);
  const lit = sky ? 0 : <f64>litOf(light) / LIGHT_ONE;
  const shine = sky ? 0 : <f64>shineOf(light) / LIGHT_ONE;
  const kind = tintOf(light);
  const lightR = sky ? skyR : lit * tint(kind, 0) + shine;
  const lightG = sky ? skyG : lit * tint(kind, 1) + shine;
  const lightB = sky ? skyB : lit * tint(kind, 2) + shine;
  const floorNear =
    floorX * (<f64>column + sampleX(sample)) +
    floorY * (<f64>y + (<f64>sample + 0.5) / <f64>SAMPLES) +
    floorStart;
  const opacity = floorNear > near(at) + slack ? floorOpacity : 0;
  r += lightR + opacity * (floorR - lightR);
  g += lightG + opacity * (floorG - lightG);
  b += lightB + opacity * (floorB - lightB);
}

/** The sRGB byte of linear light, clamped to 1. */
function srgbByte(value: f64): u32 {
  return load<u8>(srgb + <i32>(value >= 1 ? LIGHT_STEPS : value * LIGHT_STEPS + 0.5));
}
