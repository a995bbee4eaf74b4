import { supportMode } from "../state/support-mode.ts";
import { HelpLine } from "./help-line.tsx";
import { JobFacts } from "./job.tsx";
import { Steps } from "./steps.tsx";
import { SupportFoot } from "./support-foot.tsx";
import { WorkFoot } from "./work-foot.tsx";

/** Panel of the work on a scene, in the order of a usual job: facts, steps, and at the foot the buttons that prepare and print. */
export function WorkPanel() {
  return (
    <section class="work" aria-label="Work">
      <JobFacts />
      <Steps />
      <HelpLine />
      {supportMode.value ? <SupportFoot /> : <WorkFoot />}
    </section>
  );
}
