import { type MailText, type Site, writeLetter, LINKS } from '#app/domain/mail/letter.ts';

/** The contents of a reminder's mail. */
export interface ReminderMail extends Site {
  /** The subject. */
  title: string;
  message: string;
  /** Secret of the link to log the dose; null when the reminder is not about a dose. */
  token: string | null;
  /** How many doses it is about. */
  doses: number;
}

/** What the link of a reminder offers. */
export function linkLabel(token: string | null, doses: number): string {
  if (token === null) return 'Open your reminders';
  return doses > 1 ? 'Take all, or look' : 'Log, skip or snooze';
}

/** The mail of a reminder. In discreet mode title and message come without names and amounts. */
export function reminderMail({ title, message, token, doses, ...site }: ReminderMail): MailText {
  const act =
    token === null
      ? { kind: 'link' as const, label: linkLabel(token, doses), url: LINKS.reminders(site) }
      : { kind: 'link' as const, label: linkLabel(token, doses), url: LINKS.act(site, token) };
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
