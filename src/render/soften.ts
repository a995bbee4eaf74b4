/** Pixels to each side of the middle. */
const RADIUS = 3;
/** Neighbours that lie deeper or nearer than the middle by as many pixels per pixel of distance are another surface. */
const STEEPEST = 3;

/** Blurs `light` within surfaces: it does not flow over the edges of bodies. */
export function soften(light: Uint8Array, nearness: Float32Array, width: number): Uint8Array {
  const across = pass(light, nearness, width, 1);
  return pass(across, nearness, width, width);
}

function pass(light: Uint8Array, nearness: Float32Array, width: number, step: number): Uint8Array {
  const softened = new Uint8Array(light.length);
  for (let at = 0; at < light.length; at++) {
    const z = nearness[at];
    if (z === -Infinity) {
      softened[at] = light[at];
      continue;
    }
    const place = step === 1 ? at % width : Math.floor(at / width);
    const count = step === 1 ? width : light.length / width;
    let sum = 0;
    let weights = 0;
    for (let k = Math.max(-RADIUS, -place); k <= RADIUS && place + k < count; k++) {
      const other = at + k * step;
      if (!(Math.abs(nearness[other] - z) <= STEEPEST * Math.abs(k))) continue;
      const weight = RADIUS + 1 - Math.abs(k);
      sum += weight * light[other];
      weights += weight;
    }
    softened[at] = sum / weights + 0.5;
  }
  return softened;
}
