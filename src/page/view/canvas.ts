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

/** A canvas that draws scenes with WebGL. */
export interface Canvas {
  readonly element: HTMLCanvasElement;
  /** Whether the CPU draws, without a graphics card. */
  readonly isSoftware: boolean;
  size(): PictureSize;
  /** Adapts the canvas to its container; the ratio of device pixels to CSS pixels is that of the screen, at most `maxRatio`. */
  fit(maxRatio: number): void;
  draw(scene: Scene, orbit: Orbit, background: number): void;
  pixelRatio(): number;
  /** Whether the last frame is completely drawn. */
  finished(): boolean;
  close(): void;
}

/** Higher ratios take more time without a visible difference. */
export const MAX_PIXEL_RATIO = 2;

/** Adds a canvas to the element. Throws if the browser does not support WebGL 2. */
export function newCanvas(container: HTMLElement): Canvas {
  // Colours are not converted: the palette and the shading are already in sRGB.
  ColorManagement.enabled = false;
  const isSoftware = drawsInSoftware();
  const renderer = new WebGLRenderer({ antialias: !isSoftware, stencil: true, powerPreference: "high-performance" });
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
      // The style sheet sets the size in the page.
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
  const row = (i: number): Vector3 => new Vector3(...matrixRow(view, i));
  const [right, up, toward] = [row(0), row(1), row(2)];
  const eye = new Vector3(...orbit.target).addScaledVector(toward, CAMERA_DISTANCE_MM);
  camera.matrix.copy(new Matrix4().makeBasis(right, up, toward).setPosition(eye));
  camera.matrixWorldNeedsUpdate = true;
  const [halfWidth, halfHeight] = [(orbit.heightMm * width) / height / 2, orbit.heightMm / 2];
  Object.assign(camera, { left: -halfWidth, right: halfWidth, top: halfHeight, bottom: -halfHeight });
  Object.assign(camera, { near: 0, far: 2 * CAMERA_DISTANCE_MM });
  camera.updateProjectionMatrix();
}

/** Whether the CPU draws WebGL, judged by the name of the renderer; false if the browser hides the name. */
function drawsInSoftware(): boolean {
  const gl = document.createElement("canvas").getContext("webgl2");
  const names = gl?.getExtension("WEBGL_debug_renderer_info");
  const renderer = gl && names ? String(gl.getParameter(names.UNMASKED_RENDERER_WEBGL)) : "";
  gl?.getExtension("WEBGL_lose_context")?.loseContext();
  return /swiftshader|llvmpipe|softpipe|basic render/i.test(renderer);
}
