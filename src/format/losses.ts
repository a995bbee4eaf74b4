import { type ApiError, excerpt, operationFailed } from "../core/api-error.ts";

/** OPERATION_FAILED for a file that must be read completely but has losses (`losses` of a `ModelFile`). */
export const lossError = (file: string, losses: readonly string[]): ApiError =>
  operationFailed(
    `Cannot import all of ${JSON.stringify(excerpt(file))}. ${losses.join(" ")} With repair_behavior REPAIR or IGNORE the rest of it is imported.`,
  );
