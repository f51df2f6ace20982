import * as z from 'zod';
import { createReferralCode, getReferrals } from './referrals.server.ts';
import { operation } from '#app/platform/api/operation.ts';
import {
  instant,
  MAX_PAGE_SIZE,
  named,
  pageQuery,
  cursorPageShape,
  cursorQuery,
} from '#app/platform/api/shapes.ts';

const tag = 'Referrals';

const invitationShape = named(
  'Invitation',
  z.object({ code: z.string(), link: z.string(), shareText: z.string() }),
);

const referralShape = named(
  'Referral',
  z.object({
    since: instant.describe('When someone registered with the code'),
    standing: z.enum(['pending', 'credited', 'reversed']),
    changedAt: instant.nullable().describe('When it was credited or reversed'),
  }),
);

const count = z.int();

const EXAMPLE_INVITATION = {
  code: 'H7K2MPQX',
  link: 'https://vialbook.example/register?ref=H7K2MPQX',
  shareText: 'With this link we both get 30 days of Premium: https://vialbook.example/register?ref=H7K2MPQX',
};

export const getReferralsCall = operation({
  id: 'getReferrals',
  method: 'GET',
  path: '/api/referrals',
  tag,
  summary: 'Your link and your referrals',
  description:
    'Referrals have no names; the newest come first, and `totals` counts all. `invitation` is null for an account without a code, and until its email address is confirmed.',
  access: 'user',
  isList: true,
  query: z.object({ ...pageQuery(MAX_PAGE_SIZE), ...cursorQuery }),
  response: z.object({
    invitation: invitationShape.nullable(),
    referrals: z.array(referralShape),
    totals: z.object({ pending: count, credited: count, reversed: count }),
    creditUntil: instant.nullable().describe('When the Premium days earned by referrals end'),
    ...cursorPageShape,
  }),
  example: {
    data: {
      invitation: EXAMPLE_INVITATION,
      referrals: [
        {
          since: '2026-11-22T08:00:00.000Z',
          standing: 'credited',
          changedAt: '2026-11-24T08:00:00.000Z',
        },
      ],
      totals: { pending: 0, credited: 1, reversed: 0 },
      creditUntil: '2026-12-24T08:00:00.000Z',
      page: 1,
      limit: 100,
      total: 1,
      next: null,
    },
  },
  async run(ctx, { query }) {
    const { ledger, paging, ...view } = await getReferrals(ctx, query);
    return { ...view, referrals: ledger, ...paging };
  },
});

export const makeReferralCodeCall = operation({
  id: 'makeReferralCode',
  method: 'POST',
  path: '/api/referrals/code',
  tag,
  summary: 'Create your code if you have none',
  description: 'Registration creates the code; only accounts created at the terminal need this.',
  access: 'user',
  response: z.object({ invitation: invitationShape }),
  errors: ['EMAIL_NOT_CONFIRMED'],
  example: { body: {}, data: { invitation: EXAMPLE_INVITATION } },
  run: async (ctx) => ({ invitation: await createReferralCode(ctx) }),
});

export const referralOperations = [getReferralsCall, makeReferralCodeCall];
