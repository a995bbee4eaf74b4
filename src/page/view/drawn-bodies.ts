import { BufferAttribute, BufferGeometry, Group, InstancedBufferAttribute, InstancedMesh, Matrix4 } from "three";
import type { Vec3 } from "../../geometry/vector.ts";
import type { CutPlane } from "./view.ts";
import { type BodyMaterial, type Omission, newBodyMaterial, planesOf } from "./body-material.ts";
import { type Instance, type Mat4, product } from "./instances.ts";
import { type Palette, rgbOf } from "./palette.ts";
import { HoverOutline } from "./hover-outline.ts";
import { fairShare } from "./levels.ts";
import { SectionCaps } from "./section-caps.ts";
import type { PictureSize } from "./orbit.ts";
import type { PackedMesh } from "./packed-mesh.ts";

/** Values that determine the appearance of bodies. */
export interface BodyStyle {
  readonly palette: Palette;
  readonly selected: ReadonlySet<string>;
  readonly hovered: string | undefined;
  /** Models that overlap others. */
  readonly overlapping: ReadonlySet<string>;
  /** Proposed changes: matrices to apply after the models' own, by model id. */
  readonly preview: ReadonlyMap<string, Mat4>;
  /** The part whose supports are edited, and how much of these is shown: others fade. */
  readonly edited?: { readonly modelId: string; readonly supportOpacity: number } | undefined;
  readonly split?: Split | undefined;
}

/** Parts that will be cut at a plane: both sides have colours of their own. Others fade. */
interface Split {
  readonly plane: CutPlane;
  readonly modelIds: ReadonlySet<string>;
}

export type PackedSurface = Pick<PackedMesh, "positions" | "triangles">;

interface Level {
  readonly geometry: BufferGeometry;
  readonly triangles: number;
}

/** A mesh in full detail, simplified, or both. */
type Levels =
  | { readonly fine: Level; readonly coarse?: Level | undefined }
  | { readonly fine?: undefined; readonly coarse: Level };

const finestOf = (levels: Levels): Level => levels.fine ?? levels.coarse;

/** The finest level with at most this many triangles, otherwise the coarsest. */
const levelWithin = (levels: Levels, triangles: number): Level =>
  levels.fine && levels.fine.triangles <= triangles ? levels.fine : (levels.coarse ?? finestOf(levels));

/** Attributes of the instances of a mesh, which all its levels share. */
const OF_INSTANCES = ["style", "letters", "opacity"] as const;

/** How much hovered bodies are brightened. */
const HOVER_SHARE = 0.25;

/** The bodies of a scene in the graphics. Each mesh is stored once, and all its instances are drawn together. */
export class DrawnBodies {
  readonly object = new Group();
  readonly #hover = new HoverOutline();
  /** The outline of the hovered part. */
  readonly outline = this.#hover.object;
  readonly #caps = new SectionCaps();
  /** What fills cut bodies. */
  readonly caps = this.#caps.object;
  readonly #materials: Readonly<Record<Omission, BodyMaterial>> = {
    NONE: newBodyMaterial("NONE"),
    FADED: newBodyMaterial("FADED"),
    CUT: newBodyMaterial("CUT"),
  };
  readonly #levels = new Map<string, Levels>();
  readonly #drawn = new Map<string, InstancedMesh>();
  #isCut = false;
  #isFaded = false;

  /** Adds a mesh, or its simplified form (`isCoarse`). Returns whether this changes the picture of a scene that is being loaded. */
  add(hash: string, mesh: PackedSurface, isCoarse: boolean): boolean {
    const old = this.#levels.get(hash);
    // A simplified mesh stays visible until a full frame draws the mesh in full detail.
    const isShown = isCoarse ? !old?.fine : !old?.coarse;
    if (isShown) this.#hide(hash);
    const replaced = (isCoarse ? old?.coarse : old?.fine)?.geometry;
    const level = levelOf(mesh);
    const drawn = this.#drawn.get(hash);
    // A simplified mesh of another size may come while its predecessor is drawn.
    if (replaced && drawn?.geometry === replaced) {
      for (const name of OF_INSTANCES) level.geometry.setAttribute(name, replaced.getAttribute(name));
      drawn.geometry = level.geometry;
    }
    // The level that is drawn goes on with the attributes of the instances, whose buffers would be disposed of as well.
    for (const name of OF_INSTANCES) replaced?.deleteAttribute(name);
    replaced?.dispose();
    this.#levels.set(hash, isCoarse ? { ...old, coarse: level } : { fine: level, coarse: old?.coarse });
    return isShown;
  }

  /** Shows these instances, by mesh hash. Removes all other meshes; one without instances is kept. */
  show(instances: ReadonlyMap<string, readonly Instance[]>, style: BodyStyle): void {
    for (const hash of [...this.#levels.keys()].filter((hash) => !instances.has(hash))) this.#remove(hash);
    for (const [hash, ofMesh] of instances) this.#showMesh(hash, ofMesh, style);
    this.#isFaded = style.edited !== undefined || style.split !== undefined;
    this.#chooseMaterial();
    for (const { uniforms } of Object.values(this.#materials)) {
      uniforms.cutColour.value = rgbOf(style.palette.cut);
      uniforms.letterColour.value = rgbOf(style.palette.letters);
      uniforms.hatchColour.value = rgbOf(style.palette.overlap);
      uniforms.splitColours.value = [...rgbOf(style.palette.above), ...rgbOf(style.palette.below)];
      if (style.split) uniforms.split.value.set(...style.split.plane.normal, style.split.plane.atMm);
    }
    this.#outlineHovered(instances, style);
  }

  #showMesh(hash: string, instances: readonly Instance[], style: BodyStyle): void {
    const levels = this.#levels.get(hash);
    if (!levels) return;
    if (this.#drawn.get(hash)?.count !== instances.length) this.#hide(hash);
    if (instances.length === 0) return;
    let mesh = this.#drawn.get(hash);
    if (!mesh) {
      mesh = newInstances(finestOf(levels), instances.length, this.#material());
      this.object.add(mesh);
      this.#drawn.set(hash, mesh);
    }
    applyStyle(mesh, instances, style);
  }

  /** Outlines the hovered part. A cut one has another silhouette, which is not known here. */
  #outlineHovered(instances: ReadonlyMap<string, readonly Instance[]>, { hovered, palette, preview }: BodyStyle): void {
    const bodies = [...instances].flatMap(([hash, ofMesh]) => {
      const levels = this.#levels.get(hash);
      if (!levels || hovered === undefined || this.#isCut) return [];
      const own = ofMesh.filter(({ modelId, role }) => modelId === hovered && role !== "support");
      const moved = preview.get(hovered);
      return own.map(({ matrix }) => ({
        geometry: finestOf(levels).geometry,
        matrix: moved ? product(moved, matrix) : matrix,
      }));
    });
    this.#hover.show(bodies, rgbOf(palette.accent));
  }

  /** Cuts off what is beyond these planes, at most two. */
  cutAt(cuts: readonly CutPlane[]): void {
    this.#isCut = cuts.length > 0;
    this.#materials.CUT.uniforms.cuts.value = planesOf(cuts);
    this.#chooseMaterial();
  }

  /** Chooses the finest meshes that have at most `budget` triangles together, and returns their number of triangles. */
  refine(budget: number): number {
    const meshes = [...this.#drawn].flatMap(([hash, mesh]) => {
      const levels = this.#levels.get(hash);
      return levels ? { levels, mesh } : [];
    });
    const share = fairShare(
      meshes.map(({ levels, mesh }) => ({ triangles: finestOf(levels).triangles, count: mesh.count })),
      budget,
    );
    let total = 0;
    for (const { levels, mesh } of meshes) {
      const level = levelWithin(levels, share);
      for (const name of OF_INSTANCES) level.geometry.setAttribute(name, mesh.geometry.getAttribute(name));
      mesh.geometry = level.geometry;
      total += level.triangles * mesh.count;
    }
    return total;
  }

  /** Fills the bodies at the planes that cut them; `toward` is the unit vector to the viewer. Without `isExact` their insides show instead. */
  fill(cuts: readonly CutPlane[], toward: Vec3, palette: Palette, isExact: boolean): void {
    this.#caps.show(isExact ? [...this.#drawn.values()] : [], cuts, toward, rgbOf(palette.cut));
  }

  /** Adapts what has a width in CSS pixels to the picture. */
  fit(picture: PictureSize, pixelRatio: number): void {
    this.#hover.fit(picture);
    for (const { uniforms } of Object.values(this.#materials)) uniforms.hatchPx.value = pixelRatio;
  }

  close(): void {
    for (const hash of this.#levels.keys()) this.#remove(hash);
    this.#hover.close();
    this.#caps.close();
    for (const material of Object.values(this.#materials)) material.dispose();
  }

  #remove(hash: string): void {
    this.#hide(hash);
    const { fine, coarse } = this.#levels.get(hash) ?? {};
    fine?.geometry.dispose();
    coarse?.geometry.dispose();
    this.#levels.delete(hash);
  }

  #hide(hash: string): void {
    const mesh = this.#drawn.get(hash);
    if (!mesh) return;
    this.object.remove(mesh);
    mesh.dispose();
    this.#drawn.delete(hash);
  }

  #material(): BodyMaterial {
    return this.#materials[this.#isCut ? "CUT" : this.#isFaded ? "FADED" : "NONE"];
  }

  #chooseMaterial(): void {
    for (const mesh of this.#drawn.values()) mesh.material = this.#material();
  }
}

function levelOf({ positions, triangles }: PackedSurface): Level {
  const geometry = new BufferGeometry();
  geometry.setAttribute("position", new BufferAttribute(positions, 3));
  geometry.setIndex(new BufferAttribute(triangles, 1));
  return { geometry, triangles: triangles.length / 3 };
}

function newInstances({ geometry }: Level, count: number, material: BodyMaterial): InstancedMesh {
  geometry.setAttribute("style", new InstancedBufferAttribute(new Float32Array(4 * count), 4));
  geometry.setAttribute("letters", new InstancedBufferAttribute(new Float32Array(3 * count), 3));
  geometry.setAttribute("opacity", new InstancedBufferAttribute(new Float32Array(count), 1));
  const mesh = new InstancedMesh(geometry, material, count);
  // Culling rarely helps, since the whole scene is usually in the picture.
  mesh.frustumCulled = false;
  return mesh;
}

function applyStyle(mesh: InstancedMesh, instances: readonly Instance[], bodyStyle: BodyStyle): void {
  const style = mesh.geometry.getAttribute("style") as InstancedBufferAttribute;
  const letters = mesh.geometry.getAttribute("letters") as InstancedBufferAttribute;
  const opacity = mesh.geometry.getAttribute("opacity") as InstancedBufferAttribute;
  for (const [i, instance] of instances.entries()) {
    opacity.setX(i, opacityOf(instance, bodyStyle));
    const moved = bodyStyle.preview.get(instance.modelId);
    mesh.setMatrixAt(i, new Matrix4().fromArray(moved ? product(moved, instance.matrix) : instance.matrix));
    style.setXYZW(i, ...colourOf(instance, bodyStyle), hatchingOf(instance, bodyStyle));
    letters.setXYZ(i, ...letterFace(instance));
  }
  mesh.instanceMatrix.needsUpdate = true;
  style.needsUpdate = true;
  letters.needsUpdate = true;
  opacity.needsUpdate = true;
}

/** Opacity of parts while the supports of another one are edited, or others are cut. */
const FADED = 0.35;

function opacityOf({ modelId, role, tint }: Instance, { edited, split }: BodyStyle): number {
  if (split) return tint || split.modelIds.has(modelId) ? 1 : FADED;
  if (!edited) return 1;
  if (edited.modelId !== modelId) return FADED;
  return role === "support" ? edited.supportOpacity : 1;
}

/** Value of the attribute `style` for the hatching: none, dark (out of bounds), red (overlap); or the colours of both sides of a cut. */
const hatchingOf = ({ modelId, inBounds, role, tint }: Instance, { overlapping, split }: BodyStyle): 0 | 1 | 2 | 3 => {
  if (tint) return 0;
  if (role !== "support" && split?.modelIds.has(modelId)) return 3;
  return overlapping.has(modelId) ? 2 : inBounds ? 0 : 1;
};

/** Value for bodies without letters: no point is beyond the face. */
const NO_LETTERS = [0, 0, 1] as const;

/** Direction (x, y) in which letters rise from a body, and the coordinate along it of their face, for the attribute `letters`. */
function letterFace({ letters }: Instance): readonly [number, number, number] {
  if (!letters) return NO_LETTERS;
  const [axis, side, atMm] = letters;
  return [axis === 0 ? side : 0, axis === 1 ? side : 0, side * atMm];
}

function colourOf(instance: Instance, style: BodyStyle): [number, number, number] {
  const { modelId, inBounds, role } = instance;
  const { palette, selected, hovered } = style;
  if (instance.tint) return rgbOf(palette[instance.tint]);
  const own = rgbOf(inBounds ? palette[role] : palette.outOfBounds);
  const tint = rgbOf(palette.selected);
  // Supports of a selected model and bodies out of bounds keep most of their own colour, to remain recognisable.
  const share = !selected.has(modelId) ? 0 : role === "support" || !inBounds ? 0.35 : 0.9;
  const lit = hovered === modelId ? HOVER_SHARE : 0;
  const mixed = (value: number, tintValue: number): number => {
    const tinted = value + share * (tintValue - value);
    return tinted + lit * (1 - tinted);
  };
  return [mixed(own[0], tint[0]), mixed(own[1], tint[1]), mixed(own[2], tint[2])];
}
