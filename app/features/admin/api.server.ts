import * as z from 'zod';
import { reasonSchema } from '#app/domain/forms/fields.ts';
import {
  USER_SEARCH_HINT,
  ROLE_FILTERS,
  STATUS_FILTERS,
  SUBSCRIPTION_FILTERS,
  USER_SORTS,
} from '#app/domain/admin/user-search.ts';
import { METRIC_STATUSES } from '#app/domain/system/system-metrics.ts';
import { countAudit, listAudit } from './audit-trail.server.ts';
import { changeUser, getUser } from '#app/features/admin/users/user-changes.server.ts';
import { countUsers, listUsers } from '#app/features/admin/users/users.server.ts';
import { systemHealth } from '#app/features/admin/system/system.server.ts';
import { wrappedCursor } from '#app/platform/pagination.server.ts';
import type { Ctx } from '#app/platform/access/context.server.ts';
import { operation } from '#app/platform/api/operation.ts';
import {
  idParams,
  instant,
  named,
  pageQuery,
  cursorPageShape,
  cursorQuery,
  periodQuery,
  accountShape,
  EXAMPLE_USER,
} from '#app/platform/api/shapes.ts';
import { adminStats } from './overview.server.ts';

const readAdminStats = operation({
  id: 'adminStats',
  method: 'GET',
  path: '/api/admin/stats',
  tag: 'Administration',
  summary: 'Overview figures',
  description: 'Demonstration accounts are left out. The same figures as the overview page shows.',
  access: 'admin',
  response: z.object({
    totalUsers: z.int(),
    premiumUsers: z.int().describe('Accounts with Premium now, from any source'),
    freeUsers: z.int(),
    monthlyRevenue: z.number().describe('US dollars received in the last 30 days, minus refunds'),
    activeUsers: z.int().describe('Signed in or made an authenticated request in the last 30 days'),
  }),
  example: {
    data: { totalUsers: 120, premiumUsers: 30, freeUsers: 90, monthlyRevenue: 145, activeUsers: 64 },
  },
  run: (ctx) => adminStats(ctx),
});

const userAnswer = z.object({ user: accountShape });

const currentUser = {
  shape: userAnswer,
  read: async (ctx: Ctx, { params }: { params: { id: string } }) => ({ user: await getUser(ctx, params.id) }),
};

const changeUserStatus = operation({
  id: 'changeUserStatus',
  method: 'PATCH',
  path: '/api/admin/users/{id}/status',
  tag: 'Administration',
  summary: 'Suspend or reinstate an account',
  description:
    'Suspending ends every session and cancels a paid subscription at once; a grant, credit and the rest of a trial resume on reinstating. Both are recorded in the audit log.',
  access: 'admin',
  params: idParams,
  body: z.object({
    action: z.enum(['suspend', 'reinstate'], { error: 'Action must be suspend or reinstate' }),
    reason: reasonSchema,
  }),
  response: userAnswer,
  current: currentUser,
  errors: [
    'ALREADY_SUSPENDED',
    'NOT_SUSPENDED',
    'LAST_SUPER_ADMIN',
    'CHANGED_MEANWHILE',
    'RECENT_SIGN_IN_REQUIRED',
  ],
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

const textField = (about: string) => z.string().max(200).default('').describe(about);

const listedShape = named(
  'ListedUser',
  accountShape.extend({
    suspended: z.boolean(),
    lastSeenAt: instant,
    stripeCustomerId: z.string().nullable().describe('Customer id at the payment provider'),
  }),
);

const EXAMPLE_LISTED = {
  ...EXAMPLE_USER,
  suspended: false,
  lastSeenAt: '2026-11-22T08:00:00.000Z',
  stripeCustomerId: null,
};

const listAdminUsers = operation({
  id: 'listAdminUsers',
  method: 'GET',
  path: '/api/admin/users',
  tag: 'Administration',
  summary: 'All accounts',
  description: 'Newest first unless sorted otherwise. Administrators never see health records.',
  access: 'admin',
  isList: true,
  query: z.object({
    search: textField(USER_SEARCH_HINT),
    subscription: z.enum(SUBSCRIPTION_FILTERS).default('all'),
    status: z.enum(STATUS_FILTERS).default('all'),
    role: z.enum(ROLE_FILTERS).default('all'),
    sort: z.enum(USER_SORTS).default('newest'),
    ...pageQuery(20),
    ...cursorQuery,
  }),
  response: z.object({ users: z.array(listedShape), ...cursorPageShape }),
  example: {
    query: { subscription: 'premium', limit: '1' },
    data: { users: [EXAMPLE_LISTED], page: 1, limit: 1, total: 30, next: null },
  },
  async run(ctx, { query }) {
    const { cursor: _own, ...list } = query;
    const cursors = wrappedCursor(`users by ${query.sort}`);
    const { page, inner } = cursors.read(query);
    const { users, next } = await listUsers(ctx, { ...list, ...(inner !== undefined && { cursor: inner }) });
    const paging = { page, limit: query.limit, next: cursors.write(page, next) };
    return { users, ...paging, total: await countUsers(ctx, list) };
  },
});

const changeUserSubscription = operation({
  id: 'changeUserSubscription',
  method: 'PATCH',
  path: '/api/admin/users/{id}/subscription',
  tag: 'Administration',
  summary: 'Grant or end Premium for an account',
  description:
    'Ending Premium ends the grant, trial, credit and the subscription at the payment provider. Recorded in the audit log.',
  access: 'admin',
  params: idParams,
  body: z.object({
    subscription: z.enum(['free', 'premium'], { error: 'Subscription must be free or premium' }),
    reason: reasonSchema,
  }),
  response: userAnswer,
  current: currentUser,
  errors: [
    'ALREADY_GRANTED',
    'NO_PREMIUM',
    'ACCOUNT_SUSPENDED',
    'CHANGED_MEANWHILE',
    'RECENT_SIGN_IN_REQUIRED',
  ],
  example: {
    body: { subscription: 'premium', reason: 'apology' },
    data: { user: { ...EXAMPLE_USER, subscriptionStatus: 'active', trialDaysLeft: null } },
  },
  async run(ctx, { params, body: { subscription, reason } }) {
    const change = subscription === 'premium' ? 'upgrade' : 'downgrade';
    return { user: await changeUser(ctx, change, { id: params.id, reason }) };
  },
});

const auditShape = named(
  'AuditEntry',
  z.object({
    id: z.string(),
    at: instant,
    actor: z.string().describe('Id of an account, or cli:NAME'),
    actorEmail: z.string().nullable(),
    action: z.string(),
    subjectId: z.string(),
    subjectEmail: z.string().nullable(),
    before: z.record(z.string(), z.unknown()),
    after: z.record(z.string(), z.unknown()),
    reason: z.string().nullable(),
    from: z.string().describe('Network address, or terminal'),
  }),
);

const readAuditLog = operation({
  id: 'auditLog',
  method: 'GET',
  path: '/api/admin/audit-log',
  tag: 'Administration',
  summary: 'Audit entries, newest first',
  description:
    'Who did what to whom, and why. Nobody can change an entry. Days are in your time zone; both are included.',
  access: 'admin',
  isList: true,
  query: z.object({
    actor: textField('An email address, an id or cli:NAME'),
    subject: textField('An email address or an id'),
    action: textField('For example user.suspend'),
    ...periodQuery,
    ...pageQuery(50),
    ...cursorQuery,
  }),
  response: z.object({ entries: z.array(auditShape), ...cursorPageShape }),
  example: {
    query: { action: 'user.suspend', start: '2026-11-01', end: '2026-11-30' },
    data: {
      entries: [
        {
          id: '6740f1a29c1b2d3e4f506173',
          at: '2026-11-22T08:00:00.000Z',
          actor: 'cli:operator',
          actorEmail: null,
          action: 'user.suspend',
          subjectId: EXAMPLE_USER.id,
          subjectEmail: EXAMPLE_USER.email,
          before: { suspended: false },
          after: { suspended: true },
          reason: 'chargeback',
          from: 'terminal',
        },
      ],
      page: 1,
      limit: 50,
      total: 1,
      next: null,
    },
  },
  async run(ctx, { query: { start, end, cursor, ...query } }) {
    const selection = { ...query, startDate: start, endDate: end };
    const cursors = wrappedCursor('audit');
    const { page, inner } = cursors.read({ page: query.page, cursor });
    const at = inner === undefined ? selection : { ...selection, cursor: inner };
    const { entries, next } = await listAudit(ctx, at);
    const paging = { page, limit: query.limit, next: cursors.write(page, next) };
    return { entries, ...paging, total: await countAudit(ctx, selection) };
  },
});

const metricShape = named(
  'Metric',
  z.object({
    name: z.string(),
    value: z.string().describe('With its unit'),
    status: z.enum(METRIC_STATUSES),
    trend: z.enum(['up', 'down', 'stable']),
    lastUpdated: instant,
  }),
);

const readAdminHealth = operation({
  id: 'adminHealth',
  method: 'GET',
  path: '/api/admin/health',
  tag: 'Administration',
  summary: 'Server health',
  description:
    'Figures of the process that answers the request. `processes` lists every running process with the figures it last reported.',
  access: 'admin',
  response: z.object({
    status: z.enum(METRIC_STATUSES).describe('The worst of all metrics'),
    uptimeSeconds: z.number(),
    host: z.string(),
    counts: z.object({ healthy: z.int(), warning: z.int(), critical: z.int() }),
    metrics: z.array(metricShape),
    processes: z.array(
      z.object({
        host: z.string(),
        pid: z.int(),
        kind: z.enum(['server', 'worker']),
        startedAt: instant,
        seenAt: instant.describe('When it last reported'),
        status: z.enum(METRIC_STATUSES),
        metrics: z.array(metricShape),
      }),
    ),
    dataFile: z
      .object({ fileBytes: z.number(), freeBytes: z.number() })
      .nullable()
      .describe('The embedded database’s file; null when MONGODB_URI is set'),
  }),
  example: {
    data: {
      status: 'healthy',
      uptimeSeconds: 86_400,
      host: 'vialbook-1',
      counts: { healthy: 1, warning: 0, critical: 0 },
      metrics: [
        {
          name: 'Database latency',
          value: '1.2 ms',
          status: 'healthy',
          trend: 'stable',
          lastUpdated: '2026-11-22T08:00:00.000Z',
        },
      ],
      processes: [],
      dataFile: { fileBytes: 34_390_016, freeBytes: 1_204_224 },
    },
  },
  run: (ctx) => systemHealth(ctx),
});

export const adminOperations = [
  readAdminStats,
  changeUserStatus,
  listAdminUsers,
  changeUserSubscription,
  readAuditLog,
  readAdminHealth,
];
