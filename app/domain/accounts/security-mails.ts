import type { ApiTokenScope } from './api-token.ts';
import type { MailText, Site } from '#app/domain/mail/letter.ts';
import { LINKS } from '#app/domain/mail/mail-links.ts';
import { momentText, type Moment } from '#app/domain/mail/mail-dates.ts';
import { oneLine } from '#app/domain/mail/plain-text.ts';
import { NOT_YOU, SECURITY_REASON } from '#app/domain/mail/mail-reasons.ts';
import { writeLetter } from '#app/domain/mail/write-mail.ts';

function notice(site: Site, subject: string, happened: readonly string[]): MailText {
  return writeLetter(
    {
      subject,
      blocks: [...happened, NOT_YOU, { kind: 'link', label: 'Open your profile', url: LINKS.profile(site) }],
      reason: SECURITY_REASON,
    },
    site,
  );
}

/** The second factor was switched on. */
export function secondFactorOnMail(data: Site & Moment): MailText {
  return notice(data, 'Two-step sign-in is on', [
    `Two-step sign-in was switched on for your account on ${momentText(data)}.`,
    'From now on signing in asks for a code of your authenticator app. Keep the recovery codes where you find them without your phone.',
  ]);
}

/** The second factor was switched off. */
export function secondFactorOffMail(data: Site & Moment): MailText {
  return notice(data, 'Two-step sign-in is off', [
    `Two-step sign-in was switched off for your account on ${momentText(data)}. The password alone signs in again.`,
  ]);
}

/** A recovery code was used. @param data.left how many are left */
export function recoveryCodeUsedMail(data: Site & Moment & { left: number }): MailText {
  const left = data.left === 1 ? '1 recovery code is' : `${data.left} recovery codes are`;
  return notice(data, 'A recovery code was used', [
    `A recovery code was used to sign in to your account on ${momentText(data)}. ${left} left.`,
    ...(data.left <= 3 ? ['Make new ones in your profile before you run out.'] : []),
  ]);
}

/** New recovery codes replaced the old ones. */
export function recoveryCodesMadeMail(data: Site & Moment): MailText {
  return notice(data, 'New recovery codes were made', [
    `New recovery codes were made for your account on ${momentText(data)}. The old ones no longer work.`,
  ]);
}

/** An API token was made. @param data.name as its owner called it */
export function apiTokenMadeMail(data: Site & Moment & { name: string; scope: ApiTokenScope }): MailText {
  const may = data.scope === 'write' ? 'read and write' : 'read';
  return notice(data, 'An API token was made', [
    `An API token named “${oneLine(data.name, 60)}” was made for your account on ${momentText(data)}. Whoever has it can ${may} your data.`,
  ]);
}
