import { effect } from "@preact/signals";
import { useEffect, useRef, useState } from "preact/hooks";
import type { PageBody, PageModel, PageScene } from "../../ui/replies.ts";
import { ACTIONS } from "../action/actions.ts";
import { moveBy, scaleBy, rotateBy } from "../state/edit.ts";
import { layerPicture } from "../state/layers.ts";
import { overlappingIds } from "../state/overlaps.ts";
import { addMeasurePick, shownMeasure } from "../state/measure.ts";
import { partMenuAt } from "../state/part-menu.ts";
import { SECTION_FACE, section, sectionAtFace } from "../state/section.ts";
import { scene, selection } from "../state/project.ts";
import { addPlace, loadedShare, markers, pickingFor, selectionArea, tool, view } from "../state/view-state.ts";
import { openView } from "../state/open-view.ts";
import type { ShownBody, ShownScene, ViewEvents } from "../view/view.ts";
import { FirstSteps } from "./first-steps.tsx";
import { LayerBar } from "./layer-bar.tsx";
import { LayerMask } from "./layer-mask.tsx";
import { LayerTools, LayerViewChoice } from "./layer-tools.tsx";
import { MeasureCard } from "./measure-card.tsx";
import { ScenePicture } from "./scene-picture.tsx";
import { SectionBar } from "./section-bar.tsx";
import { ToolBar } from "./tool-bar.tsx";

const shownBody = ({ mesh, triangles, matrix }: PageBody): ShownBody => ({ mesh, triangles, matrix });

function shownScene({ id, models, volume }: PageScene): ShownScene {
  const { dimensions_mm, corner_radius_mm, family } = volume;
  return {
    id,
    volume: { dimensionsMm: dimensions_mm, cornerRadiusMm: corner_radius_mm, family },
    models: models.map((model: PageModel) => ({
      ...shownBody(model),
      id: model.id,
      name: model.name,
      kind: model.kind,
      visible: model.visible,
      inBounds: model.in_bounds,
      supports: model.supports ? shownBody(model.supports) : undefined,
      letters: model.letters ?? undefined,
    })),
  };
}

const EVENTS: ViewEvents = {
  select: (ids) => (selection.value = { ids, anchor: ids.at(-1) }),
  move: (ids, by) => void moveBy(ids, by),
  rotate: (ids, matrix) => void rotateBy(ids, matrix),
  scale: (ids, factor) => void scaleBy(ids, factor),
  pick: (pick) => {
    if (pickingFor.value === SECTION_FACE) return sectionAtFace(pick);
    const action = ACTIONS.find(({ path }) => path === pickingFor.value);
    if (action) addPlace(pick, action.places === "one");
  },
  measure: addMeasurePick,
  menu: (at) => (partMenuAt.value = at),
  loading: (share) => (loadedShare.value = share),
  selectionAt: (area) => (selectionArea.value = area),
};

/** Pictures of more models take long: the list shows a selection before the view does. */
const MANY_MODELS = 1000;

const afterFrame = (work: () => void): void => void requestAnimationFrame(() => setTimeout(work));

/** The 3D view with its tools. */
export function Stage() {
  const host = useRef<HTMLDivElement>(null);
  const [isDrawn, setDrawn] = useState(true);
  useEffect(() => {
    const opened = openView(host.current!, EVENTS);
    if (!opened) {
      setDrawn(false);
      return undefined;
    }
    view.value = opened;
    const stops = [
      effect(() => scene.value && opened.setScene(shownScene(scene.value))),
      effect(() => {
        const { ids } = selection.value;
        if ((scene.peek()?.models.length ?? 0) < MANY_MODELS) opened.setSelection(ids);
        else afterFrame(() => opened.setSelection(selection.peek().ids));
      }),
      effect(() => opened.setOverlaps(overlappingIds.value)),
      effect(() => opened.setTool(tool.value)),
      effect(() => opened.setMarkers(markers.value)),
      effect(() => opened.setMeasure(shownMeasure.value)),
      effect(() => opened.setLayer(layerPicture.value)),
      effect(() => opened.setSection(section.value)),
    ];
    return () => {
      for (const stop of stops) stop();
      opened.close();
    };
  }, []);
  const isEmpty = scene.value?.models.length === 0;
  return (
    <section class="stage" aria-label="View">
      <div ref={host} class="view-host" />
      {!isDrawn && <ScenePicture />}
      <ToolBar />
      <SectionBar />
      <MeasureCard />
      {isEmpty && <FirstSteps />}
      {loadedShare.value < 1 && (
        <progress class="loading" aria-label="Loading shapes" max={1} value={loadedShare.value} />
      )}
      <LayerMask />
      <LayerViewChoice />
      <LayerTools />
      <LayerBar />
    </section>
  );
}
