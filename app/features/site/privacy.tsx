import type { StoredLine } from '#app/domain/site/stored-data.ts';
import { useSite } from '#app/ui/site.ts';
import { LegalPage, type LegalSection } from './legal-page.tsx';

/** Everything that is stored, generated from the list of collections and fields. */
function StoredList({ lines }: { lines: readonly StoredLine[] }) {
  return (
    <dl>
      {lines.map(({ title, what, kept, isHealth }) => (
        <div key={title} className="mt-4">
          <dt className="font-semibold">{isHealth ? `${title} (health data)` : title}</dt>
          <dd>{what}</dd>
          <dd className="text-sm text-soft">{`Kept: ${kept}`}</dd>
        </div>
      ))}
    </dl>
  );
}

const sections = (stored: readonly StoredLine[], isSelling: boolean): readonly LegalSection[] => [
  {
    id: 'without-account',
    title: 'Without an account',
    paragraphs: [
      'The public calculator stores nothing. What you type becomes part of the result’s address, so that you can bookmark it; whether you share that address is up to you.',
      'The server logs each request: time, path without the values you typed, status and duration. Logs help us find faults and are kept for a short time.',
    ],
  },
  {
    id: 'with-account',
    title: 'With an account',
    paragraphs: [
      'We keep what an account needs and what you choose to save, nothing else. What you record about doses, injections, side effects and your body is health data. It is stored for you alone, because you consent by entering it, and you can withdraw that consent at any time by deleting it.',
      ...(isSelling
        ? [
            'If you registered with someone’s link, we store whose it was so that both of you get your days of Premium. They see the date and whether it was credited, never who you are.',
          ]
        : []),
      'If you leave your address to hear about the demo, we store it, with the time, for that one message.',
    ],
  },
  {
    id: 'stored',
    title: 'What is stored, and for how long',
    paragraphs: [
      'This list is generated from the description of the database itself, so it is complete. Everything here is deleted 48 hours after you ask us to delete your account, unless it says otherwise.',
    ],
    more: <StoredList lines={stored} />,
  },
  {
    id: 'beside',
    title: 'Outside the database',
    paragraphs: [
      'Emails to you go through the operator’s email service. On a server without one they are stored as files, which are deleted with your account.',
      'The server log that administrators can read names no address and no account, and is kept for 14 days. To limit attempts, we count them under hashed names for up to an hour.',
      'Backups contain what the database contained when they were made. The operator of this server decides how they are protected and how long they are kept, and tells you.',
    ],
  },
  {
    id: 'cookies',
    title: 'Cookies',
    paragraphs: [
      'We use seven cookies, all of them necessary and our own. One keeps you signed in. One lasts ten minutes, between the two steps of a two-step sign-in. One carries a short message from one page to the next. One keeps what you filled in, encrypted, for half an hour if your session ended before you sent a form. One records for a year that this browser has signed in to your account before, so that strangers guessing your password cannot lock you out. One keeps your email address for the sign-in form if you ticked “Remember me”, until you sign out. One remembers for half a year that you did not want to install the app. There is no advertising, no analytics service, no tracker, and nothing is loaded from other sites.',
    ],
  },
  {
    id: 'device',
    title: 'On your device',
    paragraphs: [
      'While you are signed in, your browser stores the latest copy of your vials, doses, schedules and calculations, and anything you enter without a connection, so that you can work offline. All of it is encrypted with a key that belongs to this session, and is removed when you sign out.',
    ],
  },
  {
    id: 'who-sees',
    title: 'Who sees it',
    paragraphs: [
      `You. Administrators can see your email address${isSelling ? ', plan' : ''} and account status when they need to; every time they view or change your account, it is recorded. We never sell or rent your data.`,
      ...(isSelling
        ? [
            'Payments are handled by a card payment provider, which receives only what a payment requires. Card numbers never reach our server.',
          ]
        : []),
    ],
  },
  {
    id: 'where',
    title: 'Where it is stored',
    paragraphs: [
      'In the database of the server you are using. The operator of that server is responsible for it and answers questions about it.',
    ],
  },
  {
    id: 'breach',
    title: 'If something goes wrong',
    paragraphs: [
      'If someone gains unauthorised access to data, or data is lost, the operator of this server informs the supervisory authority within 72 hours and, if it may harm you, tells you by email without delay: what happened, which kinds of your data are affected, what has been done, and what you can do. The program shows the operator which accounts and which kinds of data were affected in a given period.',
    ],
  },
  {
    id: 'rights',
    title: 'Your rights',
    paragraphs: [
      `In your profile you can download everything we hold about you as one file, see who viewed or changed your account, correct your data, and delete your account. 48 hours later everything is deleted except the records of who did what to the account${isSelling ? ' and what was paid' : ''}, which then name nobody. For anything you cannot do there yourself, write to support from the email address of your account.`,
    ],
  },
];

export function Privacy({ stored }: { stored: readonly StoredLine[] }) {
  const { isSelling } = useSite();
  return (
    <LegalPage
      title="Privacy Policy"
      since="22 November 2026"
      intro="In short: we keep what you save and what an account needs, show it to nobody else, and track nothing."
      sections={sections(stored, isSelling)}
    />
  );
}
