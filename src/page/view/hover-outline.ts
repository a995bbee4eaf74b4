import {
  AlwaysStencilFunc,
  type BufferGeometry,
  DoubleSide,
  GLSL3,
  Group,
  InstancedMesh,
  Matrix4,
  Mesh,
  NotEqualStencilFunc,
  RawShaderMaterial,
  ReplaceStencilOp,
  Vector2,
} from "three";
import type { Mat4 } from "./instances.ts";

/** Width of the outline, CSS pixels. */
const WIDTH_PX = 2;
/** Directions in which the silhouette is moved. */
const DIRECTIONS = 8;
/** Later than all bodies. */
const [MASK_ORDER, RING_ORDER] = [1, 2];

/** `step` moves an instance by its direction, in units of the picture from -1 to 1; (0, 0) for the mask. */
const VERTEX = `
precision highp float;
uniform mat4 modelMatrix, viewMatrix, projectionMatrix;
uniform vec2 step;
in vec3 position;
void main() {
  float angle = ${((2 * Math.PI) / DIRECTIONS).toFixed(6)} * float(gl_InstanceID);
  gl_Position = projectionMatrix * viewMatrix * modelMatrix * vec4(position, 1.0);
  gl_Position.xy += step * vec2(cos(angle), sin(angle));
}`;

const FRAGMENT = `
precision highp float;
uniform vec3 ink;
out vec4 colour;
void main() { colour = vec4(ink, 1.0); }`;

/** A body, with its transform to the scene. */
export interface OutlinedBody {
  readonly geometry: BufferGeometry;
  readonly matrix: Mat4;
}

/**
 * Draws a line around the silhouette of bodies, also where others hide them: the silhouette marks its pixels in the stencil buffer,
 * and copies of it, moved in all directions, are seen outside of these.
 */
export class HoverOutline {
  readonly object = new Group();
  readonly #ink = { value: [0, 0, 0] };
  readonly #step = { value: new Vector2() };
  readonly #mask = this.#material({ value: new Vector2() }, true);
  readonly #ring = this.#material(this.#step, false);

  /** Outlines these bodies, and no others. */
  show(bodies: readonly OutlinedBody[], colour: readonly number[]): void {
    this.#ink.value = [...colour];
    for (const child of this.object.children) if (child instanceof InstancedMesh) child.dispose();
    this.object.clear();
    for (const { geometry, matrix } of bodies) {
      const mask = new Mesh(geometry, this.#mask);
      const ring = new InstancedMesh(geometry, this.#ring, DIRECTIONS);
      mask.renderOrder = MASK_ORDER;
      ring.renderOrder = RING_ORDER;
      for (const mesh of [mask, ring]) {
        mesh.frustumCulled = false;
        mesh.matrixAutoUpdate = false;
        mesh.matrix.copy(new Matrix4().fromArray(matrix));
        this.object.add(mesh);
      }
    }
  }

  /** Adapts the width of the line to a picture of this size, CSS pixels. */
  fit({ width, height }: { readonly width: number; readonly height: number }): void {
    this.#step.value.set((2 * WIDTH_PX) / width, (2 * WIDTH_PX) / height);
  }

  close(): void {
    this.show([], [0, 0, 0]);
    this.#mask.dispose();
    this.#ring.dispose();
  }

  #material(step: { value: Vector2 }, isMask: boolean): RawShaderMaterial {
    return new RawShaderMaterial({
      glslVersion: GLSL3,
      vertexShader: VERTEX,
      fragmentShader: FRAGMENT,
      uniforms: { step, ink: this.#ink },
      colorWrite: !isMask,
      depthTest: false,
      depthWrite: false,
      side: DoubleSide,
      stencilWrite: true,
      stencilRef: 1,
      stencilFunc: isMask ? AlwaysStencilFunc : NotEqualStencilFunc,
      ...(isMask && { stencilZPass: ReplaceStencilOp }),
    });
  }
}
