import { post, upload } from "../server/call.ts";
import { type WrittenFile, saveWritten } from "../server/operation.ts";
import { chooseFile } from "./import-files.ts";
import { fetchedScene } from "./project.ts";
import { runReading } from "./scene-work.ts";
import { notifyFailure } from "./tasks.ts";

/** File formats for saving a scene. */
export type SaveFormat = "form" | "stl" | "3mf" | "obj" | "glb" | "job" | "png" | "webp" | "fps";

/** Has the server write a file of the scene, and downloads it. */
export async function save(format: SaveFormat, options: object = {}): Promise<void> {
  const id = fetchedScene().id;
  await runReading(`Save ${format === "job" ? "the job" : format.toUpperCase()}`, async (context) => {
    const path = `/ui/scene/${id}/download/?async=true`;
    await saveWritten(await post<WrittenFile>(path, { format, options }), context);
  });
}

/** Applies a file of a print setting to the scene. */
export const chooseSettingFile = (): void => chooseFile([".fps"], (file) => void applySetting(file));

async function applySetting(file: File): Promise<void> {
  try {
    const { file: path } = await upload(file);
    await post("/v1/scene/update/", { scene_id: fetchedScene().id, fps_file: path });
  } catch (thrown) {
    notifyFailure(file.name, thrown);
  }
}
