import { unionBoxes, type Box, boxCentre } from "../../geometry/box.ts";
import { type EulerDeg, STEPS_PER_DEGREE, rotationMatrix, roundedAngles } from "../../geometry/pose.ts";
import type { Pose } from "../../geometry/pose.ts";
import { type Axis, type Mat3, type Vec3, withCoordinate } from "../../geometry/vector.ts";
import type { LetterPlane } from "../../mesh/letter-plane.ts";
import { bareMesh } from "../../mesh/filled-mesh.ts";
import type { Mesh } from "../../mesh/mesh.ts";
import { mapPlan } from "../../scene/map-plan.ts";
import { mapSource, withHollowed } from "../../scene/model-mesh.ts";
import { bodyBox } from "../../scene/placement.ts";
import { withPose } from "../../scene/pose.ts";
import { type Model, type Supports, withLostSupports } from "../../scene/project.ts";
import type { RoutedSupports } from "../../support/plan/routed-supports.ts";
import type { Touchpoint } from "../../support/points/touchpoint.ts";
import type { HollowSource } from "../../solid/hollow/hollow-mesh.ts";

/** A plane of the scene across an axis, in which models are mirrored. */
export interface MirrorPlane {
  readonly axis: Axis;
  readonly atMm: number;
}

/** The middle plane of models, without their supports, across an axis. */
export const middlePlane = (models: readonly Model[], axis: Axis): MirrorPlane => {
  const box: Box = models.map(bodyBox).reduce(unionBoxes);
  return { axis, atMm: boxCentre(box)[axis] };
};

/** Factors of `stretchMesh` for the mirror image of a raw mesh. Its x axis is mirrored, whichever axis of the scene is: a rotation does the rest. */
export const MIRRORED_X: Vec3 = [-1, 1, 1];

const mirroredPoint = ([x, y, z]: Vec3): Vec3 => [0 - x, y, z];
const MIRROR = { point: mirroredPoint, normal: mirroredPoint, lengthFactor: 1 };

/**
 * The mirror image of a model; outlines are not recomputed. `imageOf` has the mirror image of each raw mesh. Supports are mirrored along, but a
 * plane across z turns the model over and removes them, unless the image is the model itself.
 */
export function mirroredModel(model: Model, plane: MirrorPlane, imageOf: (mesh: Mesh) => Mesh): Model {
  const { supports, supportPlan, hollowed, letters } = model;
  const source = hollowed && mirroredSource(hollowed, imageOf);
  const { mesh } = withHollowed({ ...model, mesh: imageOf(bareMesh(model.mesh)) }, source);
  const image = {
    mesh,
    supportPlan: supportPlan && mapPlan(supportPlan, MIRROR),
    hollowed: source,
    letters: letters && mirroredLetters(letters),
  };
  const pose = mirroredPose(model.pose, plane);
  if (plane.axis !== 2) {
    return { ...model, ...image, pose, supports: supports && mirroredSupports(supports, plane, imageOf) };
  }
  return { ...withPose(mesh.hash === model.mesh.hash ? model : withLostSupports(model, "TURNED"), pose), ...image };
}

const mirroredSupports = (supports: Supports, plane: MirrorPlane, imageOf: (mesh: Mesh) => Mesh): Supports => ({
  ...supports,
  mesh: imageOf(supports.mesh),
  pose: mirroredPose(supports.pose, plane),
  touchpoints: supports.touchpoints.map(mirroredTouchpoint),
  routed: supports.routed && mirroredTree(supports.routed),
  faults: supports.faults && {
    ...supports.faults,
    unreached: supports.faults.unreached.map(mirroredPoint),
    slender: supports.faults.slender.map(mirroredPoint),
    unheld: supports.faults.unheld.map(mirroredPoint),
  },
});

const mirroredTouchpoint = (touchpoint: Touchpoint): Touchpoint => ({
  ...touchpoint,
  position: mirroredPoint(touchpoint.position),
  normal: mirroredPoint(touchpoint.normal),
});

/** Nodes are x, y, z and radius. */
const mirroredTree = (routed: RoutedSupports): RoutedSupports => ({
  ...routed,
  tree: { ...routed.tree, nodes: routed.tree.nodes.map((value, i) => (i % 4 === 0 ? 0 - value : value)) },
});

/** The pose of the mirrored raw mesh: position mirrored, rotation S · R · Sx, where S mirrors the scene. */
function mirroredPose({ position, orientation, scale }: Pose, { axis, atMm }: MirrorPlane): Pose {
  return {
    position: withCoordinate(position, axis, 2 * atMm - position[axis]),
    orientation: mirroredOrientation(orientation, axis),
    scale,
  };
}

function mirroredOrientation(orientation: EulerDeg, axis: Axis): EulerDeg {
  const signOf = (i: number): number => (Math.floor(i / 3) === axis ? -1 : 1) * (i % 3 === 0 ? -1 : 1);
  const mirrored = rotationMatrix(orientation).map((value, i) => value * signOf(i));
  return roundedAngles(mirrored as unknown as Mat3, STEPS_PER_DEGREE);
}

const mirroredSource = (source: HollowSource, imageOf: (mesh: Mesh) => Mesh): HollowSource => ({
  ...mapSource(source, imageOf),
  holes: source.holes.map((hole) => ({
    ...hole,
    position: mirroredPoint(hole.position),
    direction: mirroredPoint(hole.direction),
  })),
});

const mirroredLetters = (letters: LetterPlane): LetterPlane =>
  letters.axis === 0 ? { ...letters, side: letters.side === 1 ? -1 : 1, atMm: 0 - letters.atMm } : letters;
