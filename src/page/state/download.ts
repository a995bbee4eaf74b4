import { computed } from "@preact/signals";
import { post, upload } from "../server/call.ts";
import { summary, scene } from "./project.ts";
import { chooseFiles } from "./import-files.ts";
import { tellFailure, runTask } from "./tasks.ts";

/** Files that a scene can be saved as. */
export type SaveFormat = "form" | "stl" | "3mf" | "obj" | "glb" | "job" | "png" | "webp" | "fps";

/** Whether the machine of the scene has an archive of jobs. */
export const jobFormat = computed(() => (summary.value ? "job" : undefined));

/** Has the server make a file of the scene, and hands it to the browser's downloads. */
export async function save(format: SaveFormat, options: object = {}): Promise<void> {
  const id = scene.value!.id;
  await runTask(`Save ${format}`, async ({ progress }) => {
    const { url } = await post<{ url: string }>(`/ui/scene/${id}/download/`, { format, ...options });
    progress(1);
    const link = document.createElement("a");
    link.href = url;
    link.download = "";
    link.click();
  });
}

/** Applies a file of a print setting to the scene. */
export const chooseSetting = (): void => chooseFiles([".fps"], ([file]) => void applySetting(file), false);

async function applySetting(file: File): Promise<void> {
  try {
    await post("/v1/scene/update/", { scene_id: scene.value!.id, fps_file: await upload(file) });
  } catch (thrown) {
    tellFailure(file.name, thrown);
  }
}
