/** The expected answer at an address: a status, and where a redirect leads. */
export type Expected = number | readonly [status: number, location: string];

/** One address of a route and the answer for each kind of caller. */
export interface AccessRow {
  /** A real address of the route. */
  at: string;
  /** Opened by a visitor, a free user, and a user in the trial. */
  visitor: Expected;
  free: Expected;
  premium: Expected;
  /** Opened by an administrator and by a super admin, if different. */
  admin?: Expected;
  superAdmin?: Expected;
  /** The same for an empty form sent there, if the route takes forms. */
  sent?: {
    visitor: Expected;
    free: Expected;
    premium: Expected;
    admin?: Expected;
    superAdmin?: Expected;
  };
}

/** To the sign-in page and back, without the router's own `?index`. */
export const toSignIn = (at: string): Expected => [
  302,
  `/login?redirectTo=${encodeURIComponent(at.replace('?index', ''))}`,
];
export const all = (expected: Expected) => ({ visitor: expected, free: expected, premium: expected });

/** A page for everyone. */
export const open = (at: string): AccessRow => ({ at, ...all(200) });

/** A page for visitors; signed-in users are redirected to the dashboard. */
export const signedOut = (at: string): AccessRow => ({
  at,
  visitor: 200,
  free: [302, '/dashboard'],
  premium: [302, '/dashboard'],
  sent: { visitor: 400, free: [302, '/dashboard'], premium: [302, '/dashboard'] },
});

/** A page for signed-in users. */
export const signedIn = (at: string, status: Expected = 200, sent?: Expected): AccessRow => ({
  at,
  visitor: toSignIn(at),
  free: status,
  premium: status,
  ...(sent === undefined ? {} : { sent: { visitor: toSignIn(at), free: sent, premium: sent } }),
});

/** A premium area. */
export const premium = (at: string, status: Expected, sent?: Expected): AccessRow => ({
  at,
  visitor: toSignIn(at),
  free: 403,
  premium: status,
  ...(sent === undefined ? {} : { sent: { visitor: toSignIn(at), free: 403, premium: sent } }),
});

/** A page of a premium area that takes no forms. */
export const premiumOnly = (at: string, status: Expected = 200): AccessRow => ({
  at,
  visitor: toSignIn(at),
  free: 403,
  premium: status,
});

export const FILE = '/dashboard/export/file?format=csv&types=calculations';
