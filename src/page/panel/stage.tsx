import { computed, effect } from "@preact/signals";
import { useEffect, useRef, useState } from "preact/hooks";
import { ACTIONS } from "../action/actions.ts";
import { CUT_EVENTS, shownCut } from "../state/cut.ts";
import { moveBy, scaleBy, rotateBy } from "../state/edit.ts";
import { layerPicture } from "../state/layers.ts";
import { overlappingIds } from "../state/overlaps.ts";
import { addMeasurePick, shownMeasure } from "../state/measure.ts";
import { partMenuAt } from "../state/part-menu.ts";
import { toolBody } from "../state/form-preview.ts";
import { shownTrial, trialWords } from "../state/preview.ts";
import { shownScene } from "../state/shown-scene.ts";
import { SECTION_FACE, sectionMiddle, placeSection, section, sectionAtFace } from "../state/section.ts";
import { scene, selection } from "../state/project.ts";
import { AREA_EVENTS } from "../state/support-areas.ts";
import { POINT_EVENTS, shownLiftMm, shownSupportEdit } from "../state/support-draft.ts";
import { editSupports, supportMode, supportTool } from "../state/support-mode.ts";
import {
  addPlace,
  hoveredPlace,
  loadedShare,
  markers,
  pickingFor,
  selectedPointsArea,
  selectionArea,
  tool,
  view,
} from "../state/view-state.ts";
import { openView } from "../state/open-view.ts";
import type { Tool, ViewEvents } from "../view/view.ts";
import { FirstSteps } from "./first-steps.tsx";
import { LayerBar } from "./layer-bar.tsx";
import { LayerMask } from "./layer-mask.tsx";
import { LayerTools, LayerViewChoice } from "./layer-tools.tsx";
import { MeasureCard } from "./measure-card.tsx";
import { ScenePicture } from "./scene-picture.tsx";
import { SectionBar } from "./section-bar.tsx";
import { PointBar, PointHints, PointSelectionBar } from "./point-bars.tsx";
import { ToolBar } from "./tool-bar.tsx";

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
  section: placeSection,
  cut: CUT_EVENTS,
  measure: addMeasurePick,
  hoverPlace: (pick) => (hoveredPlace.value = pick),
  editSupports: (id) => void editSupports((scene.value?.models ?? []).filter((model) => model.id === id)),
  points: POINT_EVENTS,
  areas: AREA_EVENTS,
  menu: (at) => (partMenuAt.value = at),
  loading: (share) => (loadedShare.value = share),
  selectionAt: (area) => (selectionArea.value = area),
  selectedPointsAt: (area) => (selectedPointsArea.value = area),
};

/** The tool of the view. While supports are edited, those of the scene rest. */
const viewTool = computed((): Tool => {
  if (!supportMode.value) return tool.value;
  return supportTool.value === "NEVER" || supportTool.value === "ALWAYS" ? "areas" : "points";
});

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
      effect(() => {
        const lifted = { id: supportMode.value?.modelId, byMm: shownLiftMm.value };
        if (scene.value) opened.setScene(shownScene(scene.value, lifted));
      }),
      effect(() => opened.setSupportEdit(shownSupportEdit.value)),
      effect(() => {
        const { ids } = selection.value;
        if ((scene.peek()?.models.length ?? 0) < MANY_MODELS) opened.setSelection(ids);
        else afterFrame(() => opened.setSelection(selection.peek().ids));
      }),
      effect(() => opened.setOverlaps(overlappingIds.value)),
      effect(() => opened.setTrial(shownTrial.value)),
      effect(() => opened.setCut(shownCut.value)),
      effect(() => opened.setToolBody(toolBody.value)),
      effect(() => opened.sayAtPlace(trialWords.value?.refusal)),
      effect(() => opened.setTool(viewTool.value)),
      effect(() => opened.setMarkers(markers.value)),
      effect(() => opened.setMeasure(shownMeasure.value)),
      effect(() => opened.setLayer(layerPicture.value)),
      // The middle follows the selection: without a section it is not read, so that a key draws nothing twice.
      effect(() => opened.setSection(section.value, section.value && sectionMiddle.value)),
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
      <PointBar />
      <PointSelectionBar />
      <PointHints />
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
