import {
  writeLetter,
  type MailText,
  type Site,
  LINKS,
  momentText,
  SECURITY_REASON,
  type Moment,
} from '#app/domain/mail/letter.ts';

/** The account will be deleted. @param data.at when */
export function deletionScheduledMail(data: Site & Moment): MailText {
  return writeLetter(
    {
      subject: 'Your Vialbook account will be deleted',
      blocks: [
        `As you asked, your account and everything in it will be deleted on ${momentText(data)}. A running subscription ends then as well.`,
        'Until then you can still sign in, download your data, or decide to keep the account.',
        { kind: 'link', label: 'Keep the account', url: LINKS.profile(data) },
        'If you did not ask for this, sign in, choose “Keep the account”, and change your password.',
      ],
      reason: SECURITY_REASON,
    },
    data,
  );
}

/** The deletion was cancelled. */
export function deletionCancelledMail(data: Site): MailText {
  return writeLetter(
    {
      subject: 'Your Vialbook account will not be deleted',
      blocks: [
        'The deletion of your account was cancelled. Nothing has changed.',
        { kind: 'link', label: 'Open your profile', url: LINKS.profile(data) },
      ],
      reason: SECURITY_REASON,
    },
    data,
  );
}

/** The account was deleted: the last mail to its address. */
export function accountDeletedMail(data: Site): MailText {
  return writeLetter(
    {
      subject: 'Your Vialbook account was deleted',
      blocks: [
        'As you asked, your account and everything in it were deleted. This cannot be undone.',
        'This is the last mail we send to this address.',
      ],
      reason: 'You get this mail because you had a Vialbook account.',
    },
    data,
  );
}
