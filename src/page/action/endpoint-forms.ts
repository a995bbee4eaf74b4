import { must } from "../../core/must.ts";

/** The parts of JSON Schema that requests of the interface use. */
export interface Schema {
  readonly type?: string;
  readonly const?: unknown;
  readonly enum?: readonly (string | number)[];
  readonly format?: string;
  readonly description?: string;
  readonly default?: unknown;
  readonly minimum?: number;
  readonly exclusiveMinimum?: number;
  readonly maximum?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly items?: Schema | boolean;
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
}

/** Method and body of an endpoint. */
export interface EndpointForm {
  readonly method: string;
  /** Whether it takes `?async=true`. */
  readonly async: boolean;
  readonly body?: Schema;
}

interface OpenApiOperation {
  readonly parameters: readonly { readonly name: string }[];
  readonly requestBody?: { readonly content: { readonly "application/json": { readonly schema: Schema } } };
}

/** Extracts the requests of an OpenAPI document, by path. Summaries and answers are left out, since they make up most of the document. */
export function endpointForms(openApi: object): Readonly<Record<string, EndpointForm>> {
  const { paths } = openApi as { paths: Record<string, Record<string, OpenApiOperation>> };
  const forms = Object.entries(paths).map(([path, methods]): [string, EndpointForm] => {
    const [method, { parameters, requestBody }] = must(Object.entries(methods)[0], `The method of ${path}`);
    const body = requestBody?.content["application/json"].schema;
    return [
      path,
      {
        method: method.toUpperCase(),
        async: parameters.some(({ name }) => name === "async"),
        ...(body && { body }),
      },
    ];
  });
  return Object.fromEntries(forms);
}
