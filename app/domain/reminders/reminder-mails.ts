import { type MailText, type Site, writeLetter, LINKS } from '#app/domain/mail/letter.ts';

/** The contents of a reminder's mail. */
export interface ReminderMail extends Site {
  /** The subject. */
  title: string;
  message: string;
  /** Secret of the link to log the dose; null when the reminder is not about a dose. */
  token: string | null;
}

/** The mail of a reminder. In discreet mode title and message come without names and amounts. */
export function reminderMail({ title, message, token, ...site }: ReminderMail): MailText {
  const act =
    token === null
      ? { kind: 'link' as const, label: 'Open your reminders', url: LINKS.reminders(site) }
      : { kind: 'link' as const, label: 'Log, skip or snooze', url: LINKS.act(site, token) };
  return writeLetter(
    {
      subject: title,
      blocks: [
        message,
        act,
        ...(token === null
          ? []
          : ['The link works once, for 24 hours, and asks you to confirm before it changes anything.']),
        { kind: 'link', label: 'Change your notification settings', url: LINKS.notifications(site) },
      ],
      reason: 'You received this mail because you turned on email reminders.',
    },
    site,
  );
}
