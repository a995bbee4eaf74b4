import { counted } from "../../core/quantities.ts";
import { type JobFinding, type JobFindingGroup, jobFindings } from "../action/job-findings.ts";
import { type ShownJob, markFinding, markedFinding } from "../state/job-file.ts";
import { Icon } from "../widget/icon.tsx";

/** Findings of a kind that are listed. */
const MAX_SHOWN = 100;

/** What would spoil the print of a job. A click on a finding shows its layer and marks its place. */
export function JobFindings({ job: { facts, problem } }: { job: ShownJob }) {
  const { finding_count: count } = facts;
  return (
    <section aria-label="Findings">
      <h3>Findings</h3>
      <p role="status">
        {problem !== undefined ? (
          <span class="problem">{problem}</span>
        ) : count === undefined ? (
          <span class="note">Checking the layers…</span>
        ) : count === 0 ? (
          <span class="finding finding-success">
            <Icon name="check" />
            Nothing was found that would spoil the print.
          </span>
        ) : (
          <span class="hidden">{counted(count, "finding")}</span>
        )}
      </p>
      {jobFindings(facts).map((group) => (
        <Group key={group.title} group={group} />
      ))}
    </section>
  );
}

function Group({ group: { title, count, unlisted, findings } }: { group: JobFindingGroup }) {
  const shown = findings.slice(0, MAX_SHOWN);
  const more = unlisted + findings.length - shown.length;
  return (
    <div class="results">
      <h4>
        {title}: {count.toLocaleString("en")}
      </h4>
      <ul>
        {shown.map((finding, i) => (
          <li key={i}>
            <button
              type="button"
              class="finding finding-warning"
              aria-pressed={isMarked(finding)}
              onClick={() => markFinding(finding)}
            >
              <Icon name="warning" />
              <span>
                {finding.text} <small>{layersOf(finding)}</small>
              </span>
            </button>
          </li>
        ))}
      </ul>
      {more > 0 && <p class="note">and {more.toLocaleString("en")} more</p>}
    </div>
  );
}

const layersOf = ({ layer, lastLayer }: JobFinding): string =>
  layer === lastLayer ? `layer ${layer + 1}` : `layers ${layer + 1} to ${lastLayer + 1}`;

/** Findings are made anew with each rendering, so that they are compared by their content. */
const isMarked = ({ layer, text, pixel }: JobFinding): boolean => {
  const marked = markedFinding.value;
  return (
    marked?.layer === layer && marked.text === text && marked.pixel?.x === pixel?.x && marked.pixel?.y === pixel?.y
  );
};
