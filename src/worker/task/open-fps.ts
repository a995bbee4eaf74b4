import { readFps } from "../../format/fps.ts";

export const openFps = (file: string): ReturnType<typeof readFps> => readFps(file);
