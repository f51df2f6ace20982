import type { AccessRow, Expected } from './access-rows.ts';

/** Redirects to the admin sign-in, with the way back. */
const toAdminSignIn = (at: string): Expected => [302, `/admin/login?redirectTo=${encodeURIComponent(at)}`];

interface ForAdmins {
  admin?: Expected;
  /** The same as for an administrator by default. */
  superAdmin?: Expected;
  /** For an empty form, if the route takes forms. */
  sent?: Expected;
  sentBySuperAdmin?: Expected;
}

/** A page of the admin area; everyone else is redirected to the admin sign-in. */
function adminPage(at: string, expected: ForAdmins = {}): AccessRow {
  const { admin = 200, superAdmin = admin, sent, sentBySuperAdmin = sent } = expected;
  const away = toAdminSignIn(at.replace('?index', ''));
  const others = { visitor: away, free: away, premium: away };
  return {
    at,
    ...others,
    admin,
    superAdmin,
    ...(sent === undefined || sentBySuperAdmin === undefined
      ? {}
      : { sent: { ...others, admin: sent, superAdmin: sentBySuperAdmin } }),
  };
}

const SUBSCRIPTIONS = '/admin/dashboard/subscriptions';
const SYSTEM = '/admin/dashboard/system';
const HOME: Expected = [302, '/admin/dashboard'];
const START_AGAIN: Expected = [302, '/admin/login'];

const everyone = (expected: Expected) => ({
  visitor: expected,
  free: expected,
  premium: expected,
  admin: expected,
  superAdmin: expected,
});

/** Expected access to the admin area; part of the table of all routes. */
export const ADMIN_ACCESS: Readonly<Record<string, readonly AccessRow[]>> = {
  'routes/admin._index': [{ at: '/admin?index', ...everyone(HOME) }],
  'routes/admin.login': [
    {
      at: '/admin/login',
      ...everyone(200),
      admin: HOME,
      superAdmin: HOME,
      sent: { ...everyone(400), admin: HOME, superAdmin: HOME },
    },
  ],
  'routes/admin.login_.code': [
    { at: '/admin/login/code', ...everyone(START_AGAIN), sent: everyone(START_AGAIN) },
  ],
  'routes/admin.dashboard._index': [adminPage('/admin/dashboard')],
  'routes/admin.dashboard.users._index': [
    adminPage('/admin/dashboard/users'),
    adminPage('/admin/dashboard/users?search=%28a%2B%29%2B%24&cursor=none&sort%5B%24gt%5D=1'),
  ],
  'routes/admin.dashboard.users.file': [adminPage('/admin/dashboard/users/file')],
  'routes/admin.dashboard.users_.invite': [
    adminPage('/admin/dashboard/users/invite', { admin: 404, sent: 404 }),
  ],
  'routes/admin.dashboard.users.$id': [adminPage('/admin/dashboard/users/none', { admin: 404 })],
  'routes/admin.dashboard.users.$id_.$change': [
    adminPage('/admin/dashboard/users/none/suspend', { admin: 404, sent: 409 }),
    adminPage('/admin/dashboard/users/none/explode', { admin: 404, sent: 404 }),
  ],
  'routes/admin.dashboard.audit': [
    adminPage('/admin/dashboard/audit'),
    adminPage('/admin/dashboard/audit?actor=%24where&startDate=never&cursor=none'),
  ],
  'routes/admin.dashboard.subscriptions._index': [adminPage(SUBSCRIPTIONS)],
  'routes/admin.dashboard.subscriptions.issues': [adminPage(`${SUBSCRIPTIONS}/issues`)],
  'routes/admin.dashboard.subscriptions.issues_.$id': [
    adminPage(`${SUBSCRIPTIONS}/issues/none`, { admin: 404, sent: 400 }),
  ],
  'routes/admin.dashboard.subscriptions.issues_.$id_.contact': [
    adminPage(`${SUBSCRIPTIONS}/issues/none/contact`, { admin: 404, sent: 404 }),
  ],
  'routes/admin.dashboard.subscriptions.analytics': [adminPage(`${SUBSCRIPTIONS}/analytics`)],
  'routes/admin.dashboard.system._index': [adminPage(SYSTEM)],
  'routes/admin.dashboard.system.logs': [
    adminPage(`${SYSTEM}/logs`),
    adminPage(`${SYSTEM}/logs?level=loud`, { admin: 400 }),
  ],
  'routes/admin.dashboard.system.actions': [
    adminPage(`${SYSTEM}/actions?do=clear-cache`, { sent: 400 }),
    adminPage(`${SYSTEM}/actions?do=format-disk`, { admin: 404, sent: 404 }),
  ],
  'routes/admin.dashboard.system.backups._index': [adminPage(`${SYSTEM}/backups`)],
  'routes/admin.dashboard.system.backups.$id': [adminPage(`${SYSTEM}/backups/none`, { admin: 404 })],
  'routes/admin.dashboard.system.backups_.$id_.file': [
    adminPage(`${SYSTEM}/backups/none/file`, { admin: 403, superAdmin: 404 }),
  ],
  'routes/admin.dashboard.system.report': [adminPage(`${SYSTEM}/report`)],
  'routes/admin.dashboard.system.switches': [adminPage(`${SYSTEM}/switches`, { sent: 400 })],
  'routes/admin.dashboard.system.announcements': [adminPage(`${SYSTEM}/announcements`, { sent: 400 })],
  'routes/admin.dashboard.system.announcements_.edit': [
    adminPage(`${SYSTEM}/announcements/edit?id=none`, { admin: 404, sent: 404 }),
  ],
  'routes/admin.dashboard.system.announcements_.end': [
    adminPage(`${SYSTEM}/announcements/end?id=none`, { admin: 404, sent: 404 }),
  ],
};
