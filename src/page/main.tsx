import { render } from "preact";
import { DropZone } from "./panel/drop-zone.tsx";
import { JobView } from "./panel/job-view.tsx";
import { PartMenu } from "./panel/part-menu.tsx";
import { NoticeStrip } from "./panel/notice-strip.tsx";
import { DuplicateDialog, isDuplicating } from "./panel/model-tools.tsx";
import { PartsDrawer } from "./panel/parts-drawer.tsx";
import { PhoneBar, SheetHandle } from "./panel/phone-bar.tsx";
import { PrintDialog } from "./panel/print-dialog.tsx";
import { Shortcuts } from "./panel/shortcuts.tsx";
import { Stage } from "./panel/stage.tsx";
import { TopBar } from "./panel/top-bar.tsx";
import { WorkPanel } from "./panel/work-panel.tsx";
import { shownJob } from "./state/job-file.ts";
import { followAddress } from "./state/follow-address.ts";
import { isDrawerOpen, phonePanel, sheetHeight } from "./state/phone.ts";
import { isPrintOpen } from "./state/print.ts";
import { watchFormDefaults } from "./state/form-defaults.ts";
import { watchOverlaps } from "./state/overlaps.ts";
import { watchPrinters } from "./state/printers.ts";
import { followServer } from "./state/project.ts";
import { watchRestarts } from "./state/restart.ts";
import { followAreas } from "./state/support-areas.ts";
import { followDraft } from "./state/support-draft.ts";
import { followSupportMode } from "./state/follow-support-mode.ts";
import { followTitle } from "./state/window-title.ts";

function Page() {
  return (
    <>
      <div
        class="scene-page"
        data-panel={phonePanel.value}
        data-drawer={isDrawerOpen.value}
        data-sheet={sheetHeight.value}
        inert={shownJob.value !== undefined}
      >
        <TopBar />
        <PartsDrawer />
        <main>
          <Stage />
        </main>
        <aside class="right" aria-label="Actions">
          <SheetHandle />
          <WorkPanel />
        </aside>
        <PhoneBar />
      </div>
      {shownJob.value && <JobView job={shownJob.value} />}
      {isPrintOpen.value && <PrintDialog onClose={() => (isPrintOpen.value = false)} />}
      <NoticeStrip />
      <Shortcuts />
      <PartMenu />
      {isDuplicating.value && <DuplicateDialog onClose={() => (isDuplicating.value = false)} />}
      <DropZone />
    </>
  );
}

followAddress();
followTitle();
render(<Page />, document.querySelector("#page")!);
watchRestarts();
followServer();
followSupportMode();
followDraft();
followAreas();
watchFormDefaults();
watchOverlaps();
watchPrinters();
