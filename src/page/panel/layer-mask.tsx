import { useEffect, useRef, useState } from "preact/hooks";
import { shortNumber } from "../../core/quantities.ts";
import { marksHere } from "../state/layer-marks.ts";
import { isPlaying } from "../state/layer-play.ts";
import { isLayerMode, layerIndex, layerView, pictureOfLayer, sceneLayers } from "../state/layers.ts";
import { scene } from "../state/project.ts";
import { type MaskLook, drawMask, lowerOutline, placeAt, zoomed } from "../view/layer-mask.ts";
import { IconButton } from "../widget/icon.tsx";

/** More pixels than any printer's panel has: the picture then has one pixel for each of the printer's. */
const ALL_PX = 16_384;
const WHOLE: MaskLook = { zoom: 1, x: 0.5, y: 0.5 };
const ZOOM_STEP = 1.5;

/** The mask of the shown layer as the printer exposes it, with zoom, the outline of the layer below, and rings around new islands. */
export function LayerMask() {
  const shown = sceneLayers.value;
  const volume = scene.value?.volume;
  if (!isLayerMode.value || layerView.value === "CUT" || !shown?.count || !volume) return null;
  const [widthMm, depthMm] = volume.dimensions_mm;
  return <Mask shown={shown} widthMm={widthMm} depthMm={depthMm} />;
}

type MaskProps = { shown: NonNullable<typeof sceneLayers.value>; widthMm: number; depthMm: number };

function Mask({ shown, widthMm, depthMm }: MaskProps) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const [look, setLook] = useState(WHOLE);
  const [text, setText] = useState("");
  const k = layerIndex.value;
  const picture = usePicture(pictureOfLayer(shown, k, look.zoom > 1 ? ALL_PX : undefined));
  const below = usePicture(k > 0 && !isPlaying.value ? pictureOfLayer(shown, k - 1) : undefined);
  const islands = marksHere.value.filter(({ kind }) => kind === "ISLAND");
  useEffect(() => {
    const rings = islands.map(({ point: [x, y] }) => [0.5 + x / widthMm, 0.5 - y / depthMm] as const);
    if (canvas.current) drawMask(canvas.current, { picture, outline: below && lowerOutline(below), look, rings });
  }, [picture, below, look, islands.length, k]);
  const zoomBy = (factor: number, at: readonly [number, number] = [0.5, 0.5]): void =>
    setLook((before) => zoomed(before, factor, at));
  const fraction = ({ offsetX, offsetY }: MouseEvent): readonly [number, number] => [
    offsetX / canvas.current!.clientWidth,
    offsetY / canvas.current!.clientHeight,
  ];
  return (
    <figure class={`layer-mask ${layerView.value === "MASK" ? "layer-mask-whole" : ""}`}>
      <figcaption>
        Mask of layer {k + 1} · as the printer exposes it
        <IconButton icon="add" name="Zoom in" onClick={() => zoomBy(ZOOM_STEP)} />
        <IconButton icon="frame" name="Show the whole mask" onClick={() => setLook(WHOLE)} />
      </figcaption>
      <canvas
        ref={canvas}
        role="img"
        aria-label={`Mask of layer ${k + 1}`}
        data-pixels={picture ? picture.naturalWidth : ""}
        style={{ aspectRatio: `${widthMm} / ${depthMm}` }}
        onWheel={(event) => {
          event.preventDefault();
          zoomBy(ZOOM_STEP ** -Math.sign(event.deltaY), fraction(event));
        }}
        onPointerDown={({ currentTarget, pointerId }) => currentTarget.setPointerCapture(pointerId)}
        onPointerMove={(event) => {
          if (event.buttons === 1) {
            const { clientWidth, clientHeight } = event.currentTarget;
            setLook((before) => moved(before, event.movementX / clientWidth, event.movementY / clientHeight));
          }
          setText(picture ? describe(picture, placeAt(look, fraction(event)), widthMm, depthMm) : "");
        }}
        onPointerLeave={() => setText("")}
      />
      <output>{text}</output>
    </figure>
  );
}

const moved = (look: MaskLook, right: number, down: number): MaskLook =>
  zoomed({ ...look, x: look.x - right / look.zoom, y: look.y - down / look.zoom }, 1, [0.5, 0.5]);

/** Place in mm and grey value of the pixel at a place of the picture. */
function describe(
  picture: HTMLImageElement,
  [u, v]: readonly [number, number],
  widthMm: number,
  depthMm: number,
): string {
  if (u < 0 || u >= 1 || v < 0 || v >= 1) return "";
  const [x, y] = [Math.floor(u * picture.naturalWidth), Math.floor(v * picture.naturalHeight)];
  const one = new OffscreenCanvas(1, 1).getContext("2d")!;
  one.drawImage(picture, x, y, 1, 1, 0, 0, 1, 1);
  const [grey = 0] = one.getImageData(0, 0, 1, 1).data;
  return `x ${shortNumber((u - 0.5) * widthMm, 2)}, y ${shortNumber((0.5 - v) * depthMm, 2)} mm · grey ${grey}`;
}

/** The picture at an address; the last one until it is loaded. */
function usePicture(source: string | undefined): HTMLImageElement | undefined {
  const [picture, setPicture] = useState<HTMLImageElement>();
  useEffect(() => {
    if (source === undefined) {
      setPicture(undefined);
      return undefined;
    }
    const image = new Image();
    image.src = source;
    let isWanted = true;
    // A picture that cannot be loaded leaves the last one; the next layer is tried again.
    image.decode().then(
      () => isWanted && setPicture(image),
      () => {},
    );
    return () => void (isWanted = false);
  }, [source]);
  return picture;
}
