import { LegalPage, type LegalSection } from './legal-page.tsx';

const SECTIONS: readonly LegalSection[] = [
  {
    id: 'what',
    title: 'What Vialbook is',
    paragraphs: [
      'Vialbook is a calculator and a notebook for people who work with research peptides. It computes a concentration, a volume and the marks on a syringe from the numbers you type, and keeps what you ask it to keep.',
      'It is a research reference only. It is not medical advice, not a medical device and not a substitute for a physician, a pharmacist or the label of a product. Nothing in it is a recommendation to use any substance, in any amount, in any person or animal.',
    ],
  },
  {
    id: 'who',
    title: 'Who may use it',
    paragraphs: [
      'You must be 18 or older. By making an account you say that you are.',
      'You are responsible for knowing the law where you are. Some substances that can be typed into a calculator may not be bought, owned or used there.',
    ],
  },
  {
    id: 'figures',
    title: 'The figures',
    paragraphs: [
      'Results are computed exactly from what you enter, and every formula is shown with its numbers, so that you can check it by hand. Please do. A slip of a unit or of a decimal point gives an exact answer to the wrong question, and Vialbook cannot see it.',
      'Reference figures name their source. Sources may be wrong, may change, and may not fit your product. Where no approved label exists, the page says so.',
    ],
  },
  {
    id: 'account',
    title: 'Your account',
    paragraphs: [
      'Keep your password to yourself. What is done while signed in with it counts as done by you, until you tell us that it was not.',
      'One person, one account. Do not try to read other people’s data, to get around limits, to load the service with automated requests beyond its published interface, or to use it to sell substances to people.',
      'We may suspend an account that breaks these terms or endangers the service. A suspended account can ask support for the reason and for its data.',
    ],
  },
  {
    id: 'plans',
    title: 'Plans and payment',
    paragraphs: [
      'Free costs nothing. On the free plan saved calculations belong to the sign-in session and go when it ends.',
      'Premium costs $5 per month or $30 per year and renews until you cancel. You can cancel at any time; it then runs to the end of what is paid. A trial of 14 days is free, needs no card, is given once per account, and ends by itself.',
      'When Premium ends, nothing of yours is deleted. What goes beyond the free plan stays readable.',
    ],
  },
  {
    id: 'data',
    title: 'Your data',
    paragraphs: [
      'What you enter is yours. You may export it at any time. What we do with it is in the Privacy Policy.',
    ],
  },
  {
    id: 'liability',
    title: 'Liability',
    paragraphs: [
      'Vialbook is offered as it is. We work for exact figures and a service that is there when needed, but we cannot promise that it is free of errors or interruptions, and we are not liable for what follows from using its figures, as far as the law allows this to be agreed. Nothing here limits rights that the law does not let us limit.',
    ],
  },
  {
    id: 'changes',
    title: 'Changes',
    paragraphs: [
      'When these terms change in a way that matters, the sign-in page says so before the change takes effect. If you do not agree you can export your data and close your account.',
    ],
  },
];

export function Terms() {
  return (
    <LegalPage
      title="Terms of Service"
      since="20 November 2026"
      intro="In short: a research reference for adults, not medical advice. Check every figure before you rely on it."
      sections={SECTIONS}
    />
  );
}
