import { DoubleSide, GLSL3, RawShaderMaterial, Vector4 } from "three";
import type { CutPlane } from "./view.ts";

/**
 * The normal of a facet is computed from neighbouring pixels, so that meshes need no normals and can share vertices. `style` is the
 * colour of an instance, and its hatching: 0 none, 1 dark, 2 in `hatchColour`; 3: it has `splitColours` above and below the plane `split`. `letters` is the direction (x, y) in which letters rise from a body, and the
 * coordinate along it of the face from which they rise.
 */
const VERTEX = `
precision highp float;
uniform mat4 viewMatrix, projectionMatrix;
in vec3 position;
in mat4 instanceMatrix;
in vec4 style;
in vec3 letters;
in float opacity;
out vec3 inView;
out vec3 inScene;
out float raised;
flat out vec4 look;
flat out float shown;
void main() {
  vec4 world = instanceMatrix * vec4(position, 1.0);
  vec4 viewed = viewMatrix * world;
  // Rotated but not translated: the camera is so far away that the normals would lose most of single precision.
  inView = mat3(viewMatrix) * world.xyz;
  inScene = world.xyz;
  raised = dot(letters.xy, position.xy) - letters.z;
  look = style;
  shown = opacity;
  gl_Position = projectionMatrix * viewed;
}`;

/** The planes of the layer, of the section and of the slice of the view. */
export const MOST_CUTS = 3;

/** How bright a surface with a normal is in the view. */
export const LIGHT_ON = `
float lightOn(vec3 normal) {
  float sky = 0.5 + 0.5 * dot(normal, viewMatrix[2].xyz);
  float key = max(dot(normal, vec3(-0.36, 0.48, 0.8)), 0.0);
  return 0.36 + 0.2 * sky + 0.5 * key;
}`;

/**
 * `FADES` leaves out pixels of faded bodies: a shader that discards pixels takes several times as long without a graphics card, which then
 * cannot test depths first. `CUT` discards what is beyond planes, and draws the inside of bodies there (back faces seen through a cut) in one colour.
 */
const FRAGMENT = `
precision highp float;
uniform mat4 viewMatrix;
uniform vec3 cutColour, letterColour, hatchColour;
uniform vec4 cuts[${MOST_CUTS}];
uniform vec4 split;
uniform vec3 splitColours[2];
uniform float hatchPx;
in vec3 inView;
in vec3 inScene;
in float raised;
flat in vec4 look;
flat in float shown;
out vec4 colour;
/** Share of the pixels of 4 × 4 that come before this one in an ordered dithering (Bayer 1973). */
float rank(ivec2 at) {
  int x = at.x ^ at.y;
  int index = ((x & 1) << 3) | ((at.y & 1) << 2) | (x & 2) | ((at.y & 2) >> 1);
  return (float(index) + 0.5) / 16.0;
}
${LIGHT_ON}
void main() {
  vec3 normal = normalize(cross(dFdx(inView), dFdy(inView)));
#ifdef FADES
  // Faded bodies let pixels through instead of being blended, so that their order does not matter.
  if (shown < 1.0 && rank(ivec2(gl_FragCoord.xy) & 3) > shown) discard;
#endif
#ifdef CUT
  // Faces coplanar with a cut count as beyond it, so that rounding does not show them.
  for (int i = 0; i < ${MOST_CUTS}; i++) if (dot(cuts[i].xyz, inScene) > cuts[i].w - 0.001) discard;
  if (!gl_FrontFacing) { colour = vec4(cutColour, 1.0); return; }
#endif
  float light = lightOn(normal);
  float across = mod(gl_FragCoord.x + gl_FragCoord.y, 6.0 * hatchPx) / hatchPx;
  vec3 own = raised > 0.01 ? letterColour : look.rgb;
  if (look.a > 1.5 && look.a < 2.5 && across < 3.0) own = hatchColour;
  if (look.a > 2.5) own = splitColours[dot(split.xyz, inScene) > split.w ? 0 : 1];
  bool isDark = look.a > 0.5 && look.a < 1.5 && across < 2.0;
  colour = vec4(own * light * (isDark ? 0.72 : 1.0), 1.0);
}`;

export type BodyMaterial = RawShaderMaterial & {
  readonly uniforms: Record<"cutColour" | "letterColour" | "hatchColour", { value: number[] }> &
    Record<"hatchPx", { value: number }> & {
      readonly cuts: { value: Vector4[] };
      readonly split: { value: Vector4 };
      readonly splitColours: { value: number[] };
    };
};

/** Far beyond all scenes, mm. */
const NOWHERE_MM = 1e9;

/** Normals and places of {@link MOST_CUTS} planes; those that are missing cut off nothing. */
export const planesOf = (cuts: readonly CutPlane[]): Vector4[] =>
  Array.from(
    { length: MOST_CUTS },
    (_, i) => new Vector4(...(cuts[i]?.normal ?? [0, 0, 0]), cuts[i]?.atMm ?? NOWHERE_MM),
  );

/** Which pixels a material leaves out: none, those of faded bodies, or also what is beyond planes (uniform `cuts`). */
export type Omission = "NONE" | "FADED" | "CUT";

const DEFINES = { NONE: {}, FADED: { FADES: "" }, CUT: { FADES: "", CUT: "" } } as const;

/** Material of all bodies. */
export function newBodyMaterial(omission: Omission): BodyMaterial {
  const uniforms = {
    cutColour: { value: [0, 0, 0] },
    letterColour: { value: [0, 0, 0] },
    hatchColour: { value: [0, 0, 0] },
    cuts: { value: planesOf([]) },
    split: { value: new Vector4() },
    splitColours: { value: [0, 0, 0, 0, 0, 0] },
    hatchPx: { value: 1 },
  };
  const material = new RawShaderMaterial({
    glslVersion: GLSL3,
    vertexShader: VERTEX,
    fragmentShader: FRAGMENT,
    defines: { ...DEFINES[omission] },
    uniforms,
    side: DoubleSide,
  });
  return Object.assign(material, { uniforms });
}
