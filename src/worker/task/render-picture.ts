import { extname } from "node:path";
import type { Watch } from "../../core/watch.ts";
import { writeFileAtomically } from "../../core/write-file.ts";
import type { Direction } from "../../render/camera.ts";
import { draw } from "../../render/draw.ts";
import { type Framing, frameOf } from "../../render/flight.ts";
import type { Stage } from "../../render/item.ts";
import { encodePng } from "../../render/png.ts";
import { prepare } from "../../render/prepare.ts";
import { encodeWebp } from "../../render/webp.ts";

export interface PictureRequest {
  /** Ends in `.png` or `.webp`, in any case. */
  readonly file: string;
  readonly stage: Stage;
  readonly framing: Framing;
  readonly direction: Direction;
}

/** Shares of the progress at which the stage is prepared and the picture drawn. */
const PREPARED = 0.4;
const DRAWN = 0.8;

/** Draws one picture into a file. */
export async function renderPicture({ file, stage, framing, direction }: PictureRequest, watch: Watch): Promise<void> {
  const prepared = prepare(stage, "onePicture", watch.part(0, PREPARED));
  const picture = draw(prepared, direction, frameOf(stage, framing, direction), watch.part(PREPARED, DRAWN));
  const encoding = watch.part(DRAWN, 1);
  encoding.report(0);
  const isPng = extname(file).toLowerCase() === ".png";
  const chunks = isPng ? encodePng(picture, encoding) : [await encodeWebp(picture, "still")];
  writeFileAtomically(file, chunks, () => watch.report(1));
}
