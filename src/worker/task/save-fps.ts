import { writeFps } from "../../format/fps.ts";

export interface SaveFpsRequest {
  readonly file: string;
  readonly document: Parameters<typeof writeFps>[1];
}

export const saveFps = ({ file, document }: SaveFpsRequest): ReturnType<typeof writeFps> => writeFps(file, document);
