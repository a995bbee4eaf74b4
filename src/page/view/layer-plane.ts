import type { Vec3 } from "../../geometry/vector.ts";
import { DoubleSide, GLSL3, Group, Mesh, PlaneGeometry, RawShaderMaterial, type Texture, TextureLoader } from "three";
import { rgbOf } from "./palette.ts";

/** Plane with the picture of a layer, at the height of the layer. */
export interface LayerPlane {
  readonly object: Group;
  /** The picture shows the whole build volume from above, x to the right and y up, white where the layer is solid. */
  show(layer: LayerPicture | undefined, dimensionsMm: Vec3, colour: number): void;
  close(): void;
}

export interface LayerPicture {
  readonly heightMm: number;
  readonly picture: string | undefined;
}

const VERTEX = `
precision highp float;
uniform mat4 modelViewMatrix, projectionMatrix;
in vec3 position;
in vec2 uv;
out vec2 place;
void main() {
  place = uv;
  gl_Position = projectionMatrix * modelViewMatrix * vec4(position, 1.0);
}`;

const FRAGMENT = `
precision highp float;
uniform sampler2D picture;
uniform vec3 tint;
in vec2 place;
out vec4 colour;
void main() {
  float solid = texture(picture, place).r;
  if (solid < 0.02) discard;
  colour = vec4(tint, solid);
}`;

interface LayerUniforms {
  readonly picture: { value: Texture | null };
  readonly tint: { value: readonly number[] };
}

const newMaterial = (uniforms: LayerUniforms): RawShaderMaterial =>
  new RawShaderMaterial({
    glslVersion: GLSL3,
    vertexShader: VERTEX,
    fragmentShader: FRAGMENT,
    uniforms: { ...uniforms },
    transparent: true,
    side: DoubleSide,
    // In front of the cap that fills the cut in the same plane.
    polygonOffset: true,
    polygonOffsetFactor: -1,
    polygonOffsetUnits: -4,
  });

/** `changed` is called when a picture has been loaded. */
export function newLayerPlane(changed: () => void): LayerPlane {
  const object = new Group();
  const uniforms: LayerUniforms = { picture: { value: null }, tint: { value: [0, 0, 0] } };
  const material = newMaterial(uniforms);
  const plane = new Mesh(new PlaneGeometry(1, 1), material);
  object.add(plane);
  object.visible = false;
  const loader = new TextureLoader();
  let wanted: string | undefined;

  const replace = (texture: Texture | null, heightMm = 0): void => {
    plane.position.set(0, 0, heightMm);
    uniforms.picture.value?.dispose();
    uniforms.picture.value = texture;
    object.visible = texture !== null;
    changed();
  };

  return {
    object,
    show(layer, [width, depth], colour) {
      uniforms.tint.value = rgbOf(colour);
      plane.scale.set(width, depth, 1);
      const next = layer?.picture;
      if (next === wanted) return;
      wanted = next;
      if (next === undefined) return replace(null);
      // Until then the last picture stays at its own height: without it a play of layers would flicker.
      loader.load(
        next,
        (texture) => (next === wanted ? replace(texture, layer?.heightMm) : texture.dispose()),
        undefined,
        () => {},
      );
    },
    close() {
      wanted = undefined;
      replace(null);
      plane.geometry.dispose();
      material.dispose();
    },
  };
}
