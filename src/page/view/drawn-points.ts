import { BufferAttribute, BufferGeometry, GLSL3, Group, Points, RawShaderMaterial } from "three";
import { type Palette, rgbOf } from "./palette.ts";
import type { ShownPoint } from "./view.ts";

/** Support points that can be edited: balls coloured by their class, with two draw calls. */
export interface DrawnPoints {
  readonly object: Group;
  show(points: readonly ShownPoint[], palette: Palette): void;
  /** `pxPerMm` is in device pixels; `ratio` is the number of device pixels per CSS pixel. */
  scaleTo(pxPerMm: number, ratio: number): void;
  close(): void;
}

/** Limits of the diameter, CSS pixels: to be hit, and not to hide the part. */
const [LEAST_PX, MOST_PX] = [10, 26];
/** Points are drawn larger than they touch. */
const GROWTH = 1.6;
/** How much larger the selected ones are. */
const SELECTED_GROWTH = 1.3;
/** Opacity of points behind a body, and of the others. */
const OPACITIES = [0.16, 1] as const;
const SHAPES = { BALL: 0, RING: 1, SQUARE: 2, CROSS: 3 } as const;

const VERTEX = `
precision highp float;
uniform mat4 viewMatrix, projectionMatrix;
uniform float pxPerMm, ratio;
in vec3 position;
in vec3 normal;
in vec3 tint;
in vec3 look;
out vec3 own;
out float sizePx;
flat out float shape;
void main() {
  own = tint;
  shape = look.y;
  float grown = look.z > 0.5 ? ${SELECTED_GROWTH.toFixed(1)} : 1.0;
  sizePx = grown * clamp(look.x * pxPerMm, ${LEAST_PX.toFixed(1)} * ratio, ${MOST_PX.toFixed(1)} * ratio);
  vec4 viewed = viewMatrix * vec4(position, 1.0);
  // In front of the surface that it marks, also of an inclined one; but a point behind a thin floor stays behind it.
  if (dot(mat3(viewMatrix) * normal, vec3(0.0, 0.0, 1.0)) > -0.05) viewed.z += sizePx / pxPerMm;
  gl_Position = projectionMatrix * viewed;
  gl_PointSize = sizePx;
}`;

const FRAGMENT = `
precision highp float;
uniform float opacity, ratio;
in vec3 own;
in float sizePx;
flat in float shape;
out vec4 colour;
void main() {
  vec2 at = (gl_PointCoord - 0.5) * sizePx / ratio;
  float half_ = 0.5 * sizePx / ratio;
  float far = shape > 1.5 && shape < 2.5 ? max(abs(at.x), abs(at.y)) + 0.13 * half_ : length(at);
  if (shape > 2.5) {
    float off = min(abs(at.x - at.y), abs(at.x + at.y)) / 1.4142;
    if (off > 2.2 || far > half_) discard;
    colour = vec4(off > 1.4 ? vec3(1.0) : own, opacity);
    return;
  }
  if (far > half_) discard;
  float shade = 1.0 - 0.22 * smoothstep(0.2, 1.0, length(at - vec2(-0.25, -0.3) * half_) / half_);
  vec3 body = own * shade;
  // By hand: a ring around a light middle.
  if (shape > 0.5 && shape < 1.5 && far < 0.42 * half_) body = vec3(1.0);
  colour = vec4(half_ - far < 1.0 ? vec3(0.06) : body, opacity);
}`;

export function newDrawnPoints(): DrawnPoints {
  const object = new Group();
  const scale = { pxPerMm: { value: 1 }, ratio: { value: 1 } };
  let geometry = new BufferGeometry();
  const materials = OPACITIES.map(
    (opacity, i) =>
      new RawShaderMaterial({
        glslVersion: GLSL3,
        vertexShader: VERTEX,
        fragmentShader: FRAGMENT,
        uniforms: { opacity: { value: opacity }, ...scale },
        transparent: true,
        depthWrite: false,
        depthTest: i === 1,
      }),
  );
  const layers = materials.map((material, i) => {
    const layer = new Points(geometry, material);
    layer.frustumCulled = false;
    layer.renderOrder = 5 + i;
    return layer;
  });
  object.add(...layers);
  object.visible = false;
  return {
    object,
    show(points, palette) {
      geometry.dispose();
      geometry = new BufferGeometry();
      const put = (name: string, valuesOf: (point: ShownPoint) => readonly number[]): void =>
        void geometry.setAttribute(name, new BufferAttribute(Float32Array.from(points.flatMap(valuesOf)), 3));
      put("position", ({ point }) => point);
      put("normal", ({ normal }) => normal);
      put("tint", (point) => rgbOf(tintOf(point, palette)));
      put("look", ({ sizeMm, shape, isSelected }) => [GROWTH * sizeMm, SHAPES[shape], isSelected ? 1 : 0]);
      for (const layer of layers) layer.geometry = geometry;
      object.visible = points.length > 0;
    },
    scaleTo(pxPerMm, ratio) {
      scale.pxPerMm.value = pxPerMm;
      scale.ratio.value = ratio;
    },
    close() {
      geometry.dispose();
      for (const material of materials) material.dispose();
    },
  };
}

function tintOf({ shape, size, isSelected }: ShownPoint, palette: Palette): number {
  if (isSelected) return palette.selectedPoint;
  return shape === "CROSS" ? palette.severity.error : palette.points[size];
}
