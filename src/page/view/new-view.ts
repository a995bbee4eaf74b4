import { Scene } from "three";
import type { Box } from "../../geometry/box.ts";
import { ORIGIN } from "../../geometry/vector.ts";
import { newBodies } from "./bodies.ts";
import { MAX_PIXEL_RATIO, newCanvas } from "./canvas.ts";
import { newCaptions } from "./captions.ts";
import { newFrameLoop } from "./frame-loop.ts";
import { listenForGestures } from "./gestures.ts";
import { instancesByMesh, transformedBox } from "./instances.ts";
import { newMeshStore } from "./mesh-store.ts";
import { type Orbit, framing, lookFrom, panned, turned, zoomed } from "./orbit.ts";
import { paletteOf } from "./palette.ts";
import { type Stage, newStage } from "./stage.ts";
import type { ShownScene, ShownVolume, View, ViewEvents } from "./view.ts";

const HELP =
  "Arrow keys turn the view, Shift and arrow keys move it, plus and minus zoom. Home shows the whole volume, F the selection. " +
  "With mouse or finger: drag to turn, drag with the right button or two fingers to move, scroll or pinch to zoom.";

/** Shows scenes in an element, which it fills. Throws where the browser cannot draw WebGL 2. */
export function newView(container: HTMLElement, events: ViewEvents): View {
  const ended = new AbortController();
  const { signal } = ended;
  const frame = element("div", "view");
  container.append(frame);
  const canvas = newCanvas(frame);
  const captions = newCaptions(frame);
  const help = element("p", "view-help", HELP);
  help.id = "view-help";
  const notice = element("p", "view-notice");
  notice.setAttribute("role", "status");
  frame.append(help, notice);
  describe(canvas.element);

  const drawn = new Scene();
  const bodies = newBodies();
  drawn.add(bodies.object);
  const darkness = matchMedia("(prefers-color-scheme: dark)");

  let scene: ShownScene | undefined;
  let stage: Stage | undefined;
  let orbit: Orbit = { ...lookFrom({ yawDeg: 0, pitchDeg: 0, target: ORIGIN, heightMm: 200 }, "home") };
  let selected: ReadonlySet<string> = new Set();
  let triangles = 0;
  let budget = Infinity;

  /** The page may have other colours than the system: `data-theme` of its root says so. */
  const palette = () => {
    const { theme } = document.documentElement.dataset;
    return paletteOf(theme === "dark" || (theme !== "light" && darkness.matches));
  };

  const store = newMeshStore({
    loaded(hash, mesh) {
      bodies.add(hash, mesh);
      showBodies();
    },
    progress(share, failed) {
      notice.textContent = failed === 0 ? "" : `${failed} of the meshes could not be loaded; they are not shown.`;
      events.loading(share);
    },
  });

  const loop = newFrameLoop(
    (isMoving) => {
      canvas.fit(MAX_PIXEL_RATIO);
      bodies.hatch(canvas.pixelRatio());
      triangles = bodies.refine(isMoving ? budget : Infinity);
      stage?.seeFrom(orbit.pitchDeg >= 0);
      canvas.draw(drawn, orbit, palette().background);
      captions.follow(orbit, canvas.size());
    },
    () => canvas.finished(),
    () => {},
  );

  const showBodies = (): void => {
    const looks = { palette: palette(), selected, hovered: undefined, preview: new Map() };
    bodies.show(instancesByMesh(scene?.models ?? []), looks);
    loop.invalidate();
  };
  const showStage = (volume: ShownVolume): void => {
    if (stage) {
      drawn.remove(stage.object);
      stage.close();
    }
    stage = newStage(volume, palette());
    drawn.add(stage.object);
    captions.show(stage.captions);
    loop.invalidate();
  };
  const moveTo = (next: Orbit): void => {
    orbit = next;
    loop.move();
  };
  const boxes = (isWanted: (modelId: string) => boolean): Box[] =>
    [...instancesByMesh(scene?.models ?? [])].flatMap(([hash, instances]) => {
      const mesh = store.get(hash);
      if (!mesh) return [];
      return instances.filter(({ modelId }) => isWanted(modelId)).map(({ matrix }) => transformedBox(matrix, mesh.box));
    });
  const goHome = (): void => {
    if (scene) moveTo(framing(lookFrom(orbit, "home"), [volumeBox(scene.volume)], canvas.size()));
  };

  const view: View = {
    setScene(next) {
      const old = scene;
      scene = next;
      if (JSON.stringify(old?.volume) !== JSON.stringify(next.volume)) {
        showStage(next.volume);
        canvas.fit(MAX_PIXEL_RATIO);
        goHome();
      }
      store.want(instancesByMesh(next.models).keys());
      showBodies();
    },
    setSelection(modelIds) {
      selected = new Set(modelIds);
      showBodies();
    },
    setTool() {},
    setMarkers() {},
    setLayer() {},
    look(from) {
      if (from === "home") goHome();
      else moveTo(lookFrom(orbit, from));
    },
    frame() {
      const wanted = boxes((id) => selected.size === 0 || selected.has(id));
      moveTo(framing(orbit, wanted, canvas.size()));
    },
    statistics: () => ({ framesPerSecond: loop.framesPerSecond(), triangles }),
    close() {
      ended.abort();
      observer.disconnect();
      themes.disconnect();
      loop.close();
      store.want([]);
      stage?.close();
      bodies.close();
      canvas.close();
      frame.remove();
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
      hover() {},
      click() {},
      grab: () => undefined,
      key({ key }) {
        if (key === "Home") view.look("home");
        else if (key === "f" || key === "F") view.frame();
        else return false;
        return true;
      },
    },
    signal,
  );
  const observer = new ResizeObserver(() => loop.invalidate());
  observer.observe(frame);
  const recolour = (): void => {
    if (scene) showStage(scene.volume);
    showBodies();
  };
  darkness.addEventListener("change", recolour, { signal });
  const themes = new MutationObserver(recolour);
  themes.observe(document.documentElement, { attributeFilter: ["data-theme"] });
  canvas.element.addEventListener(
    "webglcontextlost",
    () => {
      notice.textContent = "The graphics have stopped; the picture comes back with them.";
    },
    { signal },
  );
  canvas.element.addEventListener(
    "webglcontextrestored",
    () => {
      notice.textContent = "";
      loop.invalidate();
    },
    { signal },
  );
  return view;
}

function element(tag: "div" | "p", className: string, text = ""): HTMLElement {
  const made = document.createElement(tag);
  made.className = className;
  made.textContent = text;
  return made;
}

function describe(canvas: HTMLCanvasElement): void {
  canvas.tabIndex = 0;
  canvas.setAttribute("role", "application");
  canvas.setAttribute("aria-label", "3D view of the scene");
  canvas.setAttribute("aria-describedby", "view-help");
}

const volumeBox = ({ dimensionsMm: [x, y, z] }: ShownVolume): Box => ({
  min: [-x / 2, -y / 2, 0],
  max: [x / 2, y / 2, z],
});
