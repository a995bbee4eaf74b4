import { encodePng } from "../../codec/png.ts";
import type { Progress } from "../../core/progress.ts";
import type { JobThumbnail } from "../../job/job.ts";
import type { JobPicture } from "../../job/job-reader.ts";

interface Size {
  readonly width: number;
  readonly height: number;
}

export interface ThumbnailsToScale {
  readonly thumbnails: readonly JobPicture[];
  readonly sizes: readonly Size[];
}

/** The previews of a job in the sizes of another format: the largest one, within black borders where its sides have another ratio. */
export function scaleThumbnails({ thumbnails, sizes }: ThumbnailsToScale, progress: Progress): JobThumbnail[] {
  const [largest] = thumbnails.toSorted((a, b) => b.width * b.height - a.width * a.height);
  return sizes.map(({ width, height }) => {
    progress.report(0);
    const exact = thumbnails.find((one) => one.width === width && one.height === height) ?? largest;
    const rgba = exact ? scaled(exact, { width, height }) : black(width, height);
    return { width, height, rgba, png: encodePng({ width, height, rgba }, progress) };
  });
}

function black(width: number, height: number): Uint8ClampedArray<ArrayBuffer> {
  const rgba = new Uint8ClampedArray(4 * width * height);
  for (let at = 3; at < rgba.length; at += 4) rgba[at] = 255;
  return rgba;
}

/** Each pixel has the mean of the pixels that it covers, at least one. */
function scaled(picture: JobPicture, { width, height }: Size): Uint8ClampedArray<ArrayBuffer> {
  const rgba = black(width, height);
  const factor = Math.min(width / picture.width, height / picture.height);
  const [left, top] = [(width - factor * picture.width) / 2, (height - factor * picture.height) / 2];
  const covered = (at: number, offset: number, count: number): readonly [number, number] => {
    const from = Math.floor((at - offset) / factor + 1e-9);
    return [Math.max(0, from), Math.min(count, Math.max(from + 1, Math.ceil((at + 1 - offset) / factor - 1e-9)))];
  };
  for (let y = 0; y < height; y++) {
    const [firstRow, endRow] = covered(y, top, picture.height);
    for (let x = 0; x < width; x++) {
      const [firstColumn, endColumn] = covered(x, left, picture.width);
      const count = (endRow - firstRow) * (endColumn - firstColumn);
      if (count <= 0 || endRow <= firstRow) continue;
      for (let channel = 0; channel < 3; channel++) {
        let sum = 0;
        for (let row = firstRow; row < endRow; row++) {
          for (let column = firstColumn; column < endColumn; column++) {
            sum += picture.rgba[4 * (row * picture.width + column) + channel] ?? 0;
          }
        }
        rgba[4 * (y * width + x) + channel] = sum / count;
      }
    }
  }
  return rgba;
}
