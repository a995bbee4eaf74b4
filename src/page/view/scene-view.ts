import { type Box, unionBoxes } from "../../geometry/box.ts";
import { ORIGIN, type Vec3, matrixRow } from "../../geometry/vector.ts";
import { viewMatrix } from "../../render/camera.ts";
import { MAX_PIXEL_RATIO } from "./canvas.ts";
import { AreaBrush } from "./area-brush.ts";
import { EditGestures } from "./edit-gestures.ts";
import { type PlaceTool, listenForGestures } from "./gestures.ts";
import { instancesByMesh } from "./instances.ts";
import type { LayerPicture } from "./layer-plane.ts";
import { CutGestures } from "./cut-gestures.ts";
import { FaceDown } from "./face-down.ts";
import { MeasureTool } from "./measure-tool.ts";
import { PointGestures } from "./point-gestures.ts";
import { projected } from "./orbit.ts";
import { OrbitControl } from "./orbit-control.ts";
import { DrawnScene } from "./drawn-scene.ts";
import { PickTool } from "./pick-tool.ts";
import { SectionHandle } from "./section-handle.ts";
import { ShownBodies, areaOf } from "./shown-bodies.ts";
import { type ShownState, newShownState } from "./shown-state.ts";
import { ViewGestures } from "./view-gestures.ts";
import { trialInstances } from "./trial.ts";
import type {
  AreaMode,
  CutPlane,
  Marker,
  PictureArea,
  ShownCut,
  ShownMeasure,
  ShownScene,
  ShownSupportEdit,
  ShownTrial,
  Tool,
  ToolBody,
  View,
  ViewEvents,
  Viewpoint,
} from "./view.ts";

/** Selections of more models are all over the picture, and would take too long to project in each frame. */
const MOST_IN_AREA = 50;

type PlaceTools = Readonly<Partial<Record<Tool, PlaceTool>>>;

/** Shows scenes in an element, which it fills. */
export class SceneView implements View {
  readonly #state = newShownState();
  readonly #ended = new AbortController();
  readonly #picture: DrawnScene;
  readonly #bodies: ShownBodies;
  readonly #control: OrbitControl;
  readonly #edits: EditGestures;
  readonly #section: SectionHandle;
  readonly #placeTools: PlaceTools;
  readonly #pickTool: PickTool;
  #trial: ShownTrial | undefined;

  /** Throws if the browser does not support WebGL 2. */
  constructor(container: HTMLElement, events: ViewEvents) {
    const { signal } = this.#ended;
    const state = this.#state;
    const pictureEvents = {
      lines: () => [...this.#section.lines(), ...this.#edits.lines(), ...(this.#placeTool()?.lines() ?? [])],
      loading: (share: number) => {
        events.loading(share);
        if (share === 1) this.#control.frameAwaited();
      },
      drawn: () => {
        events.selectionAt(selectedArea());
        events.selectedPointsAt(selectedPointsArea());
      },
    };
    const picture = new DrawnScene(container, state, pictureEvents, signal);
    const bodies = new ShownBodies(state, picture.meshes);
    const selectedArea = (): PictureArea | undefined =>
      state.selected.size === 0 || state.selected.size > MOST_IN_AREA
        ? undefined
        : bodies.area((id) => state.selected.has(id), picture.canvas.size());
    const selectedPointsArea = (): PictureArea | undefined => {
      const chosen = state.supportEdit?.points.filter(({ isSelected }) => isSelected) ?? [];
      const size = picture.canvas.size();
      return areaOf(
        chosen.map(({ point }) => projected(state.orbit, point, size)),
        size,
      );
    };
    const section = new SectionHandle(state, picture, events);
    const control = new OrbitControl(state, picture, bodies);
    const edits = new EditGestures(state, picture, bodies, events);
    [this.#bodies, this.#picture, this.#control] = [bodies, picture, control];
    [this.#edits, this.#section] = [edits, section];
    this.#pickTool = new PickTool(state, picture, bodies, events);
    this.#placeTools = {
      "face-down": new FaceDown(state, picture, bodies, events),
      measure: new MeasureTool(state, picture, bodies, events, signal),
      pick: this.#pickTool,
      cut: new CutGestures(state, picture, events.cut),
      points: new PointGestures(state, picture, bodies, events.points),
      areas: new AreaBrush(state, picture, bodies, events.areas),
    };
    const placeTool = () => this.#placeTool();
    const gestures = new ViewGestures({ state, picture, bodies, control, edits, section, placeTool, events });
    listenForGestures(picture.canvas.element, gestures, signal);
  }

  setScene(scene: ShownScene): void {
    const old = this.#state.scene;
    this.#placeTool()?.hover(undefined);
    const trial = this.#trial && trialInstances(scene, this.#trial);
    Object.assign(this.#state, { scene, instances: instancesByMesh(scene.models), preview: new Map(), trial });
    this.#picture.showMarkers();
    const isOtherVolume = JSON.stringify(old?.volume) !== JSON.stringify(scene.volume);
    if (isOtherVolume) {
      this.#picture.showVolume();
      this.#picture.canvas.fit(MAX_PIXEL_RATIO);
    }
    if (isOtherVolume || old?.id !== scene.id) this.#control.openScene();
    this.#picture.requestMeshes();
    this.#countHatched();
    this.#picture.showBodies();
  }

  setSelection(modelIds: readonly string[]): void {
    this.#edits.nudges.finish();
    this.#state.selected = new Set(modelIds);
    this.#picture.showBodies();
  }

  setOverlaps(modelIds: readonly string[]): void {
    this.#state.overlapping = new Set(modelIds);
    this.#countHatched();
    this.#picture.showBodies();
  }

  setTrial(trial: ShownTrial | undefined): void {
    const { scene } = this.#state;
    this.#trial = trial;
    this.#state.trial = scene && trial && trialInstances(scene, trial);
    this.#picture.requestMeshes();
    this.#picture.showBodies();
  }

  /** For tests, and for people who use the developer tools of a browser. */
  #countHatched(): void {
    const { scene, overlapping } = this.#state;
    const hatched = scene?.models.filter(({ id, inBounds }) => !inBounds || overlapping.has(id)) ?? [];
    this.#picture.canvas.element.dataset.hatched = String(hatched.length);
  }

  setTool(tool: Tool): void {
    this.#placeTool()?.hover(undefined);
    this.#state.tool = tool;
    this.#picture.canvas.element.dataset.tool = tool;
    this.#picture.invalidate();
  }

  setCut(cut: ShownCut | undefined): void {
    this.#state.cut = cut;
    const { dataset } = this.#picture.canvas.element;
    if (cut) dataset.cut = planeText(cut.plane);
    else delete dataset.cut;
    this.#picture.showPreview();
  }

  setToolBody(body: ToolBody | undefined): void {
    this.#pickTool.setBody(body);
  }

  sayAtPlace(words: string | undefined): void {
    this.#pickTool.say(words);
  }

  setSupportEdit(edit: ShownSupportEdit | undefined): void {
    this.#state.supportEdit = edit;
    this.#state.slice = edit && edit.sliceShare > 0 ? this.#sliceOf(edit) : undefined;
    const { dataset } = this.#picture.canvas.element;
    if (edit) dataset.points = String(edit.points.length);
    else for (const name of ["points", "draftMs"]) delete dataset[name];
    this.#picture.showSupportEdit();
  }

  setMarkers(markers: readonly Marker[]): void {
    this.#state.markers = markers;
    this.#picture.showMarkers();
  }

  setMeasure(measure: ShownMeasure | undefined): void {
    this.#state.measure = measure;
    this.#picture.showLines();
  }

  setLayer(layer: LayerPicture | undefined): void {
    this.#state.layer = layer;
    this.#picture.showCuts();
  }

  setSection(plane: CutPlane | undefined, middle: Vec3 = ORIGIN): void {
    this.#state.section = plane;
    this.#section.setMiddle(middle);
    const { dataset } = this.#picture.canvas.element;
    if (plane) dataset.section = planeText(plane);
    else delete dataset.section;
    this.#picture.showCuts();
  }

  #sliceOf({ modelId, sliceShare: share }: ShownSupportEdit): ShownState["slice"] {
    const boxes = this.#bodies.boxes((id) => id === modelId);
    return boxes.length === 0 ? undefined : { share, box: boxes.reduce(unionBoxes) };
  }

  coveredMm2(mode: AreaMode): number | undefined {
    return this.#picture.coveredMm2(mode);
  }

  meshBox(hash: string): Box | undefined {
    return this.#picture.meshes.get(hash)?.box;
  }

  toward(): Vec3 {
    return matrixRow(viewMatrix(this.#state.orbit), 2);
  }

  look(from: Viewpoint): void {
    this.#control.look(from);
  }

  frame(places?: readonly Marker[]): void {
    this.#control.frame(places);
  }

  frameModels(modelIds: readonly string[]): void {
    this.#control.frameModels(modelIds);
  }

  #placeTool(): PlaceTool | undefined {
    return this.#placeTools[this.#state.tool];
  }

  close(): void {
    this.#ended.abort();
    this.#picture.close();
  }
}

const planeText = ({ normal, atMm }: CutPlane): string => [...normal, atMm].map((value) => value.toFixed(3)).join(" ");
