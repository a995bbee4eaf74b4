import { useEffect, useState } from "preact/hooks";
import { post } from "../server/call.ts";
import { followOperation } from "../server/operation.ts";
import { scene } from "../state/project.ts";

/** A picture is requested when the scene has not changed for this time. */
const WAIT_MS = 300;
const SIZE_PX = 1400;

/** Still picture of the scene, drawn by the server for browsers that cannot draw it. It is renewed after each change. */
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

/** Has the server draw a scene, and returns the URL of the picture. */
async function draw(sceneId: string, signal: AbortSignal): Promise<string> {
  const options = { view_type: "FULL_BUILD_VOLUME", crop_to_models: false, image_size_px: SIZE_PX };
  const { url, operation_id } = await post<{ url: string; operation_id: string }>(
    `/ui/scene/${sceneId}/download/?async=true`,
    { format: "png", options },
  );
  await followOperation(operation_id, { signal, progress: () => undefined });
  return url;
}
