import { Scene } from "three";
import type { Box } from "../../geometry/box.ts";
import { ORIGIN } from "../../geometry/vector.ts";
import { newBodies } from "./bodies.ts";
import { MAX_PIXEL_RATIO, newCanvas } from "./canvas.ts";
import { newCaptions } from "./captions.ts";
import { isLift } from "./changes.ts";
import { newEditGestures } from "./edit-gestures.ts";
import { type FrameBudget, frameGoal, nextBudget } from "./frame-budget.ts";
import { newFrameLoop } from "./frame-loop.ts";
import { listenForGestures } from "./gestures.ts";
import { type Instance, instancesByMesh, transformedBox } from "./instances.ts";
import { type LayerPicture, newLayerPlane } from "./layer-plane.ts";
import { wantedMeshes } from "./levels.ts";
import { markerCaptions, newMarkerPoints } from "./marker-points.ts";
import { newMeshStore } from "./mesh-store.ts";
import { nudgeOf } from "./nudges.ts";
import {
  type Orbit,
  type Pixel,
  framing,
  framingPlaces,
  lookFrom,
  panned,
  rayThrough,
  turned,
  zoomed,
} from "./orbit.ts";
import { newOverlay } from "./overlay.ts";
import { paletteOf } from "./palette.ts";
import { type BodyHit, type Pickable, modelsWithin, pickBody } from "./picks.ts";
import { clickedSelection, rectangleDrag } from "./select-gestures.ts";
import { type Stage, newStage } from "./stage.ts";
import { newViewFrame } from "./view-frame.ts";
import type { Marker, ShownScene, ShownVolume, Tool, View, ViewEvents } from "./view.ts";

const SLOW_FRAME_MS = 250;
/** A hint that follows the pointer must not make a slow machine slower: bodies light up where a frame takes less. */
const HOVER_FRAME_MS = 80;

/** Shows scenes in an element, which it fills. Throws where the browser cannot draw WebGL 2. */
export function newView(container: HTMLElement, events: ViewEvents): View {
  const ended = new AbortController();
  const { signal } = ended;
  const frame = newViewFrame(container);
  const canvas = newCanvas(frame.element);
  const captions = newCaptions(frame.element);
  const overlay = newOverlay(frame.element);
  frame.describe(canvas.element, signal);

  const drawn = new Scene();
  const bodies = newBodies();
  const layerPlane = newLayerPlane(() => loop.invalidate());
  const markerPoints = newMarkerPoints();
  drawn.add(bodies.object, layerPlane.object, markerPoints.object);
  const darkness = matchMedia("(prefers-color-scheme: dark)");

  let scene: ShownScene | undefined;
  let stage: Stage | undefined;
  let orbit: Orbit = { ...lookFrom({ yawDeg: 0, pitchDeg: 0, target: ORIGIN, heightMm: 200 }, "home") };
  let selected: ReadonlySet<string> = new Set();
  let hovered: string | undefined;
  let tool: Tool = "select";
  let layer: LayerPicture | undefined;
  let markers: readonly Marker[] = [];
  let instances: ReadonlyMap<string, readonly Instance[]> = new Map();
  let preview: ReadonlyMap<string, readonly number[]> = new Map();
  let areBodiesStale = false;
  let isLoading = false;
  let triangles = 0;
  let frameMs = 0;
  const goal = frameGoal(canvas.isSoftware);
  let budget: FrameBudget = goal;
  let wantedFor: FrameBudget | undefined;

  /** The page may have other colours than the system: `data-theme` of its root says so. */
  const palette = () => {
    const { theme } = document.documentElement.dataset;
    return paletteOf(theme === "dark" || (theme !== "light" && darkness.matches));
  };

  const store = newMeshStore({
    loaded(hash, mesh, isCoarse) {
      if (bodies.add(hash, mesh, isCoarse)) showBodies();
    },
    progress(share, failed) {
      frame.say(failed === 0 ? "" : `${failed} of the meshes could not be loaded; they are not shown.`);
      // First a quick picture of all, then the full one.
      if (isLoading && share === 1) loop.move();
      isLoading = share < 1;
      events.loading(share);
    },
  });

  const loop = newFrameLoop(
    (isMoving) => {
      canvas.fit(isMoving ? budget.pixelRatio : MAX_PIXEL_RATIO);
      if (areBodiesStale) bodies.show(instances, { palette: palette(), selected, hovered, preview });
      areBodiesStale = false;
      bodies.hatch(canvas.pixelRatio());
      triangles = bodies.refine(isMoving || isLoading ? budget.triangles : Infinity);
      markerPoints.scaleTo((canvas.size().height / orbit.heightMm) * canvas.pixelRatio(), canvas.pixelRatio());
      stage?.seeFrom(orbit.pitchDeg >= 0);
      canvas.draw(drawn, orbit, palette().background);
      captions.follow(orbit, canvas.size());
      overlay.show(
        edits.handles().map(({ axis, points }) => ({ points, style: axis === undefined ? "all" : "xyz"[axis] })),
      );
    },
    () => canvas.finished(),
    (milliseconds, isMoving) => {
      // While meshes come, the time goes into them.
      if (isMoving && !isLoading) budget = nextBudget(budget, { milliseconds, triangles }, goal);
      if (!isMoving && !isLoading) {
        frameMs = milliseconds;
        if (budget !== wantedFor) wantMeshes();
      }
      // What tests and people with the tools of a browser look at.
      const { dataset } = canvas.element;
      dataset.triangles = String(triangles);
      dataset.meshes = String(bodies.object.children.length);
      dataset.framesPerSecond = loop.framesPerSecond().toFixed(1);
      dataset.state = !scene || isLoading || isMoving || areBodiesStale ? "drawing" : "drawn";
    },
    () => (canvas.element.dataset.state = "drawing"),
  );

  const wantMeshes = (): void => {
    wantedFor = budget;
    store.want(wantedMeshes(instances, budget.triangles));
  };
  const showBodies = (): void => {
    areBodiesStale = true;
    // Where a full picture takes long, a quick one answers first.
    if (frameMs > SLOW_FRAME_MS) loop.move();
    else loop.invalidate();
  };
  const showStage = (volume: ShownVolume): void => {
    if (stage) {
      drawn.remove(stage.object);
      stage.close();
    }
    stage = newStage(volume, palette());
    drawn.add(stage.object);
    showMarkers();
  };
  const showMarkers = (): void => {
    // While models are dragged, places are not where they were found.
    const present = preview.size === 0 ? markers : [];
    const visible = present.filter(({ point, radiusMm }) => point[2] - radiusMm <= (layer?.heightMm ?? Infinity));
    markerPoints.show(visible, palette());
    captions.show([...markerCaptions(visible), ...(stage?.captions ?? [])]);
    loop.invalidate();
  };
  const showLayer = (): void => {
    if (scene) layerPlane.show(layer, scene.volume.dimensionsMm, palette().accent);
    showMarkers();
  };
  const pickable = (): Pickable => ({ instances, mesh: store.get, belowMm: layer?.heightMm ?? Infinity });
  const bodyAt = (at: Pixel): BodyHit | undefined => pickBody(rayThrough(orbit, at, canvas.size()), pickable());
  const hover = (at: Pixel | undefined): void => {
    const next = at && frameMs < HOVER_FRAME_MS ? bodyAt(at)?.instance.modelId : undefined;
    if (next === hovered) return;
    hovered = next;
    showBodies();
  };
  const moveTo = (next: Orbit): void => {
    orbit = next;
    loop.move();
  };
  const boxes = (isWanted: (modelId: string) => boolean): Box[] =>
    [...instances].flatMap(([hash, places]) => {
      const mesh = store.get(hash);
      if (!mesh) return [];
      return places.filter(({ modelId }) => isWanted(modelId)).map(({ matrix }) => transformedBox(matrix, mesh.box));
    });
  const edits = newEditGestures(
    {
      shown: () => ({
        tool,
        selected,
        preview,
        orbit,
        models: scene?.models ?? [],
        size: canvas.size(),
        isPowder: !staysDown(),
      }),
      boxes: (isWanted) => boxes(isWanted),
      meshBox: (hash) => store.get(hash)?.box,
      modelAt: (at) => bodyAt(at)?.instance.modelId,
      setPreview(next) {
        const areMarkersStale = (next.size === 0) !== (preview.size === 0);
        preview = next;
        if (areMarkersStale) showMarkers();
        areBodiesStale = true;
        loop.move();
      },
    },
    overlay,
    events,
  );
  const staysDown = (): boolean => scene?.volume.family !== "powder";
  /** Chooses the place of a part that is seen at a pixel. Tells whether there is one. */
  const pickAt = (at: Pixel): boolean => {
    const hit = bodyAt(at);
    if (!hit || hit.instance.role === "support") return false;
    events.pick({ modelId: hit.instance.modelId, point: hit.point, normal: hit.normal });
    return true;
  };
  const pickInMiddle = (): void => {
    const { width, height } = canvas.size();
    const middle = { x: width / 2, y: height / 2 };
    overlay.say(pickAt(middle) ? "Place chosen" : "No part here: turn or move the view", middle);
  };
  /** Ends what keys have begun. */
  const settle = (): void => {
    edits.nudges.finish();
    overlay.say(undefined);
  };
  const goHome = (): void => {
    if (scene) moveTo(framing(lookFrom(orbit, "home"), [volumeBox(scene.volume)], canvas.size()));
  };

  const view: View = {
    setScene(next) {
      const old = scene;
      scene = next;
      instances = instancesByMesh(next.models);
      preview = new Map();
      showMarkers();
      if (JSON.stringify(old?.volume) !== JSON.stringify(next.volume)) {
        showStage(next.volume);
        canvas.fit(MAX_PIXEL_RATIO);
        goHome();
      }
      wantMeshes();
      showBodies();
    },
    setSelection(modelIds) {
      edits.nudges.finish();
      selected = new Set(modelIds);
      showBodies();
    },
    setTool(next) {
      tool = next;
      canvas.element.dataset.tool = next;
      loop.invalidate();
    },
    setMarkers(next) {
      markers = next;
      showMarkers();
    },
    setLayer(next) {
      layer = next;
      bodies.cutAt(next?.heightMm);
      showLayer();
    },
    look(from) {
      if (from === "home") goHome();
      else moveTo(lookFrom(orbit, from));
    },
    frame(places) {
      if (places && places.length > 0) {
        moveTo(framingPlaces(orbit, places, canvas.size()));
        return;
      }
      const wanted = boxes((id) => selected.size === 0 || selected.has(id));
      moveTo(framing(orbit, wanted, canvas.size()));
    },
    close() {
      ended.abort();
      observer.disconnect();
      themes.disconnect();
      loop.close();
      store.want([]);
      stage?.close();
      bodies.close();
      layerPlane.close();
      markerPoints.close();
      canvas.close();
      frame.element.remove();
    },
  };

  listenForGestures(
    canvas.element,
    {
      turn: (by) => moveTo(turned(orbit, by)),
      pan: (by) => moveTo(panned(orbit, by, canvas.size())),
      zoom(factor, about) {
        const { width, height } = canvas.size();
        moveTo(zoomed(orbit, factor, about ?? { x: width / 2, y: height / 2 }, { width, height }));
      },
      hover,
      click(at, extendsSelection) {
        if (tool === "pick") pickAt(at);
        else events.select(clickedSelection(selected, bodyAt(at)?.instance.modelId, extendsSelection));
      },
      grab(at, withShift, reachPx) {
        settle();
        const change = edits.grab(at, reachPx);
        if (change || !withShift || tool === "pick") return change;
        return rectangleDrag(overlay, at, (corners) => {
          const within = modelsWithin(corners, orbit, canvas.size(), pickable());
          events.select([...selected, ...within.filter((id) => !selected.has(id))]);
        });
      },
      key(event) {
        const { key } = event;
        const nudge = nudgeOf(event, tool, orbit);
        // In the layers, Page Up and Page Down go through them; models of resin printers stay on the platform.
        const isOurs = nudge && !(layer && key.startsWith("Page")) && !(staysDown() && isLift(nudge));
        if (isOurs) return edits.nudges.add(nudge);
        settle();
        if (key === "Home") view.look("home");
        else if (key === "f" || key === "F") view.frame();
        else if (key === "Enter" && tool === "pick") pickInMiddle();
        else return false;
        return true;
      },
      leave: settle,
    },
    signal,
  );
  const observer = new ResizeObserver(() => loop.invalidate());
  observer.observe(frame.element);
  const recolour = (): void => {
    if (scene) showStage(scene.volume);
    showLayer();
    showBodies();
  };
  darkness.addEventListener("change", recolour, { signal });
  const themes = new MutationObserver(recolour);
  themes.observe(document.documentElement, { attributeFilter: ["data-theme"] });
  canvas.element.addEventListener("webglcontextrestored", () => loop.invalidate(), { signal });
  return view;
}

const volumeBox = ({ dimensionsMm: [x, y, z] }: ShownVolume): Box => ({
  min: [-x / 2, -y / 2, 0],
  max: [x / 2, y / 2, z],
});
