import { camelKeys, snakeKeys } from "../../core/json.ts";
import { normaliseAngles } from "../../geometry/pose.ts";
import type { Vec3 } from "../../geometry/vector.ts";
import type { Mesh } from "../../mesh/mesh.ts";
import type { FormDocument, FormHollowed, FormModel, FormScene, FormSupports } from "./document.ts";
import {
  FORMAT_NAME,
  type Manifest,
  type ManifestHollowed,
  type ManifestModel,
  type ManifestPosition,
  type ManifestSupports,
  FORM_VERSION,
} from "./manifest.ts";

/** The manifest of a document. */
export const toManifest = ({ projectName, scenes }: FormDocument): Manifest => ({
  format: FORMAT_NAME,
  version: versionOf(scenes),
  project_name: projectName,
  scenes: scenes.map(({ name, combination, customPrintSetting, models, cages, acceptedFindings }) => ({
    name,
    scene_settings: {
      machine_type: combination.machineType,
      material_code: combination.materialCode,
      print_setting: combination.printSetting,
      layer_thickness_mm: combination.layerThicknessMm,
    },
    custom_print_setting: customPrintSetting,
    models: models.map(toManifestModel),
    ...(cages && { cages: cages.map(({ name, lattice, parts }) => ({ name, lattice, parts: [...parts] })) }),
    ...(acceptedFindings && { accepted_findings: acceptedFindings.map((one) => ({ ...one })) }),
  })),
});

function toManifestModel(model: FormModel): ManifestModel {
  const { name, originalFile, units, visible, lock, pose, mesh, supports, lostSupports, hollowed, letters } = model;
  return {
    name,
    original_file: originalFile,
    units,
    visible,
    lock,
    position: positionOf(pose.position),
    orientation: pose.orientation,
    scale: pose.scale,
    mesh: mesh.hash,
    ...(supports && { supports: toManifestSupports(supports) }),
    ...(lostSupports && { lost_supports: lostSupports }),
    ...(hollowed && { hollowed: toManifestHollowed(hollowed) }),
    ...(letters && { letters: { axis: letters.axis, side: letters.side, at_mm: letters.atMm } }),
  };
}

/** A file carries the lowest version that can hold it: only supports need version 2. */
const versionOf = (scenes: readonly FormScene[]): number =>
  scenes.some(({ models }) => models.some(({ supports }) => supports)) ? FORM_VERSION : 1;

function toManifestSupports({ pose, mesh, settings, touchpoints, faults }: FormSupports): ManifestSupports {
  return {
    position: positionOf(pose.position),
    turn_deg: pose.orientation.z,
    mesh: mesh.hash,
    settings: snakeKeys(settings),
    touchpoints: touchpoints.map(({ position, normal, cause }) => [...position, ...normal, cause]),
    ...(faults && {
      faults: {
        unreached: faults.unreached.map((point) => [...point]),
        slender: faults.slender.map((point) => [...point]),
        is_loose: faults.isLoose,
      },
    }),
  };
}

const toManifestHollowed = ({ solid, holes }: FormHollowed): ManifestHollowed => ({
  solid: solid.hash,
  holes: holes.map(({ position, direction, diameterMm, depthMm, outsetMm, searchMm }) => ({
    position: positionOf(position),
    direction: positionOf(direction),
    diameter_mm: diameterMm,
    depth_mm: depthMm,
    outset_mm: outsetMm,
    search_mm: searchMm,
  })),
});

const positionOf = ([x, y, z]: Vec3): ManifestPosition => ({ x, y, z });

/** The document of a manifest. `meshOf` gives the mesh with each hash of `hashesIn`. */
export const toDocument = (manifest: Manifest, meshOf: (hash: string) => Mesh): FormDocument => ({
  projectName: manifest.project_name,
  scenes: manifest.scenes.map(({ name, scene_settings, custom_print_setting, models, cages, accepted_findings }): FormScene => ({
    name,
    combination: {
      machineType: scene_settings.machine_type,
      materialCode: scene_settings.material_code,
      printSetting: scene_settings.print_setting,
      layerThicknessMm: scene_settings.layer_thickness_mm,
    },
    ...(custom_print_setting && { customPrintSetting: custom_print_setting }),
    models: models.map((model): FormModel => ({
      name: model.name,
      originalFile: model.original_file,
      units: model.units,
      visible: model.visible,
      lock: model.lock,
      pose: {
        position: parsePosition(model.position),
        orientation: normaliseAngles(model.orientation),
        scale: model.scale,
      },
      mesh: meshOf(model.mesh),
      ...(model.supports && { supports: fromManifestSupports(model.supports, meshOf) }),
      ...(model.lost_supports && { lostSupports: model.lost_supports }),
      ...(model.hollowed && { hollowed: fromManifestHollowed(model.hollowed, meshOf) }),
      ...(model.letters && {
        letters: { axis: model.letters.axis, side: model.letters.side, atMm: model.letters.at_mm },
      }),
    })),
    ...(cages && { cages }),
    ...(accepted_findings && { acceptedFindings: accepted_findings }),
  })),
});

function fromManifestSupports(
  { position, turn_deg, mesh, settings, touchpoints, faults }: ManifestSupports,
  meshOf: (hash: string) => Mesh,
): FormSupports {
  return {
    pose: {
      position: parsePosition(position),
      orientation: { x: 0, y: 0, z: turn_deg + 0 },
      scale: 1,
    },
    mesh: meshOf(mesh),
    settings: camelKeys(settings),
    touchpoints: touchpoints.map(([x, y, z, nx, ny, nz, cause]) => ({
      position: [x, y, z],
      normal: [nx, ny, nz],
      cause,
    })),
    ...(faults && { faults: { unreached: faults.unreached, slender: faults.slender, isLoose: faults.is_loose } }),
  };
}

const fromManifestHollowed = ({ solid, holes }: ManifestHollowed, meshOf: (hash: string) => Mesh): FormHollowed => ({
  solid: meshOf(solid),
  holes: holes.map(({ position, direction, diameter_mm, depth_mm, outset_mm, search_mm }) => ({
    position: parsePosition(position),
    direction: parsePosition(direction),
    diameterMm: diameter_mm,
    depthMm: depth_mm,
    outsetMm: outset_mm,
    ...(search_mm !== undefined && { searchMm: search_mm }),
  })),
});

/** −0 is read as 0. */
const parsePosition = ({ x, y, z }: ManifestPosition): Vec3 => [x + 0, y + 0, z + 0];
