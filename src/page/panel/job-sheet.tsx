import { jobFactRows } from "../../feature/job-files/page.ts";
import type { ShownJob } from "../state/job-file.ts";

/** Preview, warnings and properties of a job. */
export function JobSheet({ job: { address, facts, frame } }: { job: ShownJob }) {
  return (
    <section aria-label="Facts">
      <h3>Facts</h3>
      {frame.has_preview && <img class="job-preview" src={`${address}preview.png`} alt="Preview in the file" />}
      {facts.warnings.length > 0 && (
        <ul class="job-warnings" aria-label="Warnings">
          {facts.warnings.map((warning) => (
            <li key={warning}>{warning}</li>
          ))}
        </ul>
      )}
      <dl class="job-facts">
        {jobFactRows(facts).map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
