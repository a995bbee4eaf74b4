import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { takeFiles } from "../state/import-files.ts";

/** Imports files that are dropped anywhere on the page. */
export function DropZone() {
  const isOver = useSignal(false);
  useEffect(() => {
    const carriesFiles = (event: DragEvent): boolean => event.dataTransfer?.types.includes("Files") ?? false;
    const onOver = (event: DragEvent): void => {
      if (!carriesFiles(event)) return;
      event.preventDefault();
      isOver.value = true;
    };
    const onLeave = (event: DragEvent): void => {
      if (event.relatedTarget === null) isOver.value = false;
    };
    const onDrop = (event: DragEvent): void => {
      isOver.value = false;
      if (!carriesFiles(event)) return;
      event.preventDefault();
      void takeFiles([...event.dataTransfer!.files]);
    };
    document.addEventListener("dragover", onOver);
    document.addEventListener("dragleave", onLeave);
    document.addEventListener("drop", onDrop);
    return () => {
      document.removeEventListener("dragover", onOver);
      document.removeEventListener("dragleave", onLeave);
      document.removeEventListener("drop", onDrop);
    };
  }, []);
  return isOver.value ? (
    <div class="drop-zone">
      <p>Drop to import</p>
    </div>
  ) : null;
}
