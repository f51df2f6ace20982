import type { MailText, Site } from '#app/domain/mail/letter.ts';
import { LINKS } from '#app/domain/mail/mail-links.ts';
import { dayText, momentText, type Moment } from '#app/domain/mail/mail-dates.ts';
import { ACCOUNT_REASON, NOTHING_DELETED, SECURITY_REASON } from '#app/domain/mail/mail-reasons.ts';
import { writeLetter } from '#app/domain/mail/write-mail.ts';

/** The account will be deleted. @param data.at when */
export function deletionScheduledMail(data: Site & Moment): MailText {
  return writeLetter(
    {
      subject: 'Your Vialbook account will be deleted',
      blocks: [
        `As you asked, your account and everything in it will be deleted on ${momentText(data)}. A running subscription ends then, too.`,
        'Until then you can sign in, download your data, or keep the account after all.',
        { kind: 'link', label: 'Keep the account', url: LINKS.profile(data) },
        'If you did not ask for this, sign in, keep the account, and change your password.',
      ],
      reason: SECURITY_REASON,
    },
    data,
  );
}

/** The deletion was called off. */
export function deletionCancelledMail(data: Site): MailText {
  return writeLetter(
    {
      subject: 'Your Vialbook account stays',
      blocks: [
        'The deletion of your account was called off. Everything is as it was.',
        { kind: 'link', label: 'Open your profile', url: LINKS.profile(data) },
      ],
      reason: SECURITY_REASON,
    },
    data,
  );
}

/** The account is gone; the last mail to its address. */
export function accountDeletedMail(data: Site): MailText {
  return writeLetter(
    {
      subject: 'Your Vialbook account was deleted',
      blocks: [
        'Your account and everything in it were deleted, as you asked. This cannot be undone.',
        'This is the last mail to this address.',
      ],
      reason: 'You get this mail because you had a Vialbook account.',
    },
    data,
  );
}

/** The account was suspended. The reason is for support to tell, not for a mailbox. */
export function suspendedMail(data: Site): MailText {
  return writeLetter(
    {
      subject: 'Your Vialbook account is suspended',
      blocks: [
        'This account is suspended. Contact support.',
        'All devices were signed out, and a running subscription was ended. Your data is kept.',
      ],
      reason: ACCOUNT_REASON,
    },
    data,
  );
}

/** The suspension was lifted. */
export function reinstatedMail(data: Site): MailText {
  return writeLetter(
    {
      subject: 'Your Vialbook account is open again',
      blocks: [
        'The suspension of your account was lifted. You can sign in again.',
        'A subscription that ended with the suspension does not come back by itself.',
        { kind: 'link', label: 'See the plans', url: LINKS.upgrade(data) },
      ],
      reason: ACCOUNT_REASON,
    },
    data,
  );
}

/** The free trial is about to end. @param data.at when */
export function trialEndingMail(data: Site & Moment): MailText {
  return writeLetter(
    {
      subject: `Your trial ends on ${dayText(data)}`,
      blocks: [
        `Your free trial of Premium ends on ${momentText(data)}. No card is on file and nothing will be charged.`,
        NOTHING_DELETED,
        { kind: 'link', label: 'Go on with Premium', url: LINKS.upgrade(data) },
      ],
      reason: ACCOUNT_REASON,
    },
    data,
  );
}

/** Premium was earned by a referral. @param data.at until when there is credit now @param data.days how many were added */
export function referralCreditedMail(data: Site & Moment & { days: number }): MailText {
  return writeLetter(
    {
      subject: `${data.days} days of Premium for a referral`,
      blocks: [
        `A referral brought you ${data.days} days of Premium. Your credit now runs until ${dayText(data)}.`,
        { kind: 'link', label: 'See your referrals', url: LINKS.referrals(data) },
      ],
      reason: ACCOUNT_REASON,
    },
    data,
  );
}
