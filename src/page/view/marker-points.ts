import { BufferAttribute, BufferGeometry, GLSL3, Group, Points, RawShaderMaterial } from "three";
import type { Caption } from "./captions.ts";
import { type Palette, rgbOf } from "./palette.ts";
import type { Marker } from "./view.ts";

/** Rings at the places of findings, and dots over the marked regions. All are drawn with four draw calls, independent of their number. */
export interface MarkerPoints {
  readonly object: Group;
  show(markers: readonly Marker[], palette: Palette): void;
  /** `pxPerMm` is in device pixels; `ratio` is the number of device pixels per CSS pixel. */
  scaleTo(pxPerMm: number, ratio: number): void;
  close(): void;
}

/** How the points of a layer are drawn. */
interface PointStyle {
  /** Whether the points are rings with a dot in the middle. */
  readonly isRing: boolean;
  /** Limits of the diameter, CSS pixels. */
  readonly leastPx: number;
  readonly mostPx: number;
  /** Offset towards the viewer, in diameters, so that points are in front of the surface that they mark, even if it is inclined. */
  readonly lift: number;
  /** Opacity of points behind a body, and of points in front of all bodies. */
  readonly opacities: readonly [hidden: number, seen: number];
}

/** The limits keep rings visible at tiny places, and keep them from hiding the part at large ones. */
const RING: PointStyle = { isRing: true, leastPx: 14, mostPx: 56, lift: 1.5, opacities: [0.5, 1] };
const DOT: PointStyle = { isRing: false, leastPx: 3, mostPx: 40, lift: 0.25, opacities: [0.3, 0.85] };
/** Diameter of a dot as a fraction of the region that it represents. The gaps between dots show the surface. */
const DOT_SHARE = 0.7;
/** Above this number of markers no captions are shown, since they would not be readable. */
const MAX_LABELS = 30;
/** Order of captions. If captions overlap, the more severe one is visible. */
const ORDER: readonly Marker["severity"][] = ["error", "warning", "info"];

const VERTEX = `
precision highp float;
uniform mat4 viewMatrix, projectionMatrix;
uniform float pxPerMm, ratio, leastPx, mostPx, lift;
in vec3 position;
in vec3 tint;
in float radius;
out vec3 look;
out float sizePx;
void main() {
  look = tint;
  sizePx = clamp(2.0 * radius * pxPerMm, leastPx * ratio, mostPx * ratio);
  vec4 viewed = viewMatrix * vec4(position, 1.0);
  viewed.z += lift * max(2.0 * radius, sizePx / pxPerMm);
  gl_Position = projectionMatrix * viewed;
  gl_PointSize = sizePx;
}`;

// Rings have a dark and a light rim, so that one of them is visible on any background.
const FRAGMENT = `
precision highp float;
uniform float opacity, ratio;
uniform bool isRing;
in vec3 look;
in float sizePx;
out vec4 colour;
void main() {
  float fromMiddle = distance(gl_PointCoord, vec2(0.5)) * sizePx / ratio;
  float fromRim = 0.5 * sizePx / ratio - fromMiddle;
  if (fromRim < 0.0 || (isRing && fromRim > 4.5 && fromMiddle > 1.5)) discard;
  vec3 rim = fromRim < 1.0 ? vec3(0.06) : vec3(1.0);
  colour = vec4(isRing && fromRim < 2.0 ? rim : look, opacity);
}`;

/** Device pixels per mm and per CSS pixel, which all materials share. */
interface ScaleUniforms {
  readonly pxPerMm: { value: number };
  readonly ratio: { value: number };
}

const newMaterial = (
  { isRing, leastPx, mostPx, lift }: PointStyle,
  opacity: number,
  depthTest: boolean,
  scale: ScaleUniforms,
): RawShaderMaterial =>
  new RawShaderMaterial({
    glslVersion: GLSL3,
    vertexShader: VERTEX,
    fragmentShader: FRAGMENT,
    uniforms: {
      opacity: { value: opacity },
      isRing: { value: isRing },
      leastPx: { value: leastPx },
      mostPx: { value: mostPx },
      lift: { value: lift },
      ...scale,
    },
    transparent: true,
    depthWrite: false,
    depthTest,
  });

/** A layer of points with one style. It is drawn twice: faintly through all bodies, and again where the points are not hidden. */
function newPointLayer(style: PointStyle, order: number, scale: ScaleUniforms) {
  const materials = style.opacities.map((opacity, i) => newMaterial(style, opacity, i === 1, scale));
  let geometry = new BufferGeometry();
  const objects = materials.map((material, i) => {
    const one = new Points(geometry, material);
    one.frustumCulled = false;
    one.renderOrder = order + i;
    return one;
  });
  return {
    objects,
    /** Positions (x, y, z, mm), colours (r, g, b) and radii (mm) of the points. */
    show(positions: readonly number[], tints: readonly number[], radii: readonly number[]): void {
      geometry.dispose();
      geometry = new BufferGeometry();
      const put = (name: string, values: readonly number[], width: number) =>
        geometry.setAttribute(name, new BufferAttribute(Float32Array.from(values), width));
      put("position", positions, 3);
      put("tint", tints, 3);
      put("radius", radii, 1);
      for (const one of objects) one.geometry = geometry;
    },
    close(): void {
      geometry.dispose();
      for (const material of materials) material.dispose();
    },
  };
}

/** Returns the chosen markers, or all if none is chosen. */
function chosenOr(markers: readonly Marker[]): readonly Marker[] {
  const chosen = markers.filter(({ isChosen }) => isChosen);
  return chosen.length > 0 ? chosen : markers;
}

export function newMarkerPoints(): MarkerPoints {
  const object = new Group();
  const scale: ScaleUniforms = { pxPerMm: { value: 1 }, ratio: { value: 1 } };
  const dots = newPointLayer(DOT, 1, scale);
  const rings = newPointLayer(RING, 3, scale);
  object.add(...dots.objects, ...rings.objects);
  object.visible = false;
  return {
    object,
    show(markers, palette) {
      const tintOf = ({ severity }: Marker): number[] => rgbOf(palette.severity[severity]);
      rings.show(
        markers.flatMap(({ point }) => [...point]),
        markers.flatMap(tintOf),
        markers.map(({ radiusMm }) => radiusMm),
      );
      // Dots of other markers would cover those of the chosen ones.
      const spread = chosenOr(markers);
      const dotted = spread.flatMap((marker) => Array.from({ length: (marker.dots?.length ?? 0) / 3 }, () => marker));
      dots.show(
        spread.flatMap((marker) => marker.dots ?? []),
        dotted.flatMap(tintOf),
        dotted.map(({ dotMm = 0 }) => (DOT_SHARE * dotMm) / 2),
      );
      object.visible = markers.length > 0;
    },
    scaleTo(pxPerMm, ratio) {
      scale.pxPerMm.value = pxPerMm;
      scale.ratio.value = ratio;
    },
    close() {
      dots.close();
      rings.close();
    },
  };
}

/** Captions of the chosen markers, or of all if none is chosen. Empty if there are too many. */
export function markerCaptions(markers: readonly Marker[]): Caption[] {
  const shown = chosenOr(markers);
  if (shown.length > MAX_LABELS) return [];
  return shown
    .toSorted((a, b) => ORDER.indexOf(a.severity) - ORDER.indexOf(b.severity))
    .map(({ label, point, severity }) => ({ text: label, point, style: `marker view-caption-${severity}` }));
}
