import type { MailText, Site } from '#app/domain/mail/letter.ts';
import { LINKS } from '#app/domain/mail/mail-links.ts';
import { momentText, type Moment } from '#app/domain/mail/mail-dates.ts';
import { NOT_YOU, SECURITY_REASON } from '#app/domain/mail/mail-reasons.ts';
import { writeLetter } from '#app/domain/mail/write-mail.ts';

/** The link to a new password. Also says what to do when nobody asked for it. */
export function passwordResetMail(data: Site & { token: string; validMinutes: number }): MailText {
  return writeLetter(
    {
      subject: 'Reset your Vialbook password',
      blocks: [
        'Somebody, probably you, asked to reset the password of the Vialbook account with this address.',
        { kind: 'link', label: 'Choose a new password', url: LINKS.resetPassword(data, data.token) },
        `The link works once and for ${data.validMinutes} minutes. Choosing a new password signs out every device.`,
        'If you did not ask for this, you need not do anything: the password stays as it is.',
      ],
      reason: 'You get this mail because a password reset was asked for with your address.',
    },
    data,
  );
}

/** Tells the owner that the password is another one now. */
export function passwordChangedMail(data: Site & Moment): MailText {
  return writeLetter(
    {
      subject: 'Your Vialbook password was changed',
      blocks: [
        `The password of your account was changed on ${momentText(data)}. Other devices were signed out.`,
        NOT_YOU,
        { kind: 'link', label: 'Reset the password', url: LINKS.forgotPassword(data) },
      ],
      reason: SECURITY_REASON,
    },
    data,
  );
}
