import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { startSmtp, type SmtpHost } from '../integrations/smtp-host.ts';
import { alerts, control, fieldError, fieldValue, visibleText } from '#tests/support/html.ts';
import { shownInstantInZone } from '#app/domain/time/zoned-time.ts';
import { addStored, readKept, storedIn } from './stored.ts';
import type { WebClient } from './web-client.ts';
import { useOwnWeb } from './web.ts';

/** The forms of a billing issue, without scripts, and a mail to a real mail server. */
let smtp: SmtpHost;
beforeAll(async () => {
  smtp = await startSmtp();
});
const web = useOwnWeb(() => ({ SMTP_URL: `smtp://127.0.0.1:${smtp.port}` }));
afterAll(() => smtp.close());

const ISSUES = '/admin/dashboard/subscriptions/issues';
let made = 0;
let ownerId: string;
let owner: WebClient & { email: string };
let admin: WebClient & { email: string };
beforeAll(async () => {
  owner = await web.user();
  admin = await web.admin();
  const users = await storedIn(web.dataDir, 'users');
  ownerId = String(users.find(({ email }) => email === owner.email)?._id);
});

let issue: string;
let path: string;
beforeEach(async () => {
  made += 1;
  issue = `${ownerId}:in_${made}`;
  path = `${ISSUES}/${encodeURIComponent(issue)}`;
  await addStored(web.dataDir, 'billing_issues', [
    {
      _id: issue,
      userId: ownerId,
      issueId: `in_${made}`,
      type: 'payment_failed',
      amountCents: 3000,
      description: 'A payment for the subscription failed.',
      status: 'open',
      openedAt: new Date(),
      resolvedAt: null,
    } as never,
  ]);
});

const stored = async () => {
  const issues = await storedIn(web.dataDir, 'billing_issues');
  const audit = await storedIn(web.dataDir, 'audit');
  return {
    issue: issues.find(({ _id }) => String(_id) === issue),
    rows: audit
      .filter(({ action }) => String(action).startsWith('billing-issue.'))
      .toSorted((a, b) => Number(a['at']) - Number(b['at'])),
  };
};
const step = (name: string, more: Record<string, string> = {}) => ({
  step: name,
  seen: 'open',
  reason: 'The bank has said so',
  ...more,
});
/** Mails about billing issues; those of registrations may still be on their way. */
const mailsAboutPayments = () =>
  smtp.received.filter(({ raw }) => raw.includes('Subject: About your payment for Vialbook'));
/** What the account's owner sees of it. */
const accessLog = async () => visibleText((await owner.get('/dashboard/profile/access-log')).body);

describe('Mark Resolved', () => {
  it('resolves the issue, says so, and appears in the audit trail and the owner’s access log', async () => {
    const page = visibleText((await admin.get(path)).body);
    for (const text of ['$30.00', owner.email, 'Mark Resolved', 'Escalate', 'Contact User'])
      expect(page).toContain(text);
    const answer = await admin.post(path, step('resolve'));
    expect([answer.status, answer.location]).toEqual([302, path]);
    const after = visibleText((await admin.get(path)).body);
    expect(after).toContain('Issue resolved');
    expect(after).not.toContain('Mark Resolved');
    expect(visibleText((await admin.get(ISSUES)).body)).not.toContain('Contact User');
    const { issue: now, rows } = await stored();
    expect(now).toMatchObject({ status: 'resolved', resolvedAt: expect.any(Date) as Date });
    expect(rows.at(-1)).toMatchObject({
      action: 'billing-issue.resolve',
      subjectId: ownerId,
      before: { issue, status: 'open' },
      after: { issue, status: 'resolved' },
      reason: 'The bank has said so',
    });
    expect(await accessLog()).toContain('Billing issue resolved');
  });

  it('names no amount where no money is concerned', async () => {
    const about = { type: 'card_expired', amountCents: 0, description: 'The card on file expires.' };
    await addStored(web.dataDir, 'billing_issues', [
      {
        _id: `${issue}-card`,
        userId: ownerId,
        issueId: `card_${made}`,
        ...about,
        status: 'open',
        openedAt: new Date(),
        resolvedAt: null,
      } as never,
    ]);
    const list = visibleText((await admin.get(ISSUES)).body);
    expect(list).toContain('Card expired');
    expect(list).not.toContain('Card expired, $');
    expect(visibleText((await admin.get(`${path}-card`)).body)).not.toContain('$0.00');
  });

  it('works from the list, and returns to it', async () => {
    const list = (await admin.get(ISSUES)).body;
    expect(list).toContain(`href="${path}/contact"`);
    expect(list).toContain(`action="${path}"`);
    expect(control(list, 'list')).toMatchObject({ type: 'hidden', value: 'open' });
    const answer = await admin.post(path, step('resolve', { list: 'open' }));
    expect([answer.status, answer.location]).toEqual([302, `${ISSUES}?status=open`]);
    const { issue: now } = await stored();
    expect(now).toMatchObject({ status: 'resolved' });
    const resolved = shownInstantInZone(now?.['resolvedAt'] as Date, 'UTC');
    expect(visibleText((await admin.get(`${ISSUES}?status=resolved`)).body)).toContain(
      `resolved ${resolved}.`,
    );
    expect((await admin.get(ISSUES)).body).not.toContain(`action="${path}"`);
  });

  it.each([
    ['no reason', { reason: ' ' }, 'reason'],
    ['a reason too long', { reason: 'x'.repeat(501) }, 'reason'],
  ])('shows an error for %s at its field, and keeps what was typed', async (_, wrong, field) => {
    const answer = await admin.post(path, step('resolve', wrong));
    expect(answer.status).toBe(400);
    expect(fieldError(answer.body, field)).toEqual(expect.any(String));
    expect(fieldValue(answer.body, field)).toBe(wrong.reason);
    expect((await stored()).issue).toMatchObject({ status: 'open' });
  });

  it.each([
    ['an unknown step', { step: 'forgive' }],
    ['no step', { step: '' }],
    ['a state that there is not', { seen: '{"$ne":""}' }],
  ])('changes nothing for %s', async (_, wrong) => {
    const before = await readKept(web.dataDir);
    const answer = await admin.post(path, step('resolve', wrong));
    expect(answer.status).toBe(400);
    expect(alerts(answer.body)).toHaveLength(1);
    expect(await readKept(web.dataDir)).toEqual(before);
  });

  it('fails for the second of two administrators, and from an outdated page', async () => {
    const other = await web.admin();
    const both = await Promise.all([
      admin.post(path, step('resolve')),
      other.post(path, step('resolve', { reason: 'I was here, too' })),
    ]);
    expect(both.map(({ status }) => status).sort()).toEqual([302, 409]);
    const second = both.find(({ status }) => status === 409);
    expect(alerts(second?.body ?? '')).toEqual([
      'Someone else has changed this issue. Please check it again.',
    ]);
    expect((await admin.post(path, step('escalate'))).status).toBe(409);
    const { issue: now, rows } = await stored();
    expect(now).toMatchObject({ status: 'resolved' });
    expect(rows.filter(({ after }) => (after as { issue: string }).issue === issue)).toHaveLength(1);
  });
});

describe('Escalate', () => {
  it('escalates the issue once, and it can still be resolved', async () => {
    expect((await admin.post(path, step('escalate'))).location).toBe(path);
    const escalated = await admin.get(`${ISSUES}?status=escalated`);
    expect(escalated.body).toContain(path);
    const page = visibleText((await admin.get(path)).body);
    expect(page).toContain('Mark Resolved');
    expect(page).not.toContain('Escalate ');
    const again = await admin.post(path, step('escalate'));
    expect([again.status, alerts(again.body)]).toEqual([
      409,
      ['Someone else has changed this issue. Please check it again.'],
    ]);
    expect((await admin.post(path, step('resolve', { seen: 'escalated' }))).status).toBe(302);
    const { issue: now, rows } = await stored();
    expect(now).toMatchObject({ status: 'resolved' });
    expect(rows.slice(-2).map(({ action }) => String(action))).toEqual([
      'billing-issue.escalate',
      'billing-issue.resolve',
    ]);
    expect(await accessLog()).toContain('Billing issue escalated');
  });
});

describe('Contact User', () => {
  const note = 'We tried twice.';

  it('sends the previewed mail to the issue’s owner, and lists it in the owner’s access log', async () => {
    const preview = await admin.get(
      `${path}/contact?template=payment_failed&note=${encodeURIComponent(note)}`,
    );
    const shown = visibleText(preview.body);
    for (const text of [owner.email, 'About your payment for Vialbook', '$30.00', note])
      expect(shown).toContain(text);
    const form = {
      template: fieldValue(preview.body, 'template') ?? 'payment_failed',
      note,
      saveKey: fieldValue(preview.body, 'saveKey') ?? 'none',
    };
    // Submitted three times, it sends one mail.
    const answers = await Promise.all([1, 2].map(() => admin.post(`${path}/contact`, form)));
    for (const { status, location } of [...answers, await admin.post(`${path}/contact`, form)])
      expect([status, location]).toEqual([302, path]);
    await expect.poll(() => mailsAboutPayments().length).toBe(1);
    const [mail] = mailsAboutPayments();
    expect(mail?.to).toEqual([owner.email]);
    const raw = (mail?.raw ?? '').replace(/=\r?\n/g, '');
    expect(raw).toContain('Subject: About your payment for Vialbook');
    expect(raw).toContain('$30.00');
    expect(raw).toContain(note);
    expect(visibleText((await admin.get(path)).body)).toContain('Mail sent');
    expect((await stored()).rows.at(-1)).toMatchObject({
      action: 'billing-issue.contact',
      subjectId: ownerId,
      after: { issue, template: 'payment_failed', subject: 'About your payment for Vialbook' },
    });
    expect(await accessLog()).toContain('Billing issue email sent');
    expect(
      (await stored()).rows.filter(({ after }) => (after as { issue: string }).issue === issue),
    ).toHaveLength(1);
    expect(mailsAboutPayments().length).toBe(1);
  });

  it('sends nothing for an unknown template or a note that is too long', async () => {
    const [mails, before] = [mailsAboutPayments().length, await readKept(web.dataDir)];
    const wrong = await admin.post(`${path}/contact`, { template: 'flattery', note });
    expect([wrong.status, fieldError(wrong.body, 'template')]).toEqual([400, 'Choose a template']);
    const long = await admin.post(`${path}/contact`, {
      template: 'dispute',
      note: 'x'.repeat(2001),
    });
    expect(long.status).toBe(400);
    expect(fieldError(long.body, 'note')).toBe('The note must be at most 2000 characters');
    expect((await admin.get(`${path}/contact?template=flattery`)).status).toBe(400);
    expect(await readKept(web.dataDir)).toEqual(before);
    expect(mailsAboutPayments().length).toBe(mails);
  });
});

describe('the forms of a billing issue', () => {
  const forms = () => [
    [path, step('resolve')] as const,
    [path, step('escalate')] as const,
    [`${path}/contact`, { template: 'payment_failed', note: 'hello' }] as const,
  ];

  it('are refused from other sites with 403, and lead everyone else to the admin sign-in', async () => {
    const [mails, before] = [mailsAboutPayments().length, await readKept(web.dataDir)];
    for (const [to, form] of forms()) {
      for (const origin of ['https://evil.example', 'null'])
        expect((await admin.post(to, form, { origin })).status, to).toBe(403);
      for (const client of [owner, web.visitor()]) {
        const { status, location } = await client.post(to, form);
        expect([status, location?.split('?')[0]], to).toEqual([302, '/admin/login']);
      }
      const forged = web.visitor();
      forged.cookies.set('vialbook_session', 'eyJyb2xlIjoiYWRtaW4ifQ%3D%3D.forged');
      expect((await forged.post(to, form)).location?.split('?')[0], to).toBe('/admin/login');
    }
    expect(await readKept(web.dataDir)).toEqual(before);
    expect(mailsAboutPayments().length).toBe(mails);
  });

  it('are 404 for an unknown issue', async () => {
    const none = `${ISSUES}/${encodeURIComponent(`${ownerId}:none`)}`;
    for (const [to, form] of forms())
      expect((await admin.post(to.replace(path, none), form)).status, to).toBe(404);
  });
});
