import { BufferAttribute, BufferGeometry, GLSL3, Group, Points, RawShaderMaterial } from "three";
import type { Caption } from "./captions.ts";
import { type Palette, rgbOf } from "./palette.ts";
import type { Marker } from "./view.ts";

/** Rings at the places that checks found, and dots over what was found there, drawn with four orders however many they are. */
export interface MarkerPoints {
  readonly object: Group;
  show(markers: readonly Marker[], palette: Palette): void;
  /** `pxPerMm` in pixels of the screen, `ratio` of them to a CSS pixel. */
  scaleTo(pxPerMm: number, ratio: number): void;
  close(): void;
}

/** What is drawn at each point of a layer. */
interface Look {
  /** The middle is open, but for a point. */
  readonly isRing: boolean;
  /** CSS pixels of a diameter. */
  readonly leastPx: number;
  readonly mostPx: number;
  /** How far toward the eye it is drawn, in diameters: before the surface on which it lies, also where that leans. */
  readonly lift: number;
  /** Where it lies behind something, and before everything. */
  readonly opacities: readonly [hidden: number, seen: number];
}

/** A place must be found even where it is tiny, and must not hide the part where it is large. */
const RING: Look = { isRing: true, leastPx: 14, mostPx: 56, lift: 1.5, opacities: [0.5, 1] };
const DOT: Look = { isRing: false, leastPx: 3, mostPx: 40, lift: 0.25, opacities: [0.3, 0.85] };
/** Of the width of what a dot stands for: what is between them shows the surface. */
const DOT_SHARE = 0.7;
/** With more words than this, which is what a model has places, one reads none. */
const MAX_LABELS = 30;
/** Of words that would cover others, the worse news are seen. */
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

// Rings have a dark and a light rim, of which one stands out of each colour that may be behind.
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

const newMaterial = ({ isRing, leastPx, mostPx, lift }: Look, opacity: number, depthTest: boolean): RawShaderMaterial =>
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
      pxPerMm: { value: 1 },
      ratio: { value: 1 },
    },
    transparent: true,
    depthWrite: false,
    depthTest,
  });

/** Points that look alike: drawn through everything, and again where they are seen. */
function newPointLayer(look: Look, order: number) {
  const materials = look.opacities.map((opacity, i) => newMaterial(look, opacity, i === 1));
  let geometry = new BufferGeometry();
  const objects = materials.map((material, i) => {
    const one = new Points(geometry, material);
    one.frustumCulled = false;
    one.renderOrder = order + i;
    return one;
  });
  return {
    objects,
    materials,
    /** Three numbers a point of each, and a radius in mm. */
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

/** The markers that are looked at, or else all. */
function chosenOr(markers: readonly Marker[]): readonly Marker[] {
  const chosen = markers.filter(({ isChosen }) => isChosen);
  return chosen.length > 0 ? chosen : markers;
}

export function newMarkerPoints(): MarkerPoints {
  const object = new Group();
  const dots = newPointLayer(DOT, 1);
  const rings = newPointLayer(RING, 3);
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
      // Those of other places would cover what is looked at.
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
      for (const { uniforms } of [...dots.materials, ...rings.materials]) {
        [uniforms.pxPerMm.value, uniforms.ratio.value] = [pxPerMm, ratio];
      }
    },
    close() {
      dots.close();
      rings.close();
    },
  };
}

/** The words of the markers that are looked at, or else of all; none where they are too many to be read. */
export function markerCaptions(markers: readonly Marker[]): Caption[] {
  const shown = chosenOr(markers);
  if (shown.length > MAX_LABELS) return [];
  return shown
    .toSorted((a, b) => ORDER.indexOf(a.severity) - ORDER.indexOf(b.severity))
    .map(({ label, point, severity }) => ({ text: label, point, style: `marker view-caption-${severity}` }));
}
