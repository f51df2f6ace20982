import type { StoredLine } from '#app/domain/site/stored-data.ts';
import { LegalPage, type LegalSection } from './legal-page.tsx';

/** Everything that is stored, made from the list of collections and fields. */
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

const sections = (stored: readonly StoredLine[]): readonly LegalSection[] => [
  {
    id: 'without-account',
    title: 'Without an account',
    paragraphs: [
      'The public calculator keeps nothing. What you type becomes part of the result’s address, so that you can bookmark it; whether you share that address is up to you.',
      'The server logs each request: time, path without the values you typed, status and duration. Logs help us find faults and are kept for a short time.',
    ],
  },
  {
    id: 'with-account',
    title: 'With an account',
    paragraphs: [
      'We keep what an account needs and what you choose to save, nothing else. What you write down about doses, injections, side effects and your body is data about your health: it is stored for you alone, because you ask us to by entering it, and you can take that back at any time by deleting it.',
      'If you registered with somebody’s link, we keep whose it was so that both of you get your days. They see the date and whether it was credited, never who you are.',
      'If you leave your address to hear about the demo, we keep it, with the time, for that one message.',
    ],
  },
  {
    id: 'stored',
    title: 'What is stored, and for how long',
    paragraphs: [
      'This list is made from the description of the database itself, so it is complete. Anything here goes 48 hours after you ask for your account to be deleted, unless it says otherwise.',
    ],
    more: <StoredList lines={stored} />,
  },
  {
    id: 'beside',
    title: 'Beside the database',
    paragraphs: [
      'Mails that we send you pass through the operator’s mail service. On a server without one they are files, which go with your account.',
      'The log of the server names no address and no account where administrators read it, and is kept there for 14 days. Limits on attempts are counted under hashed names for up to an hour.',
      'Backups hold what the database held when they were made. How they are protected, and how long they are kept, the operator of this server decides and tells you.',
    ],
  },
  {
    id: 'cookies',
    title: 'Cookies',
    paragraphs: [
      'We use six cookies, all of them necessary and our own. One keeps you signed in. One lasts ten minutes, between the two steps of a two-step sign-in. One carries a short message from one page to the next. One holds for half an hour, encrypted, what you had filled in when a form met the end of your session. One records for a year that this browser has signed in to your account before, so that strangers guessing at your password cannot lock you out. One remembers for half a year that you did not want to install the app. There is no advertising, no analytics service, no tracker, and nothing is loaded from other sites.',
    ],
  },
  {
    id: 'device',
    title: 'On your device',
    paragraphs: [
      'While you are signed in, your browser keeps the latest copy of your vials, doses, schedules and calculations, and what you enter without a connection, so that you can work offline. It is encrypted with a key that belongs to this session, and signing out removes all of it.',
    ],
  },
  {
    id: 'who-sees',
    title: 'Who sees it',
    paragraphs: [
      'You. Administrators can see your email address, plan and account status when they need to; every time they look at your account or change it, that is recorded. We never sell or rent your data.',
      'Payments are handled by a card payment provider, which receives only what a payment requires. Card numbers never reach our server.',
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
      'If somebody gets at data who should not, or data are lost, the operator of this server tells the supervisory authority within 72 hours and, where it may harm you, tells you by mail without delay: what happened, which kinds of your data it concerns, what has been done, and what you can do. The program lists for the operator which accounts and which kinds of data a period touched.',
    ],
  },
  {
    id: 'rights',
    title: 'Your rights',
    paragraphs: [
      'In your profile you can download everything we hold about you as one file, see who looked at or changed your account, correct your data, and delete your account. 48 hours later everything is gone except the records of who did what to the account and of what was paid, which then name nobody. For anything that you cannot do there yourself, write to support from the email address of your account.',
    ],
  },
];

export function Privacy({ stored }: { stored: readonly StoredLine[] }) {
  return (
    <LegalPage
      title="Privacy Policy"
      since="22 November 2026"
      intro="In short: we keep what you save and what an account needs, show it to nobody else, and track nothing."
      sections={sections(stored)}
    />
  );
}
