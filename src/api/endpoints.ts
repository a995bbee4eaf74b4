import * as v from "valibot";
import { getUser, login, logout } from "./account.ts";
import { discoverDevices, listDevices } from "./device.ts";
import { type Endpoint, servesServer } from "./endpoint.ts";
import { uploadFirmware } from "./firmware.ts";
import { autoOrient } from "./model/auto-orient.ts";
import { bodyCount, splitBodies } from "./model/bodies.ts";
import { cageModels } from "./model/cage.ts";
import { deleteModels, duplicateModels, listModels, replaceModel, updateModels } from "./model/crud.ts";
import { dentalHollow } from "./model/dental-hollow.ts";
import { drillModels } from "./model/drill.ts";
import { hollowModels } from "./model/hollow.ts";
import { importModel } from "./model/import.ts";
import { labelModel } from "./model/label.ts";
import { autoLayout, fillBuildPlatform } from "./model/layout.ts";
import { measureModels } from "./model/measure.ts";
import { autoPack, fillBuildChamber } from "./model/pack.ts";
import { repairModels } from "./model/repair.ts";
import { autoSupport, regenerateSupports } from "./model/supports.ts";
import { orientModels, scaleModels, translateModels } from "./model/transform.ts";
import { validateHold } from "./model/validate-hold.ts";
import { validateManifoldness, validateThinFeatures } from "./model/validate-mesh.ts";
import { validateInBounds, validateInterferences } from "./model/validate-placement.ts";
import { validateCups, validateMinima, validateSupportedness } from "./model/validate-printability.ts";
import { cancelOperations, deleteOperations, getOperation, listOperations } from "./operation.ts";
import { listPrintSettings, savePrintSetting, validatePrintSetting } from "./print-setting.ts";
import { listQueues, updateQueuedJob } from "./queue.ts";
import { createScene, deleteScene, getScene, listScenes, updateScene } from "./scene/crud.ts";
import { exportScene } from "./scene/export.ts";
import { sceneMetadata } from "./scene/metadata.ts";
import { calculatePrintTime, estimatePrintTime } from "./scene/print-time.ts";
import { printScene } from "./scene/print.ts";
import { openScenes, saveScenes } from "./scene/project-file.ts";
import { renderScene } from "./scene/render.ts";

const serverInfo = servesServer(
  { method: "GET", path: "/v1/", summary: "The running server's version.", reply: v.object({ version: v.string() }) },
  ({ version }) => ({ version }),
);

/** Every endpoint. Routing, request checks, OpenAPI and tests iterate over this table. */
export const ENDPOINTS: readonly Endpoint[] = [
  serverInfo,
  login,
  logout,
  getUser,
  createScene,
  listScenes,
  getScene,
  deleteScene,
  updateScene,
  saveScenes,
  openScenes,
  renderScene,
  exportScene,
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
  cageModels,
  autoPack,
  fillBuildChamber,
  autoSupport,
  regenerateSupports,
  hollowModels,
  dentalHollow,
  drillModels,
  bodyCount,
  measureModels,
  splitBodies,
  validateInterferences,
  validateManifoldness,
  repairModels,
  validateInBounds,
  validateCups,
  validateMinima,
  validateSupportedness,
  validateHold,
  validateThinFeatures,
  getOperation,
  listOperations,
  deleteOperations,
  cancelOperations,
  listPrintSettings,
  validatePrintSetting,
  savePrintSetting,
  listDevices,
  discoverDevices,
  uploadFirmware,
  listQueues,
  updateQueuedJob,
];
