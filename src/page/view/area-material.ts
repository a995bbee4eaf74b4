import { GLSL3, RawShaderMaterial, type Vector4 } from "three";
import { LEAST_COSINE } from "../../geometry/surface-capsule.ts";
import { LIGHT_ON, MOST_CUTS, planesOf } from "./body-material.ts";

/** How far in front of their body areas are drawn: more than the rounding of single precision at the distance of the camera. */
const LIFT_MM = "0.03";

/**
 * Facets of areas, slightly in front of the body that has them. `CAPSULE`: an instance is a facet with a piece of a stroke, of which the places
 * that the piece covers are drawn, as `coversPlace` decides.
 */
const VERTEX = `
precision highp float;
uniform mat4 modelMatrix, viewMatrix, projectionMatrix;
in vec3 position;
#ifdef CAPSULE
in vec3 a, b, c, fromPoint, fromNormal, toPoint, toNormal;
in float radius;
out vec3 place;
flat out vec3 facing, along, normalFrom, normalTo;
flat out float reach;
#endif
out vec3 inView;
out vec3 inScene;
void main() {
#ifdef CAPSULE
  // Of an instance, the position is the share of each corner.
  vec3 at = position.x * a + position.y * b + position.z * c;
  place = at - fromPoint;
  along = toPoint - fromPoint;
  normalFrom = fromNormal;
  normalTo = toNormal;
  facing = normalize(cross(b - a, c - a));
  reach = radius;
#else
  vec3 at = position;
#endif
  vec4 world = modelMatrix * vec4(at, 1.0);
  inView = mat3(viewMatrix) * world.xyz;
  inScene = world.xyz;
  vec4 viewed = viewMatrix * world;
  viewed.z += ${LIFT_MM};
  gl_Position = projectionMatrix * viewed;
}`;

const FRAGMENT = `
precision highp float;
uniform mat4 viewMatrix;
uniform vec3 tint;
uniform vec4 cuts[${MOST_CUTS}];
uniform float hatchPx, opacity;
#ifdef CAPSULE
in vec3 place;
flat in vec3 facing, along, normalFrom, normalTo;
flat in float reach;
#endif
in vec3 inView;
in vec3 inScene;
out vec4 colour;
${LIGHT_ON}
void main() {
  vec3 normal = normalize(cross(dFdx(inView), dFdy(inView)));
#ifdef CAPSULE
  float square = dot(along, along);
  float share = square > 0.0 ? clamp(dot(place, along) / square, 0.0, 1.0) : 0.0;
  vec3 aside = place - share * along;
  if (dot(aside, aside) > reach * reach || dot(mix(normalFrom, normalTo, share), facing) <= ${LEAST_COSINE}) discard;
#endif
  for (int i = 0; i < ${MOST_CUTS}; i++) if (dot(cuts[i].xyz, inScene) > cuts[i].w - 0.001) discard;
  float across = mod(gl_FragCoord.x + HATCH_SIDE * gl_FragCoord.y, 6.0 * hatchPx) / hatchPx;
  colour = vec4(tint * lightOn(normal) * (opacity == 1.0 && across < 2.0 ? 0.72 : 1.0), opacity);
}`;

/** Values that all materials of areas share. */
export interface AreaUniforms {
  readonly cuts: { value: Vector4[] };
  readonly hatchPx: { value: number };
}

export const newAreaUniforms = (): AreaUniforms => ({ cuts: { value: planesOf([]) }, hatchPx: { value: 1 } });

export interface AreaTint {
  readonly tint: { value: number[] };
  readonly opacity: { value: number };
}

/** Material of one kind of areas. `hatchSide` is the direction of the hatching; areas that let the body shine through have none. */
export function newAreaMaterial(
  isCapsule: boolean,
  hatchSide: 1 | -1,
  uniforms: AreaUniforms & AreaTint,
): RawShaderMaterial {
  const isOpaque = uniforms.opacity.value === 1;
  return new RawShaderMaterial({
    glslVersion: GLSL3,
    vertexShader: VERTEX,
    fragmentShader: FRAGMENT,
    defines: {
      ...(isCapsule && { CAPSULE: "" }),
      HATCH_SIDE: hatchSide.toFixed(1),
    },
    uniforms: { ...uniforms },
    transparent: !isOpaque,
    depthWrite: isOpaque,
  });
}
