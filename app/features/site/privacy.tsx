import { LegalPage, type LegalSection } from './legal-page.tsx';

const SECTIONS: readonly LegalSection[] = [
  {
    id: 'without-account',
    title: 'Without an account',
    paragraphs: [
      'The public calculator keeps nothing. What you type stands in the address of the result, so that you can bookmark it; the address is yours to share or not.',
      'The server writes a log line for each request: time, path without the typed values, status and how long it took. It helps to find faults and is kept for a short time.',
    ],
  },
  {
    id: 'with-account',
    title: 'With an account',
    paragraphs: [
      'We keep your e-mail address, a hash of your password that cannot be turned back into it, your plan, the time of your last sign-in, and what you choose to save: calculations with their names and notes.',
      'On the free plan saved calculations are deleted when the sign-in session ends.',
      'If you registered with somebody’s link we keep whose it was, so that both get their days. They see the date and whether it was credited, never who you are.',
      'If you leave your address for the demo, we keep it with its time for that one message.',
    ],
  },
  {
    id: 'cookies',
    title: 'Cookies',
    paragraphs: [
      'Five cookies, all needed and all ours: one keeps you signed in, one lasts ten minutes between the two steps of a two-step sign-in, one carries a short message from one page to the next, and one says for a year that this browser has signed in to your account before, so that the wrong guesses of strangers cannot keep you out. A fifth remembers for half a year that you did not want to install the app. There is no advertising, no analytics service, no tracker and nothing loaded from other sites.',
    ],
  },
  {
    id: 'device',
    title: 'On your device',
    paragraphs: [
      'While you are signed in, your browser keeps what it last saw of your vials, doses, schedules and calculations, and what you write down without a connection, so that both are there when the network is not. It is encrypted with a key that belongs to this sign-in, and signing out removes all of it.',
    ],
  },
  {
    id: 'who-sees',
    title: 'Who sees it',
    paragraphs: [
      'You. Administrators see your address, plan and account state, when they need to; each look and each change is recorded. Nobody sells or rents your data.',
      'Payments are handled by the card payment provider. It gets what a payment needs; card numbers never reach our server.',
    ],
  },
  {
    id: 'where',
    title: 'Where it is',
    paragraphs: [
      'In the database of the server you are using. Whoever runs that server is responsible for it and answers questions about it.',
    ],
  },
  {
    id: 'rights',
    title: 'Your rights',
    paragraphs: [
      'In your profile you can download everything we hold about you as one file, see who looked at or changed your account, correct it, and delete it: 48 hours later all of it is gone, but for who did what to the account and what was paid, which then name nobody. Ask support, from the address of the account, for anything the pages do not let you do yourself.',
    ],
  },
];

export function Privacy() {
  return (
    <LegalPage
      title="Privacy Policy"
      since="20 November 2026"
      intro="In short: we keep what you save and what an account needs, show it to nobody else, and track nothing."
      sections={SECTIONS}
    />
  );
}
