import * as z from 'zod';
import { startTrial } from './trial.server.ts';
import { operation } from '#app/platform/api/operation.ts';
import { accountShape, EXAMPLE_USER } from '#app/platform/api/account-shape.ts';

export const startFreeTrial = operation({
  id: 'startTrial',
  method: 'POST',
  path: '/api/billing/trial',
  tag: 'Billing',
  summary: 'Start the free trial',
  description:
    '14 days, once per account, without a card. What the running sign-ins hold is kept from then on.',
  access: 'user',
  response: z.object({ user: accountShape }),
  errors: ['CONFLICT'],
  example: { body: {}, data: { user: EXAMPLE_USER } },
  run: async (ctx) => ({ user: await startTrial(ctx) }),
});

export const billingTrialOperations = [startFreeTrial];
