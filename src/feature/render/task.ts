import type { Progress } from "../../core/progress.ts";
import { must } from "../../core/must.ts";
import { type Mesh, triangleCount } from "../../mesh/mesh.ts";
import { distinctFacets, perFacetOfMesh } from "../facet-memory.ts";
import { bySize } from "../../worker/expected-time.ts";
import { defineTask, phase } from "../../worker/task.ts";

/** Shares of the progress at which the thumbnails of a job are drawn, and the bodies of a flyaround prepared. */
const THUMBNAILS = 0.05;
const FLYAROUND_PREPARED = 0.08;

/** Bytes per facet of a mesh (prepared once for all copies) and per facet of each copy (visibility of the facets). */
const BYTES_PER_FACET = 90;
const BYTES_PER_COPIED_FACET = 1;
/** A picture while it is drawn and encoded. */
const BYTES_PER_PIXEL = 22;
/** Bytes of an encoded frame of an animation: about equal in pictures of 820 and of 4096 pixels. */
const ENCODED_BYTES_PER_PIXEL = 0.03;

const bodyBytes = (items: readonly { readonly mesh: Mesh }[]): number =>
  BYTES_PER_FACET * distinctFacets(items) +
  BYTES_PER_COPIED_FACET * items.reduce((sum, { mesh }) => sum + triangleCount(mesh), 0);

export const renderThumbnailsTask = defineTask({
  name: "renderThumbnails",
  load: async () => (await import("./render.ts")).renderThumbnails,
  memory: ({ scene }) => bodyBytes(scene.items),
  progress: phase(0, THUMBNAILS),
  repeatable: true,
  transfer: "copy",
  expectedMs: bySize,
});

export const renderPictureTask = defineTask({
  name: "renderPicture",
  load: async () => (await import("./render.ts")).renderPicture,
  memory: ({ scene, framing }) => bodyBytes(scene.items) + BYTES_PER_PIXEL * framing.sizePx ** 2,
  progress: "whole",
  repeatable: true,
  transfer: "copy",
  expectedMs: bySize,
});

export const prepareFlyaroundTask = defineTask({
  name: "prepareFlyaround",
  load: async () => (await import("./render.ts")).prepareFlyaround,
  memory: ({ scene, framing, frameCount }) =>
    bodyBytes(scene.items) + (BYTES_PER_PIXEL + ENCODED_BYTES_PER_PIXEL * frameCount) * framing.sizePx ** 2,
  progress: phase(0, FLYAROUND_PREPARED),
  repeatable: true,
  transfer: "copy",
  expectedMs: bySize,
});

export const renderFramesTask = defineTask({
  name: "renderFrames",
  load: async () => (await import("./render.ts")).renderFrames,
  memory: ({ flyaround: { frames } }) => {
    const { width, height } = must(frames[0], "The first frame").frame;
    return BYTES_PER_PIXEL * width * height;
  },
  progress: phase(FLYAROUND_PREPARED, 1),
  repeatable: true,
  transfer: "copy",
  expectedMs: bySize,
});

export const writeAnimationTask = defineTask({
  name: "writeAnimation",
  load: async () => (await import("./render.ts")).writeAnimation,
  memory: "small",
  progress: "whole",
  repeatable: true,
  transfer: "copy",
  expectedMs: bySize,
});

/** The coarse mesh of a large model, which the page draws while it is moved. */
export const clusterVerticesTask = defineTask({
  name: "clusterVertices",
  load: async () => {
    const clusters = await import("../../mesh/cluster-vertices.ts");
    return ({ mesh, maxTriangles }: { mesh: Mesh; maxTriangles: number }, progress: Progress) =>
      clusters.clusterVertices(mesh, maxTriangles, progress);
  },
  memory: perFacetOfMesh(35),
  progress: "whole",
  repeatable: true,
  transfer: "copy",
  expectedMs: bySize,
});
