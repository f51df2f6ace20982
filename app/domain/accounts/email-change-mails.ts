import type { MailText, Site } from '#app/domain/mail/letter.ts';
import { LINKS } from '#app/domain/mail/mail-links.ts';
import { momentText, type Moment } from '#app/domain/mail/mail-dates.ts';
import { NOT_YOU, SECURITY_REASON } from '#app/domain/mail/mail-reasons.ts';
import { writeLetter } from '#app/domain/mail/write-mail.ts';

/** To the new address: confirms that it can be read. */
export function emailConfirmMail(data: Site & { token: string; validMinutes: number }): MailText {
  return writeLetter(
    {
      subject: 'Confirm your new address for Vialbook',
      blocks: [
        'Somebody, probably you, asked to use this address for their Vialbook account.',
        { kind: 'link', label: 'Confirm this address', url: LINKS.confirmEmail(data, data.token) },
        `The link works once and for ${data.validMinutes} minutes. Until then the account keeps its old address.`,
        'If you did not ask for this, you need not do anything.',
      ],
      reason: 'You get this mail because somebody entered your address in their Vialbook profile.',
    },
    data,
  );
}

/** To the old address: a change was asked for. The new address is not named, this mailbox may be lost. */
export function emailChangeAskedMail(data: Site & Moment): MailText {
  return writeLetter(
    {
      subject: 'A new address was asked for your Vialbook account',
      blocks: [
        `On ${momentText(data)} somebody signed in to your account asked to change its address. It changes once the new one is confirmed.`,
        NOT_YOU,
        { kind: 'link', label: 'Reset the password', url: LINKS.forgotPassword(data) },
      ],
      reason: SECURITY_REASON,
    },
    data,
  );
}

/** To the old address: it is the account's no more. */
export function emailChangedMail(data: Site & Moment): MailText {
  return writeLetter(
    {
      subject: 'The address of your Vialbook account was changed',
      blocks: [
        `Since ${momentText(data)} your account has another address. Mails go there, and this one no longer signs in.`,
        'If this was not you, contact support at once: a password reset with this address no longer reaches the account.',
      ],
      reason: SECURITY_REASON,
    },
    data,
  );
}
