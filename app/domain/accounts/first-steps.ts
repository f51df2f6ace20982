/** What a new account can begin with, in this order. */
export const FIRST_STEPS = ['vial', 'plan', 'reminders'] as const;
export type FirstStep = (typeof FIRST_STEPS)[number];

/** The steps that an account may take: plans and reminders are part of Premium. */
export const stepsFor = (isPremium: boolean): readonly FirstStep[] => (isPremium ? FIRST_STEPS : ['vial']);

/** The step of that name; null for any other text. */
export const readFirstStep = (text: string | null): FirstStep | null =>
  FIRST_STEPS.find((step) => step === text) ?? null;

/** The page with the steps. */
export const BEGIN_PATH = '/dashboard/begin';
