/** Length of the free trial, in days. Once per account, no card (decisions, section 6). */
export const TRIAL_DAYS = 14;

/** How long an unpaid subscription keeps premium, in days (decisions, section 6). */
export const PAST_DUE_GRACE_DAYS = 7;

/** Active vials a free account may have (specification, section 9). */
export const FREE_VIAL_LIMIT = 3;

/** Saved calculations from which a free account is shown the upsell (specification, section 5). */
export const FREE_HISTORY_HINT = 10;

/** Prices in US cents (specification, section 1). */
export const PRICE_CENTS = { monthly: 500, yearly: 3000 } as const;

/** A day in milliseconds, for spans that are counted in elapsed time. */
export const DAY_MS = 86_400_000;
