import { counted } from "../../core/quantities.ts";

/** Fields of replies that describe what an action did. */
export interface ActionReply {
  readonly modified_model_ids?: readonly string[];
  readonly deleted_model_ids?: readonly string[];
  readonly new_model_ids?: readonly string[];
  readonly hollowed_model_ids?: readonly string[];
  readonly unrepaired_model_ids?: readonly string[];
  readonly new_models?: readonly { readonly model_id: string }[];
  readonly results?: readonly {
    readonly new_model_ids: readonly string[];
    readonly dowel_model_ids?: readonly string[];
  }[];
  readonly plugs?: readonly { readonly plug_model_id: string }[];
  readonly warnings?: readonly string[];
  readonly infos?: readonly string[];
}

/** Summarises what an action did: "2 parts changed, 5 parts made". */
export function replySummary(reply: ActionReply): string {
  const made = createdModelIds(reply).length;
  const changed = reply.modified_model_ids ?? reply.hollowed_model_ids ?? [];
  const deleted = reply.deleted_model_ids?.length ?? 0;
  const unrepaired = reply.unrepaired_model_ids?.length ?? 0;
  const parts = [
    changed.length > 0 && `${counted(changed.length, "part")} changed`,
    made > 0 && `${counted(made, "part")} made`,
    deleted > 0 && `${counted(deleted, "part")} deleted`,
    unrepaired > 0 && `${counted(unrepaired, "part")} could not be repaired`,
  ].filter((one) => one !== false);
  if (parts.length > 0) return parts.join(", ");
  const couldChange = reply.modified_model_ids !== undefined || reply.results !== undefined;
  return couldChange ? "nothing to change" : "done";
}

/** Ids of the models that an action created. */
export const createdModelIds = (reply: ActionReply): readonly string[] => [
  ...(reply.new_model_ids ?? []),
  ...(reply.new_models ?? []).map(({ model_id }) => model_id),
  ...(reply.results ?? []).flatMap(({ new_model_ids, dowel_model_ids = [] }) => [...new_model_ids, ...dowel_model_ids]),
  ...(reply.plugs ?? []).map(({ plug_model_id }) => plug_model_id),
];

/** Warnings and remarks of a reply, which the user should read. */
export const remarksOf = (reply: ActionReply): readonly string[] => [...(reply.warnings ?? []), ...(reply.infos ?? [])];
