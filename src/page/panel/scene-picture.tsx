import { useEffect, useState } from "preact/hooks";
import { post } from "../server/call.ts";
import { followOperation } from "../server/operation.ts";
import { scene } from "../state/project.ts";

/** Changes that follow each other within this time are drawn at once. */
const WAIT_MS = 300;
const SIZE_PX = 1400;

/** The scene as the server draws it, where this browser cannot: it stands still, and follows each change. */
export function ScenePicture() {
  const [url, setUrl] = useState<string>();
  const id = scene.value?.id;
  const version = scene.value?.version;
  const isEmpty = (scene.value?.models.length ?? 0) === 0;
  useEffect(() => {
    if (id === undefined || isEmpty) return setUrl(undefined);
    const controller = new AbortController();
    const timer = setTimeout(() => {
      draw(id, controller.signal).then(setUrl, () => undefined);
    }, WAIT_MS);
    return () => {
      clearTimeout(timer);
      controller.abort();
    };
  }, [id, version, isEmpty]);
  return url === undefined ? null : <img class="scene-picture" src={url} alt="The scene, drawn by the server" />;
}

/** Has the server draw a scene, and returns where the picture is. */
async function draw(sceneId: string, signal: AbortSignal): Promise<string> {
  const options = { view_type: "FULL_BUILD_VOLUME", crop_to_models: false, image_size_px: SIZE_PX };
  const { url, operation_id } = await post<{ url: string; operation_id: string }>(
    `/ui/scene/${sceneId}/download/?async=true`,
    { format: "png", options },
  );
  await followOperation(operation_id, { signal, progress: () => undefined });
  return url;
}
