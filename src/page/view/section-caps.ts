import {
  AlwaysStencilFunc,
  BackSide,
  BufferAttribute,
  BufferGeometry,
  DecrementStencilOp,
  FrontSide,
  GLSL3,
  Group,
  IncrementStencilOp,
  InstancedMesh,
  Mesh,
  NotEqualStencilFunc,
  RawShaderMaterial,
  type Side,
  type StencilOp,
  type Vector4,
  ZeroStencilOp,
} from "three";
import { dot, type Vec3 } from "../../geometry/vector.ts";
import { planesOf } from "./body-material.ts";
import type { CutPlane } from "./view.ts";

/** Later than all bodies. Both planes are capped one after the other, because they share the stencil buffer. */
const ORDERS = [
  [0.1, 0.2, 0.3],
  [0.4, 0.5, 0.6],
] as const;

const COUNTED_VERTEX = `
precision highp float;
uniform mat4 viewMatrix, projectionMatrix;
in vec3 position;
in mat4 instanceMatrix;
in float opacity;
out vec3 inScene;
void main() {
  vec4 world = instanceMatrix * vec4(position, 1.0);
  inScene = world.xyz;
  // Faded bodies have no caps, which would hide what they fade for.
  gl_Position = opacity < 1.0 ? vec4(0.0, 0.0, 2.0, 1.0) : projectionMatrix * viewMatrix * world;
}`;

/**
 * As in the material of bodies, faces coplanar with the plane count as beyond it. `margin` is larger for faces that are entered than for those
 * that are left: where both meet in the plane, rounding must not leave a hole.
 */
const COUNTED_FRAGMENT = `
precision highp float;
uniform vec4 cut;
uniform float margin;
in vec3 inScene;
out vec4 colour;
void main() {
  if (dot(cut.xyz, inScene) > cut.w - margin) discard;
  colour = vec4(0.0);
}`;

/** A triangle over the whole picture, in the depth of the plane. The projection is orthographic, so depths are linear in the picture. */
const CAP_VERTEX = `
precision highp float;
uniform mat4 viewMatrix, projectionMatrix;
uniform vec4 cut;
in vec3 position;
out vec3 inScene;
void main() {
  vec3 normal = mat3(viewMatrix) * cut.xyz;
  float at = cut.w + dot(normal, viewMatrix[3].xyz);
  vec3 viewed = vec3(position.x / projectionMatrix[0][0], position.y / projectionMatrix[1][1], 0.0);
  viewed.z = (at - dot(normal.xy, viewed.xy)) / normal.z;
  inScene = transpose(mat3(viewMatrix)) * (viewed - viewMatrix[3].xyz);
  gl_Position = projectionMatrix * vec4(viewed, 1.0);
}`;

const CAP_FRAGMENT = `
precision highp float;
uniform vec4 other;
uniform vec3 ink;
in vec3 inScene;
out vec4 colour;
void main() {
  if (dot(other.xyz, inScene) > other.w) discard;
  colour = vec4(ink, 1.0);
}`;

/**
 * Fills the insides of cut bodies, in the plane of the cut: where a line of sight leaves more closed surfaces behind the plane than it
 * enters, it passes the plane inside of a body. So supports that reach into a part, and other bodies in it, leave no gaps.
 */
export class SectionCaps {
  readonly object = new Group();
  readonly #ink = { value: [0, 0, 0] };
  readonly #planes = ORDERS.map((orders) => new PlaneCap(orders, this.#ink));

  constructor() {
    this.object.add(...this.#planes.map(({ object }) => object));
  }

  /** Caps these bodies at planes that face the viewer; `toward` is the unit vector to the viewer. */
  show(bodies: readonly InstancedMesh[], cuts: readonly CutPlane[], toward: Vec3, ink: readonly number[]): void {
    this.#ink.value = [...ink];
    const planes = planesOf(cuts);
    for (const [i, cap] of this.#planes.entries()) {
      const cut = cuts[i];
      const [own, other] = [planes[i], planes[1 - i]];
      const isSeen = cut && dot(cut.normal, toward) > EDGE_ON;
      cap.show(isSeen ? bodies : [], own, other);
    }
  }

  close(): void {
    for (const cap of this.#planes) cap.close();
  }
}

/** Planes at a smaller sine to the line of sight show nothing of their caps. */
const EDGE_ON = 1e-4;

/** The cap of one plane. */
class PlaneCap {
  readonly object = new Group();
  readonly #cut: { value: Vector4 | undefined } = { value: undefined };
  readonly #other: { value: Vector4 | undefined } = { value: undefined };
  readonly #orders: readonly [number, number, number];
  /** Faces that are left, and those that are entered: the former are counted first, because the count does not go below 0. */
  readonly #counting = [this.#counter(BackSide, IncrementStencilOp), this.#counter(FrontSide, DecrementStencilOp)];
  readonly #counted = new Map<InstancedMesh, readonly InstancedMesh[]>();
  readonly #cap: Mesh<BufferGeometry, RawShaderMaterial>;

  constructor(orders: readonly [number, number, number], ink: { value: number[] }) {
    this.#orders = orders;
    const whole = new BufferGeometry();
    whole.setAttribute("position", new BufferAttribute(new Float32Array([-1, -1, 0, 3, -1, 0, -1, 3, 0]), 3));
    this.#cap = new Mesh(whole, this.#capMaterial(ink));
    this.#cap.frustumCulled = false;
    this.#cap.renderOrder = orders[2];
    this.object.add(this.#cap);
  }

  show(bodies: readonly InstancedMesh[], cut: Vector4 | undefined, other: Vector4 | undefined): void {
    [this.#cut.value, this.#other.value] = [cut, other];
    this.object.visible = bodies.length > 0;
    const shown = new Set(bodies);
    for (const body of this.#counted.keys()) if (!shown.has(body)) this.#forget(body);
    for (const body of bodies) {
      const passes = this.#counted.get(body) ?? this.#passesOf(body);
      for (const pass of passes) pass.geometry = body.geometry;
    }
  }

  close(): void {
    for (const body of this.#counted.keys()) this.#forget(body);
    for (const material of this.#counting) material.dispose();
    this.#cap.material.dispose();
    this.#cap.geometry.dispose();
  }

  #passesOf(body: InstancedMesh): readonly InstancedMesh[] {
    const passes = this.#counting.map((material, i) => {
      const pass = new InstancedMesh(body.geometry, material, body.count);
      pass.instanceMatrix = body.instanceMatrix;
      pass.frustumCulled = false;
      pass.renderOrder = this.#orders[i] ?? 0;
      return pass;
    });
    this.object.add(...passes);
    this.#counted.set(body, passes);
    return passes;
  }

  #forget(body: InstancedMesh): void {
    this.object.remove(...(this.#counted.get(body) ?? []));
    this.#counted.delete(body);
  }

  #counter(side: Side, stencilZPass: StencilOp): RawShaderMaterial {
    return new RawShaderMaterial({
      glslVersion: GLSL3,
      vertexShader: COUNTED_VERTEX,
      fragmentShader: COUNTED_FRAGMENT,
      uniforms: { cut: this.#cut, margin: { value: side === FrontSide ? 0.0015 : 0.0005 } },
      side,
      colorWrite: false,
      depthTest: false,
      depthWrite: false,
      stencilWrite: true,
      stencilFunc: AlwaysStencilFunc,
      stencilZPass,
    });
  }

  #capMaterial(ink: { value: number[] }): RawShaderMaterial {
    return new RawShaderMaterial({
      glslVersion: GLSL3,
      vertexShader: CAP_VERTEX,
      fragmentShader: CAP_FRAGMENT,
      uniforms: { cut: this.#cut, other: this.#other, ink },
      stencilWrite: true,
      stencilRef: 0,
      stencilFunc: NotEqualStencilFunc,
      // The next plane, and the outline of the hovered part, begin with an empty stencil buffer.
      stencilFail: ZeroStencilOp,
      stencilZFail: ZeroStencilOp,
      stencilZPass: ZeroStencilOp,
    });
  }
}
