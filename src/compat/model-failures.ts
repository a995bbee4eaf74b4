import { ApiError } from "../core/api-error.ts";

/** The error of a request for which no model could be hollowed. */
export class ModelFailures extends ApiError {
  readonly modelIds: readonly string[];

  constructor({ code, message }: ApiError, modelIds: readonly string[]) {
    super(code, message);
    this.modelIds = modelIds;
  }
}
