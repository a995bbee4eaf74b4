import { BufferAttribute, BufferGeometry, GLSL3, Group, Points, RawShaderMaterial } from "three";
import type { Caption } from "./captions.ts";
import { type Palette, rgbOf } from "./palette.ts";
import type { Marker } from "./view.ts";

/** Rings at the places that checks found, drawn with two orders however many they are. */
export interface MarkerPoints {
  readonly object: Group;
  show(markers: readonly Marker[], palette: Palette): void;
  /** `pxPerMm` in pixels of the screen, `ratio` of them to a CSS pixel. */
  scaleTo(pxPerMm: number, ratio: number): void;
  close(): void;
}

/** A place must be found even where it is tiny, and must not hide the part where it is large; CSS pixels of a diameter. */
const [MIN_PX, MAX_PX] = [14, 56];
/** Of a ring that lies behind something. */
const HIDDEN_OPACITY = 0.35;
/** With more words than this one reads none. */
const MAX_LABELS = 12;

const VERTEX = `
precision highp float;
uniform mat4 viewMatrix, projectionMatrix;
uniform float pxPerMm, ratio;
in vec3 position;
in vec3 tint;
in float radius;
out vec3 look;
out float sizePx;
void main() {
  look = tint;
  sizePx = clamp(2.0 * radius * pxPerMm, ${MIN_PX.toFixed(1)} * ratio, ${MAX_PX.toFixed(1)} * ratio);
  vec4 viewed = viewMatrix * vec4(position, 1.0);
  // Before the surface on which it lies, also where that leans toward the eye.
  viewed.z += radius + sizePx / pxPerMm;
  gl_Position = projectionMatrix * viewed;
  gl_PointSize = sizePx;
}`;

const FRAGMENT = `
precision highp float;
uniform float opacity, ratio;
in vec3 look;
in float sizePx;
out vec4 colour;
void main() {
  float fromRim = (0.5 - distance(gl_PointCoord, vec2(0.5))) * sizePx / ratio;
  float fromMiddle = distance(gl_PointCoord, vec2(0.5)) * sizePx / ratio;
  if (fromRim < 0.0 || (fromRim > 3.5 && fromMiddle > 1.5)) discard;
  bool isEdge = fromRim < 1.0;
  colour = vec4(isEdge ? vec3(1.0) : look, opacity);
}`;

const newMaterial = (opacity: number, depthTest: boolean): RawShaderMaterial =>
  new RawShaderMaterial({
    glslVersion: GLSL3,
    vertexShader: VERTEX,
    fragmentShader: FRAGMENT,
    uniforms: { opacity: { value: opacity }, pxPerMm: { value: 1 }, ratio: { value: 1 } },
    transparent: true,
    depthWrite: false,
    depthTest,
  });

export function newMarkerPoints(): MarkerPoints {
  const object = new Group();
  const materials = [newMaterial(HIDDEN_OPACITY, false), newMaterial(1, true)];
  let geometry = new BufferGeometry();
  const points = materials.map((material, order) => {
    const one = new Points(geometry, material);
    one.frustumCulled = false;
    one.renderOrder = 1 + order;
    object.add(one);
    return one;
  });
  object.visible = false;
  return {
    object,
    show(markers, palette) {
      geometry.dispose();
      geometry = new BufferGeometry();
      const put = (name: string, values: readonly number[], width: number) =>
        geometry.setAttribute(name, new BufferAttribute(Float32Array.from(values), width));
      put(
        "position",
        markers.flatMap(({ point }) => [...point]),
        3,
      );
      put(
        "tint",
        markers.flatMap(({ severity }) => rgbOf(palette.severity[severity])),
        3,
      );
      put(
        "radius",
        markers.map(({ radiusMm }) => radiusMm),
        1,
      );
      for (const one of points) one.geometry = geometry;
      object.visible = markers.length > 0;
    },
    scaleTo(pxPerMm, ratio) {
      for (const { uniforms } of materials) [uniforms.pxPerMm.value, uniforms.ratio.value] = [pxPerMm, ratio];
    },
    close() {
      geometry.dispose();
      for (const material of materials) material.dispose();
    },
  };
}

/** The words of markers, where they are few enough to be read. */
export const markerCaptions = (markers: readonly Marker[]): Caption[] =>
  markers.length > MAX_LABELS
    ? []
    : markers.map(({ label, point, severity }) => ({ text: label, point, style: `marker view-caption-${severity}` }));
