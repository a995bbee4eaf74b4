/** The ids of models, as answers list them. */
export const idsOf = (models: readonly { readonly id: string }[]): string[] => models.map(({ id }) => id);
