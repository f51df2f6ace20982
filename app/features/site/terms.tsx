import { useSite } from '#app/ui/site.ts';
import { LegalPage, type LegalSection } from './legal-page.tsx';

const SECTIONS: readonly LegalSection[] = [
  {
    id: 'what',
    title: 'What Vialbook is',
    paragraphs: [
      'Vialbook is a calculator and a notebook for people who work with research peptides. It computes a concentration, a volume and the marks on a syringe from the numbers you enter, and stores what you ask it to store.',
      'It is a research reference only. It is not medical advice, not a medical device and not a substitute for a physician, a pharmacist or the label of a product. Nothing in it is a recommendation to use any substance, in any amount, in any person or animal.',
    ],
  },
  {
    id: 'who',
    title: 'Who may use it',
    paragraphs: [
      'You must be 18 or older. By creating an account you confirm that you are.',
      'You are responsible for knowing the law where you are. Some substances that you can enter here may not be legal to buy, own or use there.',
    ],
  },
  {
    id: 'figures',
    title: 'The figures',
    paragraphs: [
      'Results are computed exactly from what you enter, and every formula is shown with its numbers, so that you can check it by hand. Please do. A wrong unit or a misplaced decimal point gives an exact answer to the wrong question, and Vialbook cannot notice it.',
      'Reference figures name their source. Sources may be wrong, may change, and may not apply to your product. Where no approved label exists, the page says so.',
    ],
  },
  {
    id: 'account',
    title: 'Your account',
    paragraphs: [
      'Keep your password to yourself. Anything done while signed in with it counts as done by you until you tell us otherwise.',
      'One person, one account. Do not try to read other people’s data, to get around limits, to burden the service with automated requests beyond its published API, or to use it to sell substances to people.',
      'We may suspend an account that breaks these terms or endangers the service. If your account is suspended, you can ask support for the reason and for your data.',
    ],
  },
  {
    id: 'plans',
    title: 'Plans and payment',
    paragraphs: [
      'Free costs nothing. On the free plan saved calculations belong to the sign-in session and are deleted when it ends.',
      'Premium costs $5 per month or $30 per year and renews until you cancel. You can cancel at any time; Premium then continues until the end of the period you have paid for. The 14-day trial is free, needs no card, is available once per account, and ends by itself.',
      'When Premium ends, none of your data is deleted. Anything beyond the limits of the free plan stays readable.',
    ],
  },
  {
    id: 'data',
    title: 'Your data',
    paragraphs: [
      'What you enter is yours. You may export it at any time. The Privacy Policy explains what we do with it.',
    ],
  },
  {
    id: 'liability',
    title: 'Liability',
    paragraphs: [
      'Vialbook is provided as is. We work to keep its figures exact and the service available, but we cannot promise that it is free of errors or interruptions, and as far as the law allows we are not liable for the consequences of using its figures. Nothing here limits rights that cannot be limited by law.',
    ],
  },
  {
    id: 'changes',
    title: 'Changes',
    paragraphs: [
      'When these terms change in a way that matters, the sign-in page will say so before the change takes effect. If you do not agree, you can export your data and delete your account.',
    ],
  },
];

export function Terms() {
  const { isSelling } = useSite();
  return (
    <LegalPage
      title="Terms of Service"
      since="20 November 2026"
      intro="In short: a research reference for adults, not medical advice. Check every figure before you rely on it."
      sections={isSelling ? SECTIONS : SECTIONS.filter(({ id }) => id !== 'plans')}
    />
  );
}
