import { field, object } from "../api/field.ts";
import * as v from "valibot";
import { getUser, login, logout } from "./account/endpoint.ts";
import { discoverDevices, listDevices } from "./printers/endpoint.ts";
import { type Endpoint, servesServer } from "../api/endpoint.ts";
import { uploadFirmware } from "./printers/firmware-endpoint.ts";
import { autoOrient } from "./orient/endpoint.ts";
import { bodyCount, splitBodies } from "./bodies/endpoint.ts";
import { fitPlateReadings } from "./calibrate/fit-endpoint.ts";
import { writePlate } from "./calibrate/plate-endpoint.ts";
import { cageModels } from "./cage/endpoint.ts";
import { deleteModels, duplicateModels, listModels, replaceModel, updateModels } from "./models/endpoint.ts";
import { cutModels } from "./cut/endpoint.ts";
import { dentalHollow } from "./dental/endpoint.ts";
import { drillModels } from "./drill/endpoint.ts";
import { hollowModels } from "./hollow/endpoint.ts";
import { importModel } from "./import/endpoint.ts";
import { compareJobs } from "./job-files/compare-endpoint.ts";
import { convertJobFile } from "./job-files/convert-endpoint.ts";
import { inspectJob } from "./job-files/inspect-endpoint.ts";
import { drawJobLayers } from "./job-files/layers-endpoint.ts";
import { cancelJob, getJob, listJobs, retryJob, submitJob } from "./jobs/endpoint.ts";
import { labelModel } from "./label/endpoint.ts";
import { autoLayout, fillBuildPlatform } from "./layout/endpoint.ts";
import { measureModels } from "./measure/endpoint.ts";
import { mirrorModels } from "./mirror/endpoint.ts";
import { moveToScene } from "./move-to-scene/endpoint.ts";
import { autoPack, fillBuildChamber } from "./pack/endpoint.ts";
import { repairModels } from "./repair/endpoint.ts";
import { stretchModels } from "./stretch/endpoint.ts";
import { autoSupport, regenerateSupports } from "./support/endpoint.ts";
import { deleteSupports } from "./support-plan/delete-endpoint.ts";
import { previewSupports } from "./support-preview/endpoint.ts";
import { getSupports } from "./support-plan/get-endpoint.ts";
import { setSupports } from "./support-plan/set-endpoint.ts";
import { orientModels, scaleModels, translateModels } from "./placement/endpoint.ts";
import { validateHold } from "./check/hold-endpoint.ts";
import { validateManifoldness, validateThinFeatures } from "./check/mesh-endpoints.ts";
import { validateInBounds, validateInterferences } from "./check/placement-endpoints.ts";
import { validateCups, validateMinima, validateSupportedness } from "./check/printability-endpoints.ts";
import { acceptFindings, checkWholeScene, tryFixes } from "./findings/endpoint.ts";
import { cancelOperations, deleteOperations, getOperation, listOperations } from "./operations/endpoint.ts";
import { listPrintSettings, savePrintSetting, validatePrintSetting } from "./print-settings/endpoint.ts";
import { listUnusable } from "./printers/unusable-endpoint.ts";
import { listQueues, updateQueuedJob } from "./printers/queue-endpoints.ts";
import { createScene, deleteScene, getScene, listScenes, renameScene, updateScene } from "./scenes/endpoint.ts";
import { exportScene } from "./export/endpoint.ts";
import { drainModels } from "./drain/endpoint.ts";
import { ventModels } from "./vent/endpoint.ts";
import { sceneMetadata } from "./metadata/endpoint.ts";
import { calculatePrintTime, estimatePrintTime } from "./print-time/endpoint.ts";
import { createPlan } from "./plan/create-endpoint.ts";
import { openPlate } from "./plan/open-endpoint.ts";
import { prepare } from "./prepare/endpoint.ts";
import { printScene } from "./print/endpoint.ts";
import { openScenes, saveScenes } from "./projects/endpoint.ts";
import { renderScene } from "./render/endpoint.ts";

const serverInfo = servesServer(
  {
    method: "GET",
    path: "/v1/",
    summary: "The running server's version.",
    reply: object({ version: field(v.string(), "Version of the server.") }),
  },
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
  renameScene,
  saveScenes,
  openScenes,
  renderScene,
  prepare,
  exportScene,
  printScene,
  estimatePrintTime,
  calculatePrintTime,
  sceneMetadata,
  checkWholeScene,
  acceptFindings,
  tryFixes,
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
  moveToScene,
  mirrorModels,
  stretchModels,
  cutModels,
  ventModels,
  drainModels,
  autoOrient,
  autoLayout,
  fillBuildPlatform,
  cageModels,
  autoPack,
  fillBuildChamber,
  autoSupport,
  regenerateSupports,
  getSupports,
  previewSupports,
  setSupports,
  deleteSupports,
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
  inspectJob,
  drawJobLayers,
  convertJobFile,
  compareJobs,
  writePlate,
  fitPlateReadings,
  createPlan,
  openPlate,
  getOperation,
  listOperations,
  deleteOperations,
  cancelOperations,
  listPrintSettings,
  validatePrintSetting,
  savePrintSetting,
  listDevices,
  discoverDevices,
  listUnusable,
  uploadFirmware,
  submitJob,
  listJobs,
  getJob,
  cancelJob,
  retryJob,
  listQueues,
  updateQueuedJob,
];
