import * as z from 'zod';
import { adminStats } from './admin-stats.server.ts';
import { changeUser } from '#app/features/admin/users/user-changes.server.ts';
import { operation } from '#app/platform/api/operation.ts';
import { idParams } from '#app/platform/api/shapes.ts';
import { accountShape, EXAMPLE_USER } from '#app/platform/api/account-shape.ts';

const tag = 'Administration';

export const readAdminStats = operation({
  id: 'adminStats',
  method: 'GET',
  path: '/api/admin/stats',
  tag,
  summary: 'Figures of the overview',
  access: 'admin',
  response: z.object({
    totalUsers: z.int(),
    premiumUsers: z.int().describe('Entitled to Premium now, whatever the source'),
    freeUsers: z.int(),
    monthlyRevenue: z.number().describe('US dollars received in the last 30 days, refunds taken off'),
    activeUsers: z.int().describe('Signed in or made an authenticated request in the last 30 days'),
  }),
  example: {
    data: { totalUsers: 120, premiumUsers: 30, freeUsers: 90, monthlyRevenue: 145, activeUsers: 64 },
  },
  run: (ctx) => adminStats(ctx),
});

export const changeUserStatus = operation({
  id: 'changeUserStatus',
  method: 'PATCH',
  path: '/api/admin/users/{id}/status',
  tag,
  summary: 'Suspend or reinstate an account',
  description:
    'Suspending ends subscription and trial, and every sign-in at once. Both are written to the audit log.',
  access: 'admin',
  params: idParams,
  body: z.object({
    action: z.enum(['suspend', 'reinstate'], { error: 'Action must be suspend or reinstate' }),
    reason: z.string().max(500, { error: 'Reason must be at most 500 characters' }).optional(),
  }),
  response: z.object({ user: accountShape }),
  errors: ['CONFLICT', 'RECENT_SIGN_IN_REQUIRED'],
  example: {
    body: { action: 'suspend', reason: 'chargeback' },
    data: {
      user: { ...EXAMPLE_USER, subscription: 'free', subscriptionStatus: 'canceled', trialDaysLeft: null },
    },
  },
  async run(ctx, { params, body: { action, reason } }) {
    return { user: await changeUser(ctx, action, { id: params.id, reason }) };
  },
});

export const adminOperations = [readAdminStats, changeUserStatus];
