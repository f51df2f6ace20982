import { type MailText, type Site, writeLetter } from '#app/domain/mail/letter.ts';
import { LINKS } from '#app/domain/mail/mail-phrases.ts';

/** What a reminder's mail is made of. */
export interface ReminderMail extends Site {
  /** Heading: the subject. */
  title: string;
  message: string;
  /** Secret of the link by which something can be done about a dose; null when it is about something else. */
  token: string | null;
}

/** A reminder. In discreet mode its words come without names and amounts. */
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
      reason: 'You get this mail because you turned on email reminders.',
    },
    site,
  );
}
