import { discoverDevices } from "./device/discover.ts";
import { listDevices } from "./device/list.ts";
import type { Endpoint } from "./endpoint.ts";
import { autoSupport } from "./model/auto-support.ts";
import { autoOrient } from "./model/auto-orient.ts";
import { autoLayout } from "./model/auto-layout.ts";
import { bodyCount } from "./model/body-count.ts";
import { deleteModels } from "./model/delete.ts";
import { dentalHollow } from "./model/dental-hollow.ts";
import { drillModels } from "./model/drill.ts";
import { duplicateModels } from "./model/duplicate.ts";
import { fillBuildPlatform } from "./model/fill-build-platform.ts";
import { hollowModels } from "./model/hollow.ts";
import { importModel } from "./model/import.ts";
import { labelModel } from "./model/label.ts";
import { listModels } from "./model/list.ts";
import { orientModels } from "./model/orient.ts";
import { regenerateSupports } from "./model/regenerate-supports.ts";
import { repairModels } from "./model/repair.ts";
import { replaceModel } from "./model/replace.ts";
import { scaleModels } from "./model/scale.ts";
import { splitBodies } from "./model/split-bodies.ts";
import { translateModels } from "./model/translate.ts";
import { updateModels } from "./model/update.ts";
import { validateCups } from "./model/validate-cups.ts";
import { validateInBounds } from "./model/validate-in-bounds.ts";
import { validateInterferences } from "./model/validate-interferences.ts";
import { validateManifoldness } from "./model/validate-manifoldness.ts";
import { validateMinima } from "./model/validate-minima.ts";
import { validateSupportedness } from "./model/validate-supportedness.ts";
import { validateThinFeatures } from "./model/validate-thin-features.ts";
import { deleteOperations } from "./operation/delete.ts";
import { getOperation } from "./operation/get.ts";
import { listOperations } from "./operation/list.ts";
import { listPrintSettings } from "./print-setting/list.ts";
import { savePrintSetting } from "./print-setting/save.ts";
import { validatePrintSetting } from "./print-setting/validate.ts";
import { calculatePrintTime } from "./scene/calculate-print-time.ts";
import { createScene } from "./scene/create.ts";
import { deleteScene } from "./scene/delete.ts";
import { estimatePrintTime } from "./scene/estimate-print-time.ts";
import { getScene } from "./scene/get.ts";
import { listScenes } from "./scene/list.ts";
import { sceneMetadata } from "./scene/metadata.ts";
import { openScenes } from "./scene/open.ts";
import { printScene } from "./scene/print.ts";
import { renderScene } from "./scene/render.ts";
import { saveScenes } from "./scene/save.ts";
import { updateScene } from "./scene/update.ts";
import { serverInfo } from "./server-info.ts";

/** Every endpoint. Routing, checking, async, OpenAPI and the suites over the interface all walk this table. */
export const ENDPOINTS: readonly Endpoint[] = [
  serverInfo,
  createScene,
  listScenes,
  getScene,
  deleteScene,
  updateScene,
  saveScenes,
  openScenes,
  renderScene,
  printScene,
  estimatePrintTime,
  calculatePrintTime,
  sceneMetadata,
  importModel,
  listModels,
  labelModel,
  scaleModels,
  orientModels,
  translateModels,
  updateModels,
  deleteModels,
  replaceModel,
  duplicateModels,
  autoOrient,
  autoLayout,
  fillBuildPlatform,
  autoSupport,
  regenerateSupports,
  hollowModels,
  dentalHollow,
  drillModels,
  bodyCount,
  splitBodies,
  validateInterferences,
  validateManifoldness,
  repairModels,
  validateInBounds,
  validateCups,
  validateMinima,
  validateSupportedness,
  validateThinFeatures,
  getOperation,
  listOperations,
  deleteOperations,
  listPrintSettings,
  validatePrintSetting,
  savePrintSetting,
  listDevices,
  discoverDevices,
];
