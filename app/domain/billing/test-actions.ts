/**
 * What can be done at the portal of the test mode: the customer's own steps, then what time, bank and shop do.
 */
export const TEST_ACTIONS = [
  'cancel',
  'resume',
  'switch-plan',
  'new-card',
  'retry-payment',
  'card-declines',
  'card-expires',
  'end-period',
  'refund',
  'dispute',
  'win-dispute',
] as const;

export type TestAction = (typeof TEST_ACTIONS)[number];
