import {
  OrthographicCamera,
  type Scene,
  WebGLRenderer,
  ColorManagement,
  LinearSRGBColorSpace,
  Matrix4,
  Vector3,
} from "three";
import { matrixRow } from "../../geometry/vector.ts";
import { viewMatrix } from "../../render/camera.ts";
import { CAMERA_DISTANCE_MM, type Orbit, type PictureSize } from "./orbit.ts";

/** The graphics of one element. */
export interface Canvas {
  readonly element: HTMLCanvasElement;
  /** The processor draws in the place of a graphics card. */
  readonly isSoftware: boolean;
  size(): PictureSize;
  /** Takes the size from the element around the canvas; the ratio of pixels to CSS pixels is the screen's, at most `maxRatio`. */
  fit(maxRatio: number): void;
  draw(scene: Scene, orbit: Orbit, background: number): void;
  pixelRatio(): number;
  /** Whether the graphics have finished the last frame. */
  finished(): boolean;
  close(): void;
}

/** Sharper pictures than this cost more than eyes get from them. */
export const MAX_PIXEL_RATIO = 2;

/** Puts a canvas into the element. Throws where the browser cannot draw WebGL 2. */
export function newCanvas(container: HTMLElement): Canvas {
  // Colours are written as they are: tints and their light are chosen on the screen.
  ColorManagement.enabled = false;
  const isSoftware = drawsInSoftware();
  const renderer = new WebGLRenderer({ antialias: !isSoftware, powerPreference: "high-performance" });
  renderer.outputColorSpace = LinearSRGBColorSpace;
  const gl = renderer.getContext() as WebGL2RenderingContext;
  const camera = new OrthographicCamera();
  camera.matrixAutoUpdate = false;
  let fence: WebGLSync | null = null;
  let size: PictureSize = { width: 1, height: 1 };
  container.append(renderer.domElement);

  return {
    element: renderer.domElement,
    isSoftware,
    size: () => size,
    pixelRatio: () => renderer.getPixelRatio(),
    fit(maxRatio) {
      const { clientWidth, clientHeight } = container;
      const ratio = Math.min(devicePixelRatio, maxRatio);
      if (ratio === renderer.getPixelRatio() && clientWidth === size.width && clientHeight === size.height) return;
      size = { width: Math.max(1, clientWidth), height: Math.max(1, clientHeight) };
      renderer.setPixelRatio(ratio);
      // The size on the page is the style sheet's.
      renderer.setSize(size.width, size.height, false);
    },
    draw(scene, orbit, background) {
      aim(camera, orbit, size);
      renderer.setClearColor(background);
      renderer.render(scene, camera);
      fence = gl.fenceSync(gl.SYNC_GPU_COMMANDS_COMPLETE, 0);
      gl.flush();
    },
    finished() {
      if (!fence || gl.isContextLost()) return true;
      if (gl.getSyncParameter(fence, gl.SYNC_STATUS) !== gl.SIGNALED) return false;
      gl.deleteSync(fence);
      fence = null;
      return true;
    },
    close() {
      renderer.dispose();
      renderer.forceContextLoss();
      renderer.domElement.remove();
    },
  };
}

function aim(camera: OrthographicCamera, orbit: Orbit, { width, height }: PictureSize): void {
  const view = viewMatrix(orbit);
  const [right, up, toward] = [0, 1, 2].map((i) => new Vector3(...matrixRow(view, i)));
  const eye = new Vector3(...orbit.target).addScaledVector(toward, CAMERA_DISTANCE_MM);
  camera.matrix.copy(new Matrix4().makeBasis(right, up, toward).setPosition(eye));
  camera.matrixWorldNeedsUpdate = true;
  const [halfWidth, halfHeight] = [(orbit.heightMm * width) / height / 2, orbit.heightMm / 2];
  Object.assign(camera, { left: -halfWidth, right: halfWidth, top: halfHeight, bottom: -halfHeight });
  Object.assign(camera, { near: 0, far: 2 * CAMERA_DISTANCE_MM });
  camera.updateProjectionMatrix();
}

/** Whether WebGL is drawn by the processor, by the name of its renderer, where the browser tells it. */
function drawsInSoftware(): boolean {
  const gl = document.createElement("canvas").getContext("webgl2");
  const names = gl?.getExtension("WEBGL_debug_renderer_info");
  const renderer = gl && names ? String(gl.getParameter(names.UNMASKED_RENDERER_WEBGL)) : "";
  gl?.getExtension("WEBGL_lose_context")?.loseContext();
  return /swiftshader|llvmpipe|softpipe|basic render/i.test(renderer);
}
