import { lazy } from 'react';
import { Calculator, type CalculatorValues, type Example } from '#app/features/calculator/index.ts';
import { LinkButton } from '#app/ui/button.tsx';
import { Icon, type IconName } from '#app/ui/icon.tsx';
import { MarginSection } from '#app/ui/margin-section.tsx';
import { Pricing } from './pricing.tsx';

/** The home page for visitors: the calculator, what an account adds, what it costs, what is coming. */
export function Landing({ demoHref, example }: { demoHref: string; example?: Example }) {
  return (
    <>
      <Hero example={example} />
      <div className="mt-16">
        <Features />
        <Pricing />
        <ComingSoon demoHref={demoHref} />
        <MarginSection id="begin" title="Get started">
          <p className="mb-4 max-w-prose">
            The calculator needs no account. Create one to keep your calculations and to get reminders.
          </p>
          <div className="flex flex-wrap gap-3">
            <LinkButton to="/register?plan=trial">Start free trial</LinkButton>
            <LinkButton to="/login" variant="plain">
              Sign in
            </LinkButton>
          </div>
        </MarginSection>
      </div>
    </>
  );
}

const EMPTY_VALUES: CalculatorValues = {};

/** The working calculator comes first. Its answer has an address of its own below `/calculator`. */
function Hero({ signInHref = '/login', example }: { signInHref?: string; example?: Example }) {
  return (
    <section aria-labelledby="hero-title">
      <h1 id="hero-title" className="hero-title">
        From powder to the mark on the syringe
      </h1>
      <p className="hero-text">
        Enter what is in the vial and the dose you want: the units to draw appear as you type. No account, no
        trackers, no rounding along the way.
      </p>
      <Calculator
        action="/calculator"
        clearHref="/"
        values={EMPTY_VALUES}
        result={null}
        errors={null}
        save={{ kind: 'signed-out', signInHref }}
        example={example}
      />
    </section>
  );
}

interface Feature {
  icon: IconName;
  name: string;
  text: string;
}

const CALCULATOR: readonly Feature[] = [
  {
    icon: 'check',
    name: 'Exact to the last digit',
    text: 'Decimal arithmetic with no rounding in between: 2.01 mg in 2 ml is 1.01 mg/ml here, not 1.00.',
  },
  {
    icon: 'calculator',
    name: 'The mark, and the dose it really gives',
    text: 'Four syringes, the nearest mark on each, and the dose at that mark with its error in percent.',
  },
  {
    icon: 'copy',
    name: 'Every result is a link',
    text: 'Bookmark it, print it, send it: it opens with the same figures. Everything works without JavaScript.',
  },
];

const NOTEBOOK: readonly Feature[] = [
  {
    icon: 'vial',
    name: 'Vials that count down',
    text: 'Each draw is subtracted from its vial. You see what is left, how long it may be used and when it runs out.',
  },
  {
    icon: 'calendar',
    name: 'Today, in order',
    text: 'What is due and what to draw from the open vial. One click logs it, one click undoes it.',
  },
  {
    icon: 'pin',
    name: 'Sites that rotate',
    text: 'A body map that remembers, suggests the next site and says why.',
  },
  {
    icon: 'chart',
    name: 'Charts with their numbers',
    text: 'Adherence, levels, side effects and spending. Each chart comes with a summary, its formula and its table.',
  },
  {
    icon: 'truck',
    name: 'From order to vial',
    text: 'When a parcel arrives, it becomes sealed vials with lot, certificate and price per mg.',
  },
  {
    icon: 'print',
    name: 'A report for your clinician',
    text: 'Any period as a page, on paper, as a PDF, or as a link that expires when you choose.',
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

function Features() {
  return (
    <MarginSection id="features" title="Features">
      <FeatureList title="The calculator, for everyone" features={CALCULATOR} />
      <FeatureList title="The notebook, with an account" features={NOTEBOOK} />
    </MarginSection>
  );
}

/** What the product does not do yet. An entry is removed when its page exists. */
const COMING = [
  { name: 'Demo', text: 'a sample notebook to explore' },
  { name: 'More languages', text: 'English is the first' },
  { name: 'Label printers', text: 'vial labels straight to the printer, without the browser’s print dialog' },
] as const;

function ComingSoon({ demoHref }: { demoHref: string }) {
  return (
    <MarginSection id="coming-soon" title="Coming soon">
      <ul className="grid gap-2">
        {COMING.map(({ name, text }) => (
          <li key={name}>
            <span className="font-semibold">{name}</span>
            <span className="text-soft">{` – ${text}`}</span>
          </li>
        ))}
      </ul>
      <LinkButton to={demoHref} preventScrollReset className="mt-5">
        See a demo
      </LinkButton>
    </MarginSection>
  );
}

/** The demo dialog. Its code is loaded only when somebody opens it. */
export const LazyDemoDialog = lazy(() =>
  import('./demo-dialog.tsx').then((module) => ({ default: module.DemoDialog })),
);
