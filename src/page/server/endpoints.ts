import { must } from "../../core/must.ts";
import type { EndpointForm } from "../action/endpoint-forms.ts";

/** `build.ts` replaces this name by the requests of the interface, taken from the declarations of the endpoints. */
declare const PAGE_ENDPOINTS: Readonly<Record<string, EndpointForm>>;

/** Requests of `/v1/` by path. */
export const ENDPOINT_FORMS: Readonly<Record<string, EndpointForm>> = PAGE_ENDPOINTS;

/** The request of an endpoint that the interface has. */
export const endpointForm = (path: string): EndpointForm => must(ENDPOINT_FORMS[path], `Endpoint ${path}`);
