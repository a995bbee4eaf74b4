import { useEffect, useRef, useState } from "preact/hooks";
import { placeFromAbove } from "../action/job-findings.ts";
import { inPageWords } from "../action/page-words.ts";
import { get } from "../server/call.ts";
import { type ShownJob, jobLayer, markedFinding } from "../state/job-file.ts";
import { isFailure } from "../state/tasks.ts";

/** Longer side of a layer's picture, px. */
const PICTURE_PX = 2048;
/** Side of the close-up of a finding, pixels of the machine. */
const CLOSE_UP_PX = 160;

/** The shown layer of a job, seen from above, with the marked finding. */
export function JobPicture({ job }: { job: ShownJob }) {
  const { address, facts, frame } = job;
  const [problem, setProblem] = useState({ source: "", text: "" });
  const ref = useRef<HTMLDivElement>(null);
  const k = jobLayer.value;
  const finding = markedFinding.value;
  // On narrow screens the list of findings is below the picture.
  useEffect(() => finding && ref.current?.scrollIntoView({ block: "nearest" }), [finding]);
  const source = `${address}layers/${k}.png?max_px=${PICTURE_PX}`;
  /** Asks for the picture once more, since elements do not tell why they failed. */
  const explain = (): Promise<void> =>
    get(source).then(
      () => undefined,
      (thrown) => setProblem({ source, text: isFailure(thrown) ? inPageWords(thrown.message) : "" }),
    );
  return (
    <div ref={ref} class="job-picture">
      <div class="job-frame" style={{ "--aspect": frame.aspect }}>
        {problem.source === source ? (
          <p role="alert">{problem.text}</p>
        ) : (
          <img
            src={source}
            alt={`Layer ${k + 1} of ${facts.layer_count}, seen from above`}
            onError={() => void explain()}
          />
        )}
        <FindingMark job={job} />
      </div>
    </div>
  );
}

/** A ring around the marked finding, if it is in the shown layer, and a close-up of its surroundings in any layer. */
function FindingMark({ job: { address, facts, frame } }: { job: ShownJob }) {
  const finding = markedFinding.value;
  if (finding?.pixel === undefined) return null;
  const [right, down] = placeFromAbove(finding.pixel, facts.pixels, frame.turn);
  const [x, y] = [Math.floor(finding.pixel.x), Math.floor(finding.pixel.y)];
  const k = jobLayer.value;
  return (
    <>
      {finding.layer === k && (
        <span
          class="job-mark"
          role="img"
          aria-label={finding.text}
          style={{ left: `${100 * right}%`, top: `${100 * down}%` }}
        />
      )}
      <img
        class={`job-close-up ${right > 0.5 ? "job-close-up-left" : ""}`}
        src={`${address}layers/${k}.png?max_px=${CLOSE_UP_PX}&x=${x}&y=${y}`}
        alt={`Close-up of ${finding.text}, in layer ${k + 1}`}
      />
    </>
  );
}
