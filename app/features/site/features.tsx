import { Icon, type IconName } from '#app/ui/icon.tsx';
import { MarginSection } from '#app/ui/margin-section.tsx';

interface Feature {
  icon: IconName;
  name: string;
  text: string;
}

const CALCULATOR: readonly Feature[] = [
  {
    icon: 'check',
    name: 'Exact to the last digit',
    text: 'Decimal arithmetic, nothing rounded in between: 2.01 mg in 2 ml is 1.01 mg/ml here, not 1.00.',
  },
  {
    icon: 'calculator',
    name: 'The mark, and what it really gives',
    text: 'Four syringes, the nearest mark on each, and the dose that mark delivers with its error in percent.',
  },
  {
    icon: 'copy',
    name: 'A result is an address',
    text: 'Bookmark it, print it, send it: it opens with the same figures. Everything works without scripts.',
  },
];

const NOTEBOOK: readonly Feature[] = [
  {
    icon: 'vial',
    name: 'Vials that count down',
    text: 'Each draw comes off its vial. You see what is left, until when it may be used and when it runs out.',
  },
  {
    icon: 'calendar',
    name: 'Today, in order',
    text: 'What is due, what to draw from the open vial, one press to log it and one to take that back.',
  },
  {
    icon: 'pin',
    name: 'Sites that rotate',
    text: 'A body map that remembers, and names the next site with the reason why.',
  },
  {
    icon: 'chart',
    name: 'Charts with their numbers',
    text: 'Adherence, levels, side effects and spend; each chart has its sentence, its formula and its table.',
  },
  {
    icon: 'truck',
    name: 'From order to vial',
    text: 'A parcel that arrives becomes sealed vials with lot, certificate and price per mg.',
  },
  {
    icon: 'print',
    name: 'A report for your clinician',
    text: 'Any period as a page, on paper or as PDF, or by a link that ends when you say.',
  },
];

function FeatureList({ title, features }: { title: string; features: readonly Feature[] }) {
  return (
    <>
      <h3 className="feature-group">{title}</h3>
      <ul className="features">
        {features.map(({ icon, name, text }) => (
          <li key={name}>
            <Icon name={icon} size={22} />
            <div>
              <p className="font-semibold">{name}</p>
              <p className="text-soft">{text}</p>
            </div>
          </li>
        ))}
      </ul>
    </>
  );
}

export function Features() {
  return (
    <MarginSection id="features" title="Features">
      <FeatureList title="The calculator, for everyone" features={CALCULATOR} />
      <FeatureList title="The notebook, with an account" features={NOTEBOOK} />
    </MarginSection>
  );
}
