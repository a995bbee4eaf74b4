import {
  BufferAttribute,
  GLSL3,
  InstancedBufferAttribute,
  InstancedBufferGeometry,
  Mesh,
  RawShaderMaterial,
} from "three";
import { LIGHT_ON, MOST_CUTS, planesOf } from "./body-material.ts";
import type { CutPlane, ShownStrut } from "./view.ts";
import { rgbOf } from "./palette.ts";

/** The struts of a draft of supports, with one draw call. */
export interface DraftStruts {
  readonly object: Mesh;
  show(struts: readonly ShownStrut[], colour: number): void;
  cutAt(cuts: readonly CutPlane[]): void;
  close(): void;
}

/** Sides of a strut. */
const SIDES = 8;
/** Length of the rounded ends, as a fraction of their radius: that of a cone that looks like a ball. */
const END_SHARE = 0.8;

/** `along`: 0 at the first end, 1 at the other; `out`: 0 on the axis, at the tip of an end. */
const VERTEX = `
precision highp float;
uniform mat4 viewMatrix, projectionMatrix;
in vec4 position;
in vec4 first;
in vec4 last;
out vec3 inView;
out vec3 inScene;
void main() {
  vec3 axis = last.xyz - first.xyz;
  float size = length(axis);
  vec3 way = size > 1e-6 ? axis / size : vec3(0.0, 0.0, 1.0);
  vec3 side = normalize(cross(way, abs(way.z) < 0.7 ? vec3(0.0, 0.0, 1.0) : vec3(1.0, 0.0, 0.0)));
  vec4 end = position.z < 0.5 ? first : last;
  float isTip = 1.0 - position.w;
  vec3 around = position.x * side + position.y * cross(way, side);
  vec3 world = end.xyz + end.w * (position.w * around + isTip * ${END_SHARE} * (position.z < 0.5 ? -way : way));
  inView = mat3(viewMatrix) * world;
  inScene = world;
  gl_Position = projectionMatrix * (viewMatrix * vec4(world, 1.0));
}`;

const FRAGMENT = `
precision highp float;
uniform mat4 viewMatrix;
uniform vec3 tint;
uniform vec4 cuts[${MOST_CUTS}];
in vec3 inView;
in vec3 inScene;
out vec4 colour;
${LIGHT_ON}
void main() {
  for (int i = 0; i < ${MOST_CUTS}; i++) if (dot(cuts[i].xyz, inScene) > cuts[i].w - 0.001) discard;
  vec3 normal = normalize(cross(dFdx(inView), dFdy(inView)));
  colour = vec4(tint * lightOn(normal), 1.0);
}`;

/** Corners of a strut: x and y around the axis, z the end, w the distance from the axis. */
function strutShape(): { readonly corners: Float32Array; readonly triangles: Uint16Array } {
  const corners: number[] = [0, 0, 0, 0, 0, 0, 1, 0];
  const triangles: number[] = [];
  for (let side = 0; side < SIDES; side++) {
    const angle = (2 * Math.PI * side) / SIDES;
    const [x, y] = [Math.cos(angle), Math.sin(angle)];
    corners.push(x, y, 0, 1, x, y, 1, 1);
    const [a, b] = [2 + 2 * side, 3 + 2 * side];
    const [c, d] = [2 + 2 * ((side + 1) % SIDES), 3 + 2 * ((side + 1) % SIDES)];
    triangles.push(a, c, b, b, c, d, 0, c, a, 1, b, d);
  }
  return { corners: Float32Array.from(corners), triangles: Uint16Array.from(triangles) };
}

export function newDraftStruts(): DraftStruts {
  const uniforms = { tint: { value: [0, 0, 0] }, cuts: { value: planesOf([]) } };
  const material = new RawShaderMaterial({
    glslVersion: GLSL3,
    vertexShader: VERTEX,
    fragmentShader: FRAGMENT,
    uniforms,
  });
  const { corners, triangles } = strutShape();
  let geometry = new InstancedBufferGeometry();
  const object = new Mesh(geometry, material);
  object.frustumCulled = false;
  object.visible = false;
  return {
    object,
    show(struts, colour) {
      geometry.dispose();
      geometry = new InstancedBufferGeometry();
      geometry.setAttribute("position", new BufferAttribute(corners, 4));
      geometry.setIndex(new BufferAttribute(triangles, 1));
      const [first, last] = [new Float32Array(4 * struts.length), new Float32Array(4 * struts.length)];
      for (const [i, [x, y, z, r, u, v, w, s]] of struts.entries()) {
        first.set([x, y, z, r], 4 * i);
        last.set([u, v, w, s], 4 * i);
      }
      geometry.setAttribute("first", new InstancedBufferAttribute(first, 4));
      geometry.setAttribute("last", new InstancedBufferAttribute(last, 4));
      geometry.instanceCount = struts.length;
      object.geometry = geometry;
      object.visible = struts.length > 0;
      uniforms.tint.value = rgbOf(colour);
    },
    cutAt(cuts) {
      uniforms.cuts.value = planesOf(cuts);
    },
    close() {
      geometry.dispose();
      material.dispose();
    },
  };
}
