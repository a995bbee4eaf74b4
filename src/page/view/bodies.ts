import {
  BufferAttribute,
  BufferGeometry,
  Group,
  InstancedBufferAttribute,
  InstancedMesh,
  Matrix4,
  type RawShaderMaterial,
} from "three";
import { newBodyMaterial } from "./body-material.ts";
import { type Instance, product } from "./instances.ts";
import { type Palette, rgbOf } from "./palette.ts";
import { fairShare } from "./levels.ts";
import type { PackedMesh } from "./packed-mesh.ts";

/** How bodies look now. */
export interface Looks {
  readonly palette: Palette;
  readonly selected: ReadonlySet<string>;
  readonly hovered: string | undefined;
  /** What stands out of where it was while the user drags: the model's id, and what follows on its own matrix. */
  readonly preview: ReadonlyMap<string, readonly number[]>;
}

/** The models of a scene in the graphics: each mesh once, drawn with one order for all its places. */
export interface Bodies {
  readonly object: Group;
  /**
   * The mesh can be drawn from now on, or a coarser one in its place where a frame must be quick or the mesh is not here yet. Tells
   * whether a picture of the loading scene changes by it.
   */
  add(hash: string, mesh: PackedSurface, isCoarse: boolean): boolean;
  /** Shows these places of meshes, and forgets the meshes that have none. */
  show(instances: ReadonlyMap<string, readonly Instance[]>, looks: Looks): void;
  /** Cuts everything above this height off. */
  cutAt(heightMm: number | undefined): void;
  /** Chooses as fine meshes as have at most `budget` triangles in all, and tells how many those have. */
  refine(budget: number): number;
  hatch(pixelRatio: number): void;
  close(): void;
}

export type PackedSurface = Pick<PackedMesh, "positions" | "triangles">;

interface Level {
  readonly geometry: BufferGeometry;
  readonly triangles: number;
}

/** A mesh, the coarser one that stands for it, or both. */
interface Levels {
  readonly fine?: Level;
  readonly coarse?: Level;
}

/** How much hovered bodies are brightened. */
const HOVER_SHARE = 0.25;

export function newBodies(): Bodies {
  const object = new Group();
  const [whole, cut] = [newBodyMaterial(false), newBodyMaterial(true)];
  const solids = new Map<string, Levels>();
  const drawn = new Map<string, InstancedMesh>();
  let isCut = false;

  const forget = (hash: string): void => {
    const { fine, coarse } = solids.get(hash) ?? {};
    fine?.geometry.dispose();
    coarse?.geometry.dispose();
    solids.delete(hash);
  };
  const hide = (hash: string): void => {
    const mesh = drawn.get(hash);
    if (!mesh) return;
    object.remove(mesh);
    mesh.dispose();
    drawn.delete(hash);
  };
  const material = (): RawShaderMaterial => (isCut ? cut : whole);

  return {
    object,
    add(hash, mesh, isCoarse) {
      const old = solids.get(hash);
      // What stands for it stays until a picture has time for the full one.
      const isShown = isCoarse ? !old?.fine : !old?.coarse;
      if (isShown) hide(hash);
      (isCoarse ? old?.coarse : old?.fine)?.geometry.dispose();
      solids.set(hash, { ...old, [isCoarse ? "coarse" : "fine"]: levelOf(mesh) });
      return isShown;
    },
    show(instances, looks) {
      for (const hash of [...solids.keys()].filter((hash) => !instances.has(hash))) {
        hide(hash);
        forget(hash);
      }
      for (const [hash, places] of instances) {
        const levels = solids.get(hash);
        if (!levels) continue;
        const old = drawn.get(hash);
        if (old?.count !== places.length) hide(hash);
        const mesh = drawn.get(hash) ?? newInstances((levels.fine ?? levels.coarse)!, places.length, material());
        if (!drawn.has(hash)) object.add(mesh);
        drawn.set(hash, mesh);
        place(mesh, places, looks);
      }
      for (const { uniforms } of [whole, cut]) {
        uniforms.cutColour.value = rgbOf(looks.palette.cut);
        uniforms.letterColour.value = rgbOf(looks.palette.letters);
      }
    },
    cutAt(heightMm) {
      isCut = heightMm !== undefined;
      cut.uniforms.cutHeight.value = heightMm ?? 0;
      for (const mesh of drawn.values()) mesh.material = material();
    },
    refine(budget) {
      const meshes = [...drawn].map(([hash, mesh]) => ({ levels: solids.get(hash)!, mesh }));
      const share = fairShare(
        meshes.map(({ levels, mesh }) => ({ triangles: (levels.fine ?? levels.coarse)!.triangles, count: mesh.count })),
        budget,
      );
      let total = 0;
      for (const { levels, mesh } of meshes) {
        const { fine, coarse } = levels;
        const level = (fine && (fine.triangles <= share || !coarse) ? fine : coarse)!;
        for (const name of ["style", "letters"]) level.geometry.setAttribute(name, mesh.geometry.getAttribute(name));
        mesh.geometry = level.geometry;
        total += level.triangles * mesh.count;
      }
      return total;
    },
    hatch(pixelRatio) {
      for (const { uniforms } of [whole, cut]) uniforms.hatchPx.value = pixelRatio;
    },
    close() {
      for (const hash of drawn.keys()) hide(hash);
      for (const hash of solids.keys()) forget(hash);
      whole.dispose();
      cut.dispose();
    },
  };
}

function levelOf({ positions, triangles }: PackedSurface): Level {
  const geometry = new BufferGeometry();
  geometry.setAttribute("position", new BufferAttribute(positions, 3));
  geometry.setIndex(new BufferAttribute(triangles, 1));
  return { geometry, triangles: triangles.length / 3 };
}

function newInstances({ geometry }: Level, count: number, material: RawShaderMaterial): InstancedMesh {
  geometry.setAttribute("style", new InstancedBufferAttribute(new Float32Array(4 * count), 4));
  geometry.setAttribute("letters", new InstancedBufferAttribute(new Float32Array(3 * count), 3));
  const mesh = new InstancedMesh(geometry, material, count);
  // A scene is mostly in the picture as a whole.
  mesh.frustumCulled = false;
  return mesh;
}

function place(mesh: InstancedMesh, instances: readonly Instance[], looks: Looks): void {
  const style = mesh.geometry.getAttribute("style") as InstancedBufferAttribute;
  const letters = mesh.geometry.getAttribute("letters") as InstancedBufferAttribute;
  for (const [i, instance] of instances.entries()) {
    const moved = looks.preview.get(instance.modelId);
    mesh.setMatrixAt(i, new Matrix4().fromArray(moved ? product(moved, instance.matrix) : instance.matrix));
    style.setXYZW(i, ...colourOf(instance, looks), instance.inBounds ? 0 : 1);
    letters.setXYZ(i, ...letterFace(instance));
  }
  mesh.instanceMatrix.needsUpdate = true;
  style.needsUpdate = true;
  letters.needsUpdate = true;
}

/** Nothing stands out along no direction. */
const NO_LETTERS = [0, 0, 1] as const;

/** As the material takes it. */
function letterFace({ letters }: Instance): readonly [number, number, number] {
  if (!letters) return NO_LETTERS;
  const [axis, side, atMm] = letters;
  return [axis === 0 ? side : 0, axis === 1 ? side : 0, side * atMm];
}

function colourOf(instance: Instance, looks: Looks): [number, number, number] {
  const { modelId, inBounds, role } = instance;
  const { palette, selected, hovered } = looks;
  const own = rgbOf(inBounds ? palette[role] : palette.outOfBounds);
  const tint = rgbOf(palette.selected);
  // Supports stay recognisable on a selected model, and what is out of bounds stays alarming.
  const share = !selected.has(modelId) ? 0 : role === "support" || !inBounds ? 0.35 : 0.9;
  const lit = hovered === modelId ? HOVER_SHARE : 0;
  const [red, green, blue] = own.map((value, i) => {
    const tinted = value + share * (tint[i] - value);
    return tinted + lit * (1 - tinted);
  });
  return [red, green, blue];
}
