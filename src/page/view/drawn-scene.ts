import { Scene } from "three";
import { matrixRow } from "../../geometry/vector.ts";
import { viewMatrix } from "../../render/camera.ts";
import { type BodyAreas, DrawnAreas } from "./drawn-areas.ts";
import { coveredArea } from "./area-size.ts";
import { type Instance, scaleOf } from "./instances.ts";
import { DrawnBodies } from "./drawn-bodies.ts";
import { MAX_PIXEL_RATIO, type Canvas, newCanvas } from "./canvas.ts";
import { type Captions, newCaptions } from "./captions.ts";
import { type FrameBudget, type FrameGoal, frameGoal, nextBudget } from "./frame-budget.ts";
import { FrameLoop } from "./frame-loop.ts";
import { newDraftStruts } from "./draft-struts.ts";
import { newDrawnPoints } from "./drawn-points.ts";
import { newLayerPlane } from "./layer-plane.ts";
import { wantedMeshes } from "./levels.ts";
import { type Loupe, newLoupe } from "./loupe.ts";
import { markerCaptions, newMarkerPoints } from "./marker-points.ts";
import { MeshStore } from "./mesh-store.ts";
import { type Overlay, type OverlayLine, newOverlay } from "./overlay.ts";
import type { Pixel } from "./orbit.ts";
import { type Palette, paletteOf } from "./palette.ts";
import { type ShownState, cutsOf, isKept } from "./shown-state.ts";
import { withStandIns } from "./stand-ins.ts";
import { type DrawnVolume, newDrawnVolume } from "./drawn-volume.ts";
import { drawnInstances, neededInstances } from "./trial.ts";
import type { AreaMode, ShownStrut, ShownSupportEdit } from "./view.ts";
import { type ViewFrame, newViewFrame } from "./view-frame.ts";

/** If a full frame takes longer, a change is first shown by a quick frame. */
const SLOW_FRAME_MS = 250;

interface DrawnSceneEvents {
  /** Returns the lines to draw over the picture. */
  lines(): readonly OverlayLine[];
  /** Called with the fraction of the meshes that are loaded. */
  loading(share: number): void;
  /** Called after each frame. */
  drawn(): void;
}

/** Draws the shown state: loads meshes, adapts the quality of frames to the speed of the machine, and draws when something has changed. */
export class DrawnScene {
  readonly canvas: Canvas;
  readonly overlay: Overlay;
  readonly meshes: MeshStore;
  /** Duration of the last full frame. */
  fullFrameMs = 0;
  readonly #state: ShownState;
  readonly #events: DrawnSceneEvents;
  readonly #frame: ViewFrame;
  readonly #captions: Captions;
  readonly #loupe: Loupe;
  readonly #loop: FrameLoop;
  readonly #drawn = new Scene();
  readonly #bodies = new DrawnBodies();
  readonly #markerPoints = newMarkerPoints();
  readonly #supportPoints = newDrawnPoints();
  readonly #struts = newDraftStruts();
  readonly #areas = new DrawnAreas();
  readonly #layerPlane = newLayerPlane(() => this.invalidate());
  readonly #darkness = matchMedia("(prefers-color-scheme: dark)");
  readonly #sizes = new ResizeObserver(() => this.invalidate());
  readonly #themes = new MutationObserver(() => this.#recolour());
  readonly #goal: FrameGoal;
  #volume: DrawnVolume | undefined;
  #areBodiesStale = false;
  /** What was drawn last, by mesh hash. */
  #lastInstances: ReadonlyMap<string, readonly Instance[]> = new Map();
  #shownStruts: readonly ShownStrut[] | undefined;
  /** The part whose draft the struts are. */
  #draftOf: string | undefined;
  /** When the edit was made whose struts are not drawn yet. */
  #draftSince: number | undefined;
  /** Whether meshes of the scene are missing. */
  isLoading = false;
  /** Number of triangles in the last frame. */
  #triangles = 0;
  /** Number of models in the last frame that are only tried out. */
  #tried = 0;
  #budget: FrameBudget;
  /** Frame budget at the last request for meshes. */
  #requestedBudget: FrameBudget | undefined;

  /** Throws if the browser does not support WebGL 2. */
  constructor(container: HTMLElement, state: ShownState, events: DrawnSceneEvents, signal: AbortSignal) {
    this.#state = state;
    this.#events = events;
    this.#frame = newViewFrame(container);
    this.canvas = newCanvas(this.#frame.element);
    this.#captions = newCaptions(this.#frame.element);
    this.overlay = newOverlay(this.#frame.element);
    this.#loupe = newLoupe(this.#frame.element);
    this.#frame.describe(this.canvas.element, signal);
    this.#drawn.add(this.#bodies.object, this.#bodies.caps, this.#bodies.outline, this.#layerPlane.object);
    this.#drawn.add(this.#markerPoints.object, this.#struts.object, this.#areas.object, this.#supportPoints.object);
    this.#goal = frameGoal(this.canvas.isSoftware);
    this.#budget = this.#goal;
    this.meshes = new MeshStore({
      loaded: (hash, mesh, isCoarse) => {
        if (this.#bodies.add(hash, mesh, isCoarse)) this.showBodies();
      },
      progress: (share, failed) => this.#showProgress(share, failed),
    });
    this.#loop = new FrameLoop({
      draw: (isMoving) => this.#draw(isMoving),
      isFinished: () => this.canvas.finished(),
      drawn: (milliseconds, isMoving) => this.#recordFrame(milliseconds, isMoving),
      outdated: () => (this.canvas.element.dataset.state = "drawing"),
    });
    this.#sizes.observe(this.#frame.element);
    this.#themes.observe(document.documentElement, { attributeFilter: ["data-theme"] });
    this.#darkness.addEventListener("change", () => this.#recolour(), { signal });
    this.canvas.element.addEventListener("webglcontextrestored", () => this.invalidate(), { signal });
  }

  /** Draws a frame. */
  invalidate(): void {
    this.#loop.invalidate();
  }

  /** Draws a quick frame, and a full one when the motion has stopped. */
  move(): void {
    this.#loop.move();
  }

  /** Enlarges what is under a finger; undefined ends that. */
  showLoupe(at: Pixel | undefined): void {
    this.#loupe.show(at, this.canvas.size());
    if (at) this.move();
  }

  showBodies(): void {
    this.#areBodiesStale = true;
    if (this.fullFrameMs > SLOW_FRAME_MS) this.move();
    else this.invalidate();
  }

  /** Draws the lines over the picture anew, and not the picture. */
  showLines(): void {
    this.overlay.show(this.#events.lines());
  }

  /** Shows a proposed change, which follows the pointer. */
  showPreview(): void {
    this.#areBodiesStale = true;
    this.move();
  }

  /** Shows the build volume of the scene. */
  showVolume(): void {
    const { scene } = this.#state;
    if (!scene) return;
    if (this.#volume) {
      this.#drawn.remove(this.#volume.object);
      this.#volume.close();
    }
    this.#volume = newDrawnVolume(scene.volume, this.#palette());
    this.#drawn.add(this.#volume.object);
    this.showMarkers();
  }

  showMarkers(): void {
    const { preview, markers } = this.#state;
    // During a proposed change the models are no longer where the markers are.
    const present = preview.size === 0 ? markers : [];
    const cuts = cutsOf(this.#state);
    const visible = present.filter(({ point, radiusMm }) => isKept(cuts, point, radiusMm));
    this.#markerPoints.show(visible, this.#palette());
    this.#captions.show([...markerCaptions(visible), ...(this.#volume?.captions ?? [])]);
    this.invalidate();
  }

  /** Shows the edited support points and the draft. */
  showSupportEdit(): void {
    this.#cut();
    this.#areBodiesStale = true;
    this.move();
  }

  /** Shows the draft if it is another one than before. */
  #showStruts(supportEdit: ShownSupportEdit | undefined): void {
    const { struts, areSupportsHidden = false, editedAtMs = 0 } = supportEdit ?? {};
    if (this.#shownStruts !== struts) {
      this.#struts.show(struts ?? [], this.#palette().support);
      this.#draftSince = struts && editedAtMs;
    }
    this.#shownStruts = struts;
    this.#draftOf = struts && supportEdit?.modelId;
    this.#struts.object.visible = !areSupportsHidden && (struts?.length ?? 0) > 0;
  }

  /** Shows the bodies of the state. A draft whose edit has ended stays until the solid of its supports is loaded. */
  #showBodiesOf({ hovered, overlapping, preview, supportEdit, cut: split }: ShownState, palette: Palette): void {
    const isLoaded = (hash: string): boolean => this.meshes.get(hash) !== undefined;
    const wanted = drawnInstances(this.#state, isLoaded);
    const { instances, waiting } = withStandIns(wanted, this.#lastInstances, this.isLoading ? isLoaded : () => true);
    const isDraftKept = !supportEdit && this.#draftOf !== undefined && waiting.has(this.#draftOf);
    if (!isDraftKept) this.#showStruts(supportEdit);
    const drafted = isDraftKept && this.#draftOf !== undefined && { modelId: this.#draftOf, supportOpacity: 0 };
    const edited = supportEdit
      ? { modelId: supportEdit.modelId, supportOpacity: supportOpacityOf(supportEdit) }
      : drafted || undefined;
    // In the colour of the selection the points would be hard to see.
    const selected = supportEdit ? NOTHING : this.#state.selected;
    this.#bodies.show(instances, { palette, selected, hovered, overlapping, preview, edited, split });
    this.#lastInstances = instances;
    this.#tried = new Set([...instances.values()].flat().flatMap(({ modelId, tint }) => (tint ? [modelId] : []))).size;
  }

  /** Shows the layer and the section. */
  showCuts(): void {
    const { scene, layer } = this.#state;
    this.#cut();
    if (scene) this.#layerPlane.show(layer, scene.volume.dimensionsMm, this.#palette().accent);
    this.showMarkers();
    // A section follows the pointer also where full frames take long.
    if (this.fullFrameMs > SLOW_FRAME_MS) this.move();
  }

  /** Cuts off what is beyond planes. That of the slice turns with the camera. */
  #cut(): void {
    const cuts = cutsOf(this.#state);
    for (const cuttable of [this.#bodies, this.#struts, this.#areas]) cuttable.cutAt(cuts);
    const points = this.#state.supportEdit?.points ?? [];
    this.#supportPoints.show(
      points.filter(({ point }) => isKept(cuts, point)),
      this.#palette(),
    );
  }

  /** Requests the meshes of the shown scene. */
  requestMeshes(): void {
    this.#requestedBudget = this.#budget;
    this.meshes.want(wantedMeshes(neededInstances(this.#state), this.#budget.triangles));
  }

  /** The surface that the areas of a kind cover, mm²; undefined before the exact mesh of their part is loaded. */
  coveredMm2(mode: AreaMode): number | undefined {
    const body = this.#markedBody();
    return body && coveredArea(body.mesh, body.shapes[mode]) * scaleOf(body.matrix) ** 2;
  }

  close(): void {
    this.#sizes.disconnect();
    this.#themes.disconnect();
    this.#loop.close();
    this.meshes.want([]);
    this.#volume?.close();
    this.#bodies.close();
    this.#layerPlane.close();
    this.#markerPoints.close();
    this.#supportPoints.close();
    this.#struts.close();
    this.#areas.close();
    this.canvas.close();
    this.#frame.element.remove();
  }

  #draw(isMoving: boolean): void {
    const { canvas } = this;
    const { orbit } = this.#state;
    const palette = this.#palette();
    if (this.#state.slice) this.#cut();
    canvas.fit(isMoving ? this.#budget.pixelRatio : MAX_PIXEL_RATIO);
    if (this.#areBodiesStale) this.#showBodiesOf(this.#state, palette);
    this.#areBodiesStale = false;
    this.#bodies.fit(canvas.size(), canvas.pixelRatio());
    this.#areas.show(this.#markedBody(), palette);
    this.#areas.hatch(canvas.pixelRatio());
    this.#triangles = this.#bodies.refine(isMoving || this.isLoading ? this.#budget.triangles : Infinity);
    // Without a graphics card the passes of caps would slow down motions.
    const toward = matrixRow(viewMatrix(orbit), 2);
    this.#bodies.fill(cutsOf(this.#state), toward, palette, !isMoving || !canvas.isSoftware);
    const cssPxPerMm = canvas.size().height / orbit.heightMm;
    for (const points of [this.#markerPoints, this.#supportPoints])
      points.scaleTo(cssPxPerMm * canvas.pixelRatio(), canvas.pixelRatio());
    this.#volume?.seeFrom(orbit.pitchDeg >= 0);
    canvas.draw(this.#drawn, orbit, palette.background);
    this.#loupe.copy(canvas.element);
    this.#captions.follow(orbit, canvas.size());
    this.showLines();
  }

  /** The part whose supports are edited, with its areas; undefined before its exact mesh is loaded. */
  #markedBody(): BodyAreas | undefined {
    const { scene, supportEdit, marking } = this.#state;
    const model = scene?.models.find(({ id }) => id === supportEdit?.modelId);
    const mesh = model && this.meshes.exact(model.mesh);
    if (!supportEdit || !mesh) return undefined;
    return { mesh, matrix: model.matrix, shapes: { ...supportEdit.areas, ...marking }, mode: supportEdit.brush.mode };
  }

  #recordFrame(milliseconds: number, isMoving: boolean): void {
    // While meshes are loading, frames take longer than later ones will.
    if (isMoving && !this.isLoading) {
      this.#budget = nextBudget(this.#budget, { milliseconds, triangles: this.#triangles }, this.#goal);
    }
    if (!isMoving && !this.isLoading) {
      this.fullFrameMs = milliseconds;
      if (this.#budget !== this.#requestedBudget) this.requestMeshes();
    }
    // For tests, and for people who use the developer tools of a browser.
    const { dataset } = this.canvas.element;
    dataset.triangles = String(this.#triangles);
    dataset.tried = String(this.#tried);
    dataset.struts = String(this.#struts.object.visible ? (this.#shownStruts?.length ?? 0) : 0);
    dataset.meshes = String(this.#bodies.object.children.length);
    dataset.framesPerSecond = this.#loop.framesPerSecond().toFixed(1);
    const isDrawn = this.#state.scene && !this.isLoading && !isMoving && !this.#areBodiesStale;
    if (this.#draftSince !== undefined) dataset.draftMs = String(Math.round(performance.now() - this.#draftSince));
    this.#draftSince = undefined;
    dataset.state = isDrawn ? "drawn" : "drawing";
    this.#events.drawn();
  }

  #showProgress(share: number, failed: number): void {
    this.#frame.say(failed === 0 ? "" : `${failed} of the meshes could not be loaded; they are not shown.`);
    // When all meshes are loaded, a quick frame comes before the full one. Of models whose meshes failed nothing stands in any more.
    if (this.isLoading && share === 1) this.showPreview();
    this.isLoading = share < 1;
    this.#events.loading(share);
  }

  /** Colours of the theme that the page has chosen (`data-theme`), or else the system. */
  #palette(): Palette {
    const { theme } = document.documentElement.dataset;
    return paletteOf(theme === "dark" || (theme !== "light" && this.#darkness.matches));
  }

  #recolour(): void {
    this.showVolume();
    this.showCuts();
    this.showBodies();
    this.#struts.show(this.#shownStruts ?? [], this.#palette().support);
    this.showSupportEdit();
  }
}

const NOTHING: ReadonlySet<string> = new Set();
/** Opacity of present supports while they are edited and not replaced by a draft. */
const PRESENT_SUPPORTS = 0.55;

const supportOpacityOf = ({ struts, areSupportsHidden }: ShownSupportEdit): number =>
  struts || areSupportsHidden ? 0 : PRESENT_SUPPORTS;
