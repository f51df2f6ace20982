import {
  FILE,
  all,
  open,
  premium,
  premiumOnly,
  signedIn,
  signedOut,
  toSignIn,
  type AccessRow,
} from './access-rows.ts';
import { ADMIN_ACCESS } from './admin-access-table.ts';
import { VENDOR_ACCESS } from './vendor-access-table.ts';

/**
 * The expected answers at every route of the application, by the route's id in the manifest. A missing route
 * fails the test: decide who may open it, then add it.
 */
export const ACCESS: Readonly<Record<string, readonly AccessRow[]>> = {
  'routes/_index': [signedOut('/?index')],
  'routes/$': [{ at: '/nowhere', ...all(404), sent: all(404) }],
  'routes/calculator': [open('/calculator')],
  'routes/calculator_.card': [open('/calculator/card?peptideAmount=5&waterVolume=2&desiredDose=0.25')],
  'routes/calculator_.card_.file': [
    open('/calculator/card/file?peptideAmount=5&waterVolume=2&desiredDose=0.25'),
  ],
  'routes/calculator_.ladder': [open('/calculator/ladder')],
  'routes/offline': [open('/offline')],
  'routes/offline_.secret': [
    {
      at: '/offline/secret',
      ...all([302, '/offline']),
      sent: { visitor: [302, '/login?redirectTo=%2Foffline%2Fsecret'], free: 200, premium: 200 },
    },
  ],
  'routes/offline_.snapshot': [signedIn('/offline/snapshot')],
  'routes/offline_.outbox': [
    {
      at: '/offline/outbox',
      ...all([302, '/offline']),
      sent: { visitor: [302, '/login?redirectTo=%2Foffline%2Foutbox'], free: 400, premium: 400 },
    },
  ],
  'routes/passkey.options': [{ at: '/passkey/options', ...all([302, '/login']), sent: all(400) }],
  // Without the setting of a provider there is none.
  'routes/sign-in.$provider': [{ at: '/sign-in/oidc', ...all(404), sent: all(404) }],
  'routes/login': [signedOut('/login')],
  'routes/register': [signedOut('/register')],
  'routes/forgot-password': [signedOut('/forgot-password')],
  'routes/demo': [
    {
      ...signedOut('/demo'),
      sent: { visitor: [302, '/dashboard'], free: [302, '/dashboard'], premium: [302, '/dashboard'] },
    },
  ],
  'routes/reset-password.$token': [{ at: '/reset-password/none', ...all(404), sent: all(400) }],
  'routes/login_.code': [{ at: '/login/code', ...all([302, '/login']), sent: all([302, '/login']) }],
  'routes/logout': [{ at: '/logout', ...all([302, '/']), sent: all([302, '/login']) }],
  'routes/sources': [open('/sources')],
  'routes/terms': [open('/terms')],
  'routes/privacy': [open('/privacy')],
  'routes/api.docs': [open('/api/docs')],
  'routes/robots[.]txt': [open('/robots.txt')],
  'routes/sitemap[.]xml': [open('/sitemap.xml')],
  'routes/[.]well-known.$': [
    open('/.well-known/security.txt'),
    { at: '/.well-known/change-password', ...all([302, '/dashboard/profile/password']) },
    open('/.well-known/oauth-protected-resource'),
    open('/.well-known/oauth-protected-resource/mcp'),
    open('/.well-known/oauth-authorization-server'),
    { at: '/.well-known/nothing', ...all(404) },
  ],
  'routes/oauth.$': [{ at: '/oauth/token', ...all(405), sent: all(400) }],
  'routes/connect': [signedIn('/connect', 400, 400)],
  'routes/healthz': [open('/healthz')],
  'routes/readyz': [open('/readyz')],
  'routes/styleguide': [{ at: '/styleguide', ...all(404) }],
  'routes/mcp': [{ at: '/mcp', ...all(405), sent: all(401) }],
  'routes/metrics': [{ at: '/metrics', ...all(404) }],
  'routes/_account.upgrade': [
    {
      ...signedIn('/upgrade'),
      sent: { visitor: toSignIn('/upgrade'), free: [302, '/dashboard'], premium: 409 },
    },
  ],
  'routes/_account.upgrade_.return': [signedIn('/upgrade/return')],
  'routes/_account.upgrade_.change': [signedIn('/upgrade/change', 409, 400)],
  'routes/_account.upgrade_.test-checkout.$id': [signedIn('/upgrade/test-checkout/cs_test_none', 404, 404)],
  'routes/_account.upgrade_.test-portal.$id': [signedIn('/upgrade/test-portal/bps_test_none', 404, 404)],
  'routes/webhooks.stripe': [{ at: '/webhooks/stripe', ...all(405), sent: all(400) }],
  'routes/dashboard._index': [signedIn('/dashboard')],
  'routes/dashboard.finish': [signedIn('/dashboard/finish', [302, '/dashboard'])],
  'routes/dashboard.announcements.dismiss': [
    signedIn('/dashboard/announcements/dismiss', [302, '/dashboard'], 404),
  ],
  'routes/dashboard.calculator': [signedIn('/dashboard/calculator', 200, 400)],
  'routes/dashboard.calculator_.ladder': [signedIn('/dashboard/calculator/ladder')],
  'routes/dashboard.calculator_.plan': [
    signedIn('/dashboard/calculator/plan?peptideAmount=30&waterVolume=1.8&dose=2.5', 200, 400),
  ],
  'routes/dashboard.calculations.$id.delete': [
    signedIn('/dashboard/calculations/calc_none/delete', 404, 404),
  ],
  'routes/dashboard.export._index': [signedIn('/dashboard/export?index', 200, 400)],
  'routes/dashboard.export.file': [
    signedIn(FILE),
    signedIn('/dashboard/export/file', 400),
    { ...signedIn(`${FILE}&types=nutrition`), free: 403 },
  ],
  'routes/dashboard.import._index': [signedIn('/dashboard/import?index', 200, 400)],
  'routes/dashboard.import.doses-example[.]csv': [signedIn('/dashboard/import/doses-example.csv')],
  'routes/dashboard.import.$id': [signedIn('/dashboard/import/none', 404, 404)],
  'routes/dashboard.import.$id_.undo': [signedIn('/dashboard/import/none/undo', 404, 404)],
  'routes/dashboard_.export.print': [signedIn('/dashboard/export/print?types=calculations')],
  'routes/dashboard.profile': [signedIn('/dashboard/profile', 200, 400)],
  'routes/dashboard.profile_.units': [signedIn('/dashboard/profile/units', 200, 400)],
  'routes/dashboard.profile_.syringes_.$id': [
    signedIn('/dashboard/profile/syringes/new', 200, 400),
    signedIn('/dashboard/profile/syringes/own:0', 404, 404),
  ],
  'routes/dashboard.profile_.syringes_.$id_.remove': [
    signedIn('/dashboard/profile/syringes/own:0/remove', 404, 404),
  ],
  'routes/dashboard.profile_.security': [signedIn('/dashboard/profile/security')],
  'routes/dashboard.profile_.$part': [
    signedIn('/dashboard/profile/your-data'),
    signedIn('/dashboard/profile/developer'),
    signedIn('/dashboard/profile/nowhere', 404),
  ],
  'routes/dashboard.profile_.confirm': [signedIn('/dashboard/profile/confirm', 200, 400)],
  'routes/dashboard.profile_.password': [signedIn('/dashboard/profile/password', 200, 400)],
  'routes/dashboard.profile_.sessions.$id.end': [signedIn('/dashboard/profile/sessions/none/end', 404, 404)],
  'routes/dashboard.profile_.access-log': [signedIn('/dashboard/profile/access-log')],
  'routes/dashboard.profile_.data': [signedIn('/dashboard/profile/data')],
  'routes/dashboard.profile_.delete': [signedIn('/dashboard/profile/delete', 200, 400)],
  'routes/dashboard.profile_.email': [signedIn('/dashboard/profile/email', 200, 400)],
  'routes/dashboard.profile_.email_.confirm': [
    signedIn('/dashboard/profile/email/confirm', [302, '/dashboard/profile'], 409),
  ],
  'routes/confirm-email.$token': [{ at: '/confirm-email/none', ...all(404), sent: all(404) }],
  'routes/dashboard.profile_.keep': [signedIn('/dashboard/profile/keep', [302, '/dashboard/profile'], 409)],
  'routes/dashboard.profile_.second-factor': [signedIn('/dashboard/profile/second-factor', 200, 400)],
  'routes/dashboard.profile_.second-factor_.codes': [
    signedIn('/dashboard/profile/second-factor/codes', 200, 409),
  ],
  'routes/dashboard.profile_.second-factor_.off': [
    signedIn('/dashboard/profile/second-factor/off', 200, 409),
  ],
  'routes/push.shown': [{ at: '/push/shown', ...all([302, '/login']), sent: all(400) }],
  'routes/act.$token': [{ at: '/act/none', ...all(404), sent: all(400) }],
  'routes/act.done': [open('/act/done?did=taken')],
  'routes/dashboard.reminders._index': [
    premium('/dashboard/reminders?index', 200, [302, '/dashboard/reminders']),
  ],
  'routes/calendar.$token[.ics]': [{ at: '/calendar/none.ics', ...all(404) }],
  'routes/dashboard.schedule_.calendar-feed': [premium('/dashboard/schedule/calendar-feed', 200, 400)],
  'routes/dashboard.schedule_.calendar-feed_.off': [
    premium('/dashboard/schedule/calendar-feed/off', 200, [302, '/dashboard/schedule/calendar-feed']),
  ],
  'routes/dashboard.reminders.check': [premium('/dashboard/reminders/check', 200, 200)],
  'routes/dashboard.profile_.push': [premium('/dashboard/profile/push', 200, 400)],
  'routes/dashboard.profile_.notifications_.$id.remove': [
    signedIn('/dashboard/profile/notifications/none/remove', 404, 404),
  ],
  'routes/dashboard.reminders.$id': [premium('/dashboard/reminders/rem_none', 404, 400)],
  'routes/dashboard.analytics': [premium('/dashboard/analytics', 200, 400)],
  ...VENDOR_ACCESS,
  'routes/dashboard.analytics_.report': [
    premium('/dashboard/analytics/report', 200),
    premium('/dashboard/analytics/report?start=2026-02-01&end=2026-01-01', 400),
    premium('/dashboard/analytics/report?start=1976-01-01&end=2026-01-01', 400),
  ],
  'routes/dashboard.analytics_.report_.file': [
    premium('/dashboard/analytics/report/file', 200),
    premium('/dashboard/analytics/report/file?start=2026-02-01&end=2026-01-01', 400),
  ],
  'routes/dashboard_.analytics.report.print': [
    premium('/dashboard/analytics/report/print', 200),
    premium('/dashboard/analytics/report/print?start=x', [302, '/dashboard/analytics/report?start=x']),
  ],
  'routes/dashboard.analytics_.report_.shares': [premium('/dashboard/analytics/report/shares', 200, 400)],
  'routes/dashboard.analytics_.report_.shares_.$id.revoke': [
    premium('/dashboard/analytics/report/shares/none/revoke', 404, 404),
  ],
  'routes/share.$token': [{ at: '/share/none', ...all(404) }],
  'routes/dashboard.tracking': [premium('/dashboard/tracking', 200, 400)],
  'routes/dashboard.tracking_.site-choice': [premium('/dashboard/tracking/site-choice', 200, 400)],
  'routes/dashboard.tracking_.nutrition': [premium('/dashboard/tracking/nutrition', 200, 400)],
  'routes/dashboard.tracking_.nutrition_.$id.delete': [
    premium('/dashboard/tracking/nutrition/none/delete', 404, 404),
  ],
  'routes/dashboard.tracking_.health': [premium('/dashboard/tracking/health', 200, 400)],
  'routes/dashboard.tracking_.health_.import': [premium('/dashboard/tracking/health/import', 200, 400)],
  'routes/dashboard.tracking_.health_.measures': [premium('/dashboard/tracking/health/measures', 200, 400)],
  'routes/dashboard.tracking_.health_.$id': [premium('/dashboard/tracking/health/none', 404, 400)],
  'routes/dashboard.tracking_.health_.$id_.delete': [
    premium('/dashboard/tracking/health/none/delete', 404, 404),
  ],
  'routes/dashboard.tracking_.side-effects': [premiumOnly('/dashboard/tracking/side-effects')],
  'routes/dashboard.tracking_.side-effects_.new': [premium('/dashboard/tracking/side-effects/new', 200, 400)],
  'routes/dashboard.tracking_.side-effects_.report': [
    premiumOnly('/dashboard/tracking/side-effects/report'),
    premiumOnly('/dashboard/tracking/side-effects/report?start=2026-02-01&end=2026-01-01', 400),
    premiumOnly('/dashboard/tracking/side-effects/report?start=1976-01-01&end=2026-01-01', 400),
  ],
  'routes/dashboard.tracking_.side-effects_.templates': [
    premium('/dashboard/tracking/side-effects/templates', 200, 400),
  ],
  'routes/dashboard.tracking_.side-effects_.$id': [premiumOnly('/dashboard/tracking/side-effects/none', 404)],
  'routes/dashboard.tracking_.side-effects_.$id_.edit': [
    premium('/dashboard/tracking/side-effects/none/edit', 404, 400),
  ],
  'routes/dashboard.tracking_.side-effects_.$id_.resolve': [
    premium('/dashboard/tracking/side-effects/none/resolve', 404, 404),
  ],
  'routes/dashboard.tracking_.side-effects_.$id_.delete': [
    premium('/dashboard/tracking/side-effects/none/delete', 404, 404),
  ],
  'routes/dashboard.tracking_.side-effects_.$id_.images': [
    premium('/dashboard/tracking/side-effects/none/images', 404, 404),
  ],
  'routes/dashboard.tracking_.side-effects_.$id_.images_.$imageId': [
    premiumOnly('/dashboard/tracking/side-effects/none/images/none', 404),
  ],
  'routes/dashboard.tracking_.side-effects_.$id_.images_.$imageId_.delete': [
    premium('/dashboard/tracking/side-effects/none/images/none/delete', 404, 404),
  ],
  'routes/dashboard.tracking_.sites.$id': [premium('/dashboard/tracking/sites/none', 404, 400)],
  'routes/dashboard.tracking_.sites.$id_.delete': [
    premium('/dashboard/tracking/sites/none/delete', 404, 404),
  ],
  'routes/dashboard.profile_.notifications': [signedIn('/dashboard/profile/notifications', 200, 400)],
  'routes/dashboard.profile_.webhooks': [signedIn('/dashboard/profile/webhooks')],
  'routes/dashboard.profile_.webhooks_.new': [premium('/dashboard/profile/webhooks/new', 200, 400)],
  'routes/dashboard.profile_.webhooks_.$id': [premium('/dashboard/profile/webhooks/none', 404, 404)],
  'routes/dashboard.profile_.webhooks_.$id_.edit': [
    premium('/dashboard/profile/webhooks/none/edit', 404, 404),
  ],
  'routes/dashboard.profile_.webhooks_.$id_.delete': [
    signedIn('/dashboard/profile/webhooks/none/delete', 404, 404),
  ],
  'routes/dashboard.profile_.webhooks_.$id_.secret': [
    premium('/dashboard/profile/webhooks/none/secret', 404, 404),
  ],
  'routes/dashboard.profile_.notifications_.ntfy': [
    premium('/dashboard/profile/notifications/ntfy', 200, 400),
  ],
  'routes/dashboard.profile_.tokens': [signedIn('/dashboard/profile/tokens')],
  'routes/dashboard.profile_.tokens_.new': [signedIn('/dashboard/profile/tokens/new', 200, 400)],
  'routes/dashboard.profile_.tokens_.$id.revoke': [
    signedIn('/dashboard/profile/tokens/none/revoke', 404, 404),
  ],
  'routes/dashboard.profile_.passkeys_.new': [signedIn('/dashboard/profile/passkeys/new', 200, 400)],
  'routes/dashboard.profile_.passkeys_.$id.remove': [
    signedIn('/dashboard/profile/passkeys/none/remove', 404, 404),
  ],
  'routes/dashboard.profile_.identities_.$id.remove': [
    signedIn('/dashboard/profile/identities/none/remove', 404, 404),
  ],
  'routes/dashboard.referrals': [signedIn('/dashboard/referrals', 200, [302, '/dashboard/referrals'])],
  'routes/dashboard.proposals': [signedIn('/dashboard/proposals', 200, 404)],
  'routes/dashboard.ceilings': [signedIn('/dashboard/ceilings', 200, 400)],
  'routes/dashboard.supplies': [signedIn('/dashboard/supplies')],
  'routes/dashboard.supplies_.new': [signedIn('/dashboard/supplies/new', 200, 400)],
  'routes/dashboard.supplies_.$id': [signedIn('/dashboard/supplies/none', 404, 404)],
  'routes/dashboard.supplies_.$id_.delete': [signedIn('/dashboard/supplies/none/delete', 404, 404)],
  'routes/dashboard.lots': [signedIn('/dashboard/lots')],
  'routes/dashboard.lots_.new': [signedIn('/dashboard/lots/new', 200, 400)],
  'routes/dashboard.lots_.$id': [signedIn('/dashboard/lots/none', 404)],
  'routes/dashboard.lots_.$id_.edit': [signedIn('/dashboard/lots/none/edit', 404, 404)],
  'routes/dashboard.lots_.$id_.delete': [signedIn('/dashboard/lots/none/delete', 404, 404)],
  'routes/dashboard.lots_.$id_.doses': [signedIn('/dashboard/lots/none/doses', 404)],
  'routes/dashboard.lots_.$id_.papers': [
    {
      ...signedIn('/dashboard/lots/none/papers', 404),
      sent: { visitor: toSignIn('/dashboard/lots/none/papers'), free: 403, premium: 404 },
    },
  ],
  'routes/dashboard.lots_.$id_.papers_.$paperId': [premiumOnly('/dashboard/lots/none/papers/none', 404)],
  'routes/dashboard.lots_.$id_.papers_.$paperId_.delete': [
    premium('/dashboard/lots/none/papers/none/delete', 404, 404),
  ],
  'routes/dashboard.begin': [
    signedIn('/dashboard/begin', 200, 400),
    {
      ...signedIn('/dashboard/begin?step=plan', 200),
      sent: { visitor: toSignIn('/dashboard/begin?step=plan'), free: 403, premium: 400 },
    },
  ],
  'routes/dashboard.vials': [signedIn('/dashboard/vials')],
  'routes/dashboard.vials_.new': [
    signedIn('/dashboard/vials/new', 200, 400),
    signedIn('/dashboard/vials/new?from=calc_none&template=none'),
  ],
  'routes/dashboard.vials_.$id': [signedIn('/dashboard/vials/vial_none', 404)],
  'routes/dashboard.vials_.$id_.edit': [signedIn('/dashboard/vials/vial_none/edit', 404, 404)],
  'routes/dashboard.vials_.$id_.remaining': [signedIn('/dashboard/vials/vial_none/remaining', 404, 404)],
  'routes/dashboard.vials_.$id_.reconstitute': [
    signedIn('/dashboard/vials/vial_none/reconstitute', 404, 404),
  ],
  'routes/dashboard.vials_.$id_.discard': [signedIn('/dashboard/vials/vial_none/discard', 404, 404)],
  'routes/dashboard.vials_.$id_.delete': [signedIn('/dashboard/vials/vial_none/delete', 404, 404)],
  'routes/dashboard_.vials.$id.card': [signedIn('/dashboard/vials/vial_none/card', 404)],
  'routes/dashboard_.vials.$id.card_.file': [signedIn('/dashboard/vials/vial_none/card/file', 404)],
  'routes/dashboard_.vials.$id.label': [signedIn('/dashboard/vials/vial_none/label', 404)],
  'routes/dashboard.schedule_.all': [premium('/dashboard/schedule/all', 200)],
  'routes/dashboard.schedule_.new': [premium('/dashboard/schedule/new', 200, 400)],
  'routes/dashboard.schedule_.templates': [premium('/dashboard/schedule/templates', 200)],
  'routes/dashboard.schedule_.templates_.$id.delete': [
    premium('/dashboard/schedule/templates/tmpl_none/delete', 404, 404),
  ],
  'routes/dashboard.schedule_.travel': [
    premium('/dashboard/schedule/travel', 200, [302, '/dashboard/schedule/all']),
    premium('/dashboard/schedule/travel?zone=Mars', 400, 400),
  ],
  'routes/dashboard.schedule_.$id_.template': [premium('/dashboard/schedule/sched_none/template', 404, 404)],
  'routes/dashboard.schedule_.$id': [premium('/dashboard/schedule/sched_none', 404)],
  'routes/dashboard.schedule_.$id_.edit': [premium('/dashboard/schedule/sched_none/edit', 404, 404)],
  'routes/dashboard.schedule_.$id_.pause': [premium('/dashboard/schedule/sched_none/pause', 404, 404)],
  'routes/dashboard.schedule_.$id_.pauses': [premium('/dashboard/schedule/sched_none/pauses', 404, 400)],
  'routes/dashboard.schedule_.$id_.swap': [premium('/dashboard/schedule/sched_none/swap', 404, 404)],
  'routes/dashboard.schedule_.$id_.again': [premium('/dashboard/schedule/sched_none/again', 404, 404)],
  'routes/dashboard.schedule_.$id_.take': [premium('/dashboard/schedule/sched_none/take', 404, 404)],
  'routes/dashboard.schedule_.$id_.delete': [premium('/dashboard/schedule/sched_none/delete', 404, 404)],
  'routes/dashboard.schedule._index': [premium('/dashboard/schedule', 200)],
  'routes/dashboard.schedule.adherence': [
    premium('/dashboard/schedule/adherence', 200),
    premium('/dashboard/schedule/adherence?from=2026-03-02&to=2026-03-01', 400),
  ],
  'routes/dashboard.schedule.backfill': [premium('/dashboard/schedule/backfill', 200, 400)],
  'routes/dashboard.schedule.take': [premium('/dashboard/schedule/take', 200, 400)],
  'routes/dashboard.schedule.calendar': [premium('/dashboard/schedule/calendar', 200)],
  'routes/dashboard.schedule.log': [premium('/dashboard/schedule/log', 200, 400)],
  'routes/dashboard.schedule.doses.$id': [premium('/dashboard/schedule/doses/dose_none', 404, 404)],
  'routes/dashboard.schedule.doses.$id_.move': [
    premium('/dashboard/schedule/doses/dose_none/move', 404, 400),
  ],
  'routes/dashboard.$area': [signedIn('/dashboard/nowhere', 404, 404)],
  ...ADMIN_ACCESS,
};
