import { takeFiles } from "./import-files.ts";
import { notify } from "./notices.ts";

/** Imports the part that comes with the page, for a first try. */
export async function trySamplePart(): Promise<void> {
  try {
    const answer = await fetch("/ui/sample/");
    if (!answer.ok) throw new Error(`The answer has status ${answer.status}.`);
    await takeFiles([new File([await answer.blob()], nameOf(answer))]);
  } catch (thrown) {
    notify({
      severity: "error",
      text: "The sample part could not be fetched. Is Printwright still running?",
      code: String(thrown),
    });
  }
}

/** The file name in the header of an answer. */
const nameOf = (answer: Response): string =>
  decodeURIComponent(
    /filename\*=UTF-8''([^;]+)/.exec(answer.headers.get("Content-Disposition") ?? "")?.[1] ?? "Sample.obj",
  );
