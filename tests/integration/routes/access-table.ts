/** What somebody gets at an address: a status, and where a redirect leads. */
export type Expected = number | readonly [status: number, location: string];

/** One address of a route and what each kind of caller gets there. */
export interface AccessRow {
  /** A real address of the route. */
  at: string;
  /** Opened by somebody not signed in, a free user, a user in the trial. */
  visitor: Expected;
  free: Expected;
  premium: Expected;
  /** The same for an empty form sent there, if the route takes forms. */
  sent?: { visitor: Expected; free: Expected; premium: Expected };
}

/** To the sign-in page and back; the router's own `?index` is no part of an address. */
const toSignIn = (at: string): Expected => [
  302,
  `/login?redirectTo=${encodeURIComponent(at.replace('?index', ''))}`,
];
const all = (expected: Expected) => ({ visitor: expected, free: expected, premium: expected });

/** A page for everyone. */
const open = (at: string): AccessRow => ({ at, ...all(200) });

/** A page for visitors; who is signed in goes to the dashboard. */
const signedOut = (at: string): AccessRow => ({
  at,
  visitor: 200,
  free: [302, '/dashboard'],
  premium: [302, '/dashboard'],
  sent: { visitor: 400, free: [302, '/dashboard'], premium: [302, '/dashboard'] },
});

/** A page for signed-in users. */
const signedIn = (at: string, status: Expected = 200, sent?: Expected): AccessRow => ({
  at,
  visitor: toSignIn(at),
  free: status,
  premium: status,
  ...(sent === undefined ? {} : { sent: { visitor: toSignIn(at), free: sent, premium: sent } }),
});

/** A premium area. */
const premium = (at: string, status: Expected, sent: Expected): AccessRow => ({
  at,
  visitor: toSignIn(at),
  free: 403,
  premium: status,
  sent: { visitor: toSignIn(at), free: 403, premium: sent },
});

const FILE = '/dashboard/export/file?format=csv&types=calculations';

/**
 * Who gets what at every route of the application, by the route's id in the manifest. A route that is not in here
 * fails the test: decide who may open it, then write it down.
 */
export const ACCESS: Readonly<Record<string, readonly AccessRow[]>> = {
  'routes/_index': [signedOut('/?index')],
  'routes/$': [{ at: '/nowhere', ...all(404), sent: all(404) }],
  'routes/calculator': [open('/calculator')],
  'routes/login': [signedOut('/login')],
  'routes/register': [signedOut('/register')],
  'routes/forgot-password': [signedOut('/forgot-password')],
  'routes/reset-password.$token': [{ at: '/reset-password/none', ...all(404), sent: all(400) }],
  'routes/login_.code': [{ at: '/login/code', ...all([302, '/login']), sent: all([302, '/login']) }],
  'routes/logout': [{ at: '/logout', ...all([302, '/']), sent: all([302, '/login']) }],
  'routes/terms': [open('/terms')],
  'routes/privacy': [open('/privacy')],
  'routes/healthz': [open('/healthz')],
  'routes/readyz': [open('/readyz')],
  'routes/upgrade': [
    {
      ...signedIn('/upgrade'),
      sent: { visitor: toSignIn('/upgrade'), free: [302, '/dashboard'], premium: 409 },
    },
  ],
  'routes/dashboard._index': [signedIn('/dashboard')],
  'routes/dashboard.calculator': [signedIn('/dashboard/calculator', 200, 400)],
  'routes/dashboard.calculations.$id.delete': [
    signedIn('/dashboard/calculations/calc_none/delete', 404, 404),
  ],
  'routes/dashboard.export._index': [signedIn('/dashboard/export?index', 200, 400)],
  'routes/dashboard.export.file': [
    signedIn(FILE),
    signedIn('/dashboard/export/file', 400),
    { ...signedIn(`${FILE}&types=nutrition`), free: 403 },
  ],
  'routes/dashboard_.export.print': [signedIn('/dashboard/export/print?types=calculations')],
  'routes/dashboard.profile': [signedIn('/dashboard/profile', 200, 400)],
  'routes/dashboard.profile_.confirm': [signedIn('/dashboard/profile/confirm', 200, 400)],
  'routes/dashboard.profile_.password': [signedIn('/dashboard/profile/password', 200, 400)],
  'routes/dashboard.profile_.sessions.$id.end': [signedIn('/dashboard/profile/sessions/none/end', 404, 404)],
  'routes/dashboard.profile_.access-log': [signedIn('/dashboard/profile/access-log')],
  'routes/dashboard.profile_.data': [signedIn('/dashboard/profile/data')],
  'routes/dashboard.profile_.delete': [signedIn('/dashboard/profile/delete', 200, 400)],
  'routes/dashboard.profile_.email': [signedIn('/dashboard/profile/email', 200, 400)],
  'routes/confirm-email.$token': [{ at: '/confirm-email/none', ...all(404), sent: all(404) }],
  'routes/dashboard.profile_.keep': [signedIn('/dashboard/profile/keep', [302, '/dashboard/profile'], 409)],
  'routes/dashboard.profile_.second-factor': [signedIn('/dashboard/profile/second-factor', 200, 400)],
  'routes/dashboard.profile_.second-factor_.codes': [
    signedIn('/dashboard/profile/second-factor/codes', 200, 409),
  ],
  'routes/dashboard.profile_.second-factor_.off': [
    signedIn('/dashboard/profile/second-factor/off', 200, 409),
  ],
  'routes/dashboard.$area': [
    premium('/dashboard/tracking', 404, 404),
    premium('/dashboard/schedule', 404, 404),
    premium('/dashboard/analytics', 404, 404),
    premium('/dashboard/vendors', 404, 404),
    signedIn('/dashboard/nowhere', 404, 404),
  ],
};
