import { MarginSection } from './margin-section.tsx';

const FEATURES = [
  {
    name: 'Exact to the last digit',
    text: 'Decimal arithmetic, nothing rounded in between: 2.01 mg in 2 ml is 1.01 mg/ml here, not 1.00.',
  },
  {
    name: 'The mark, and what it really gives',
    text: 'Units for four syringes, the nearest mark, and the dose that mark delivers with its error in percent.',
  },
  {
    name: 'Three ways round',
    text: 'Solve for the draw, for the water to add, or for the dose a draw holds.',
  },
  {
    name: 'A result is an address',
    text: 'Bookmark it, print it, send it. It opens with the same figures, also without scripts.',
  },
  {
    name: 'A history you can search',
    text: 'With an account: save by name with notes, sort by date, name or concentration, find it again.',
  },
  {
    name: 'Yours to take along',
    text: 'Export as CSV, JSON or a printed report whenever you like.',
  },
] as const;

export function Features() {
  return (
    <MarginSection id="features" title="Features">
      <dl className="grid gap-x-8 gap-y-5 sm:grid-cols-2">
        {FEATURES.map(({ name, text }) => (
          <div key={name}>
            <dt className="font-semibold">{name}</dt>
            <dd className="mt-1 text-soft">{text}</dd>
          </div>
        ))}
      </dl>
    </MarginSection>
  );
}
