import { normaliseAngles } from "../../geometry/pose.ts";
import type { Mesh } from "../../mesh/mesh.ts";
import type { FormDocument, FormHollowed, FormModel, FormScene } from "./document.ts";
import { FORMAT_NAME, type Manifest, type ManifestHollowed, type ManifestModel, FORM_VERSION } from "./manifest.ts";
import { parsePosition, positionOf } from "./manifest-values.ts";
import {
  fromManifestPlan,
  fromManifestSupports,
  isEdited,
  toManifestPlan,
  toManifestSupports,
} from "./supports-document.ts";

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
  const { name, originalFile, units, visible, lock, pose, mesh, supports, lostSupports, supportPlan } = model;
  const { hollowed, letters } = model;
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
    ...(supportPlan && { support_plan: toManifestPlan(supportPlan) }),
    ...(hollowed && { hollowed: toManifestHollowed(hollowed) }),
    ...(letters && { letters: { axis: letters.axis, side: letters.side, at_mm: letters.atMm } }),
  };
}

/** A file carries the lowest version that can hold it: supports need version 2, those that a person edited version 3. */
function versionOf(scenes: readonly FormScene[]): number {
  const models = scenes.flatMap((scene) => scene.models);
  if (models.some(isEdited)) return FORM_VERSION;
  return models.some(({ supports }) => supports) ? 2 : 1;
}

const toManifestHollowed = ({ solid, holes, infill }: FormHollowed): ManifestHollowed => ({
  solid: solid.hash,
  ...(infill && {
    infill: {
      kind: infill.kind,
      cell_size_mm: infill.cellMm,
      wall_thickness_mm: infill.wallMm,
      clearance_mm: infill.clearanceMm,
      cavity: infill.cavity.hash,
    },
  }),
  holes: holes.map(({ position, direction, diameterMm, depthMm, outsetMm, searchMm }) => ({
    position: positionOf(position),
    direction: positionOf(direction),
    diameter_mm: diameterMm,
    depth_mm: depthMm,
    outset_mm: outsetMm,
    search_mm: searchMm,
  })),
});

/** The document of a manifest. `meshOf` gives the mesh with each hash of `hashesIn`. */
export const toDocument = (manifest: Manifest, meshOf: (hash: string) => Mesh): FormDocument => ({
  projectName: manifest.project_name,
  scenes: manifest.scenes.map(
    ({ name, scene_settings, custom_print_setting, models, cages, accepted_findings }): FormScene => ({
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
        ...(model.support_plan && { supportPlan: fromManifestPlan(model.support_plan) }),
        ...(model.hollowed && { hollowed: fromManifestHollowed(model.hollowed, meshOf) }),
        ...(model.letters && {
          letters: { axis: model.letters.axis, side: model.letters.side, atMm: model.letters.at_mm },
        }),
      })),
      ...(cages && { cages }),
      ...(accepted_findings && { acceptedFindings: accepted_findings }),
    }),
  ),
});

const fromManifestHollowed = (
  { solid, holes, infill }: ManifestHollowed,
  meshOf: (hash: string) => Mesh,
): FormHollowed => ({
  solid: meshOf(solid),
  ...(infill && {
    infill: {
      kind: infill.kind,
      cellMm: infill.cell_size_mm,
      wallMm: infill.wall_thickness_mm,
      clearanceMm: infill.clearance_mm,
      cavity: meshOf(infill.cavity),
    },
  }),
  holes: holes.map(({ position, direction, diameter_mm, depth_mm, outset_mm, search_mm }) => ({
    position: parsePosition(position),
    direction: parsePosition(direction),
    diameterMm: diameter_mm,
    depthMm: depth_mm,
    outsetMm: outset_mm,
    ...(search_mm !== undefined && { searchMm: search_mm }),
  })),
});
