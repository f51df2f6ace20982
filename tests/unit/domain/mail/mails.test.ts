import { describe, expect, it } from 'vitest';
import * as accountMails from '#app/domain/accounts/account-mails.ts';
import * as securityMails from '#app/domain/accounts/account-mails.ts';
import * as billingMails from '#app/domain/billing/billing-mails.ts';
import * as referralMails from '#app/domain/referrals/referral.ts';
import { oneLine } from '#app/domain/mail/letter.ts';
import * as reminderMails from '#app/domain/reminders/reminder-mails.ts';

const mails = {
  ...accountMails,
  ...securityMails,
  ...referralMails,
  ...billingMails,
  ...reminderMails,
};

const site = { appUrl: 'https://vialbook.example' };
const moment = { at: new Date('2026-03-01T12:05:00Z'), timeZone: 'Europe/Berlin' };

/** Every mail, with hostile input wherever user input can appear. */
const HOSTILE = '<img src=x onerror=alert(1)>"\'&\r\nBcc: eve@example.org';
const all = {
  passwordReset: mails.passwordResetMail({ ...site, token: 'a/b?c', validMinutes: 30 }),
  invitation: mails.invitationMail({ ...site, token: 'a/b?c', validDays: 7 }),
  passwordChanged: mails.passwordChangedMail({ ...site, ...moment }),
  emailConfirmation: mails.emailConfirmationMail({ ...site, token: 't0k', validHours: 48, isSelling: true }),
  emailConfirm: mails.emailConfirmMail({ ...site, token: 't0k', validMinutes: 60 }),
  emailChangeAsked: mails.emailChangeAskedMail({ ...site, ...moment }),
  emailChanged: mails.emailChangedMail({ ...site, ...moment }),
  newSignIn: mails.newSignInMail({ ...site, ...moment, browser: HOSTILE, address: HOSTILE }),
  secondFactorOn: mails.secondFactorOnMail({ ...site, ...moment }),
  secondFactorOff: mails.secondFactorOffMail({ ...site, ...moment }),
  recoveryCodeUsed: mails.recoveryCodeUsedMail({ ...site, ...moment, left: 2 }),
  recoveryCodesCreated: mails.recoveryCodesCreatedMail({ ...site, ...moment }),
  passkeyAdded: mails.passkeyAddedMail({ ...site, ...moment, name: HOSTILE }),
  passkeyRemoved: mails.passkeyRemovedMail({ ...site, ...moment, name: HOSTILE }),
  passkeyCopied: mails.passkeyCopiedMail({ ...site, ...moment, name: HOSTILE }),
  identityLinked: mails.identityLinkedMail({ ...site, ...moment, name: HOSTILE }),
  identityUnlinked: mails.identityUnlinkedMail({ ...site, ...moment, name: HOSTILE }),
  apiTokenCreated: mails.apiTokenCreatedMail({ ...site, ...moment, name: HOSTILE, scope: 'write' }),
  outgoingChannel: mails.outgoingChannelMail({ ...site, ...moment, channel: { kind: 'push', to: HOSTILE } }),
  deletionScheduled: mails.deletionScheduledMail({ ...site, ...moment, isSelling: true }),
  deletionCancelled: mails.deletionCancelledMail(site),
  accountDeleted: mails.accountDeletedMail(site),
  referralCredited: mails.referralCreditedMail({ ...site, ...moment, days: 30 }),
  subscriptionStarted: mails.subscriptionStartedMail({ ...site, ...moment, plan: 'yearly' }),
  paymentFailed: mails.paymentFailedMail({ ...site, ...moment, amountCents: 500 }),
  paymentRecovered: mails.paymentRecoveredMail(site),
  cancellationScheduled: mails.cancellationScheduledMail({ ...site, ...moment }),
  subscriptionEnded: mails.subscriptionEndedMail(site),
  cardExpiring: mails.cardExpiringMail({ ...site, last4: HOSTILE, expMonth: 4, expYear: 2027 }),
  issue: mails.issueMail({ ...site, template: 'dispute', amountCents: 500, note: HOSTILE }),
  reminder: mails.reminderMail({ ...site, title: HOSTILE, message: HOSTILE, token: 'a/b?c', doses: 2 }),
};
const each = Object.entries(all);

/** The text that a reader of the HTML part sees. */
function wordsOfHtml(html: string): string {
  const body = html.slice(html.indexOf('<body'));
  const text = body.replace(/<[^>]*>/g, ' ');
  const entities: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'" };
  return text.replace(/&([a-z#0-9]+);/g, (_, name: string) => entities[name] ?? '?');
}

const words = (text: string) => text.split(/[\s:]+/).filter((word) => word !== '' && word !== '--');

describe('mails', () => {
  it('are all tested here', () => {
    const made = Object.keys(mails).filter((name) => name.endsWith('Mail'));
    expect(
      Object.keys(all)
        .map((name) => `${name}Mail`)
        .toSorted(),
    ).toEqual(made.toSorted());
  });

  it.each(each)('%s says the same in text and in HTML', (_name, { text, html }) => {
    expect(words(wordsOfHtml(html))).toEqual(words(text));
  });

  it.each(each)('%s links only to this site, and loads nothing', (_name, { text, html }) => {
    for (const url of `${text}\n${html}`.match(/https?:[^\s"<]*/g) ?? []) {
      expect(new URL(url).origin).toBe(site.appUrl);
    }
    expect(html).not.toMatch(/<(img|script|link|iframe|form|object|style)\b|url\(|@import/i);
  });

  it.each(each)('%s has a one-line subject, and says why it was sent', (_name, { subject, text }) => {
    expect(subject).toMatch(/^[^\r\n]{5,100}$/);
    expect(text).toContain('You received this mail because');
  });

  it.each(each)('%s shows user input as plain text', (_name, { html, text }) => {
    expect(html).not.toContain('<img');
    if (text.includes('<img')) expect(html).toContain('&lt;img src=x onerror=alert(1)&gt;&quot;');
  });

  it('keep a name on one line', () => {
    for (const name of ['apiTokenCreated', 'passkeyAdded', 'newSignIn', 'cardExpiring'] as const)
      expect(all[name].text, name).not.toMatch(/^\s*Bcc:/m);
  });

  it('put the token into the path, escaped', () => {
    expect(all.passwordReset.text).toContain('https://vialbook.example/reset-password/a%2Fb%3Fc\n');
    expect(all.emailConfirm.html).toContain('href="https://vialbook.example/confirm-email/t0k"');
  });

  it('show times in the reader’s time zone and amounts in dollars', () => {
    expect(all.passwordChanged.text).toContain('1 March 2026, 13:05 (Europe/Berlin)');
    expect(all.paymentFailed.text).toContain('could not charge $5.00');
    expect(all.subscriptionStarted.text).toContain('Price: $30.00 a year');
    expect(all.cardExpiring.text).toContain('end of 04/2027');
  });

  it('warn when recovery codes run out', () => {
    expect(all.recoveryCodeUsed.text).toContain('You have 2 recovery codes left.');
    expect(mails.recoveryCodeUsedMail({ ...site, ...moment, left: 1 }).text).toContain(
      'You have 1 recovery code left.',
    );
    expect(mails.recoveryCodeUsedMail({ ...site, ...moment, left: 9 }).text).not.toContain('run out');
  });

  it('never name the new address to the old mailbox', () => {
    expect(all.emailChangeAsked.text).not.toContain('@');
  });
});

describe('user input in a mail', () => {
  it('is cut to one line of limited length', () => {
    expect(oneLine(' a\r\n\tb\u2028c\u0000 ')).toBe('a b c');
    expect(oneLine('x'.repeat(300))).toHaveLength(200);
    expect(oneLine('😀😀😀', 2)).toBe('😀…');
  });
});
