/** The seed of this run's laws, a whole number; throws when `LAW_SEED` is neither one nor `random`. */
export function lawSeed(root: string, given?: string): number;
