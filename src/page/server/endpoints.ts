import type { EndpointForm } from "../action/endpoint-forms.ts";

/** Put in place of this name by `build.ts`: the requests of the interface, from the same declarations as the server's. */
declare const PAGE_ENDPOINTS: Readonly<Record<string, EndpointForm>>;

/** The requests of `/v1/` by their paths. */
export const ENDPOINT_FORMS: Readonly<Record<string, EndpointForm>> = PAGE_ENDPOINTS;
